import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../config/server-secret.js';
import type { Call } from '../../core/call.js';
import type { FoundLink } from '../../core/indexed-document.js';
import type { Reply } from '../../core/reply.js';
import type { Section } from '../../core/section.js';
import { wholeOffset } from '../../text/span.js';
import { shownAnchor, shownTitle } from '../../text/untrusted-text.js';
import { ListCursors, pageFrom } from '../list-pages.js';
import { DocumentSourceService } from './document-source.service.js';
import type { ParseDocumentInput, ParsedPage } from './documents.schemas.js';
import { citationOf, type OutlineEntry, type ReadDocument, showDocument } from './read-document.js';

/** A heading, section or link of a page. */
type Item =
  | { readonly kind: 'outline'; readonly value: OutlineEntry }
  | { readonly kind: 'sections'; readonly value: Section }
  | { readonly kind: 'links'; readonly value: FoundLink };

/** Lists the parts of a document. */
@Injectable()
export class ParseDocumentService {
  constructor(
    private readonly source: DocumentSourceService,
    private readonly signing: ServerSecret,
  ) {}

  /** @throws InvalidArgumentError for a bad source or cursor; BackendUnavailableError */
  async parse(call: Call, input: ParseDocumentInput): Promise<Reply<ParsedPage>> {
    const document = await this.source.read(call, input);
    const { parts, section_chars: maxChars, limit, cursor } = input;
    const items = itemsOf(document).filter(({ kind }) => parts.includes(kind));
    const question = ['document.parse', document.facts.path, document.origin, parts, call.scope];
    const signing = { secret: this.signing.secret, generation: document.version };
    const cursors = new ListCursors(call, question, signing);
    const page = { ...pageFrom(items, cursors.offsetOf(cursor), limit), maxChars };
    const { outline, sections, links } = document;
    return cursors.reply(page, (shown, fields, longest) => ({
      document: showDocument(document),
      counts: { outline: outline.length, sections: sections.length, links: links.length },
      ...listed(shown, document, longest),
      ...fields,
    }));
  }
}

function itemsOf({ outline, sections, links }: ReadDocument): Item[] {
  return [
    ...outline.map((value): Item => ({ kind: 'outline', value })),
    ...sections.map((value): Item => ({ kind: 'sections', value })),
    ...links.map((value): Item => ({ kind: 'links', value })),
  ];
}

function listed(items: readonly Item[], document: ReadDocument, maxChars: number) {
  return {
    outline: items.flatMap((item) => (item.kind === 'outline' ? [showHeading(item.value)] : [])),
    sections: items.flatMap((item) => (item.kind === 'sections' ? [showSection(item.value, maxChars)] : [])),
    links: items.flatMap((item) =>
      item.kind === 'links'
        ? [
            {
              section_id: document.sections[item.value.section]?.id ?? null,
              href: item.value.href,
              is_see_also: item.value.isSeeAlso,
            },
          ]
        : [],
    ),
  };
}

function showHeading({ id, title, level, anchor, parent, sections }: OutlineEntry) {
  return {
    section_id: id,
    title: shownTitle(title),
    level,
    anchor: shownAnchor(anchor),
    parent_id: parent,
    sections,
  };
}

function showSection(section: Section, maxChars: number) {
  const { title, headingPath, text } = section;
  return {
    ...citationOf(section),
    title: shownTitle(title),
    breadcrumb: headingPath.map(shownTitle).join(' > '),
    characters: text.length,
    text: text.slice(0, wholeOffset(text, maxChars)),
    truncated: text.length > maxChars,
  };
}
