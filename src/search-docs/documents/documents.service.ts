import { Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { SectionIndex } from '../../core/ports/section-index.port.js';
import { scopeAllows } from '../../core/scope.js';
import type { DocumentFacts, Section } from '../../core/section.js';
import { headingLine } from '../delimited-text.js';
import { pathOfUri } from './document-uri.js';

/** Number of headings, from the top, that two sections share. */
function sharedHeadings(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((title, i) => title !== b[i]);
  return differs < 0 ? a.length : differs;
}

/** Headings above a section that have no section of their own. */
function bareHeadings({ headingPath, level }: Section, before: Section | undefined): string[] {
  const above = headingPath.slice(0, -1);
  const shared = sharedHeadings(above, before?.headingPath ?? []);
  return above
    .map((title, i) => `${'#'.repeat(Math.max(1, Math.min(i + 1, level - 1)))} ${title}`)
    .slice(shared);
}

/** Assembles a document from its sections, in reading order. */
export function documentMarkdown(sections: readonly Section[]): string {
  const pieces = sections.flatMap((section, i) => {
    const heading = headingLine(section);
    const above = heading === null ? [] : bareHeadings(section, sections[i - 1]);
    return [...above, ...(heading === null ? [] : [heading]), section.text];
  });
  return `${pieces.filter((piece) => piece !== '').join('\n\n')}\n`;
}

/** The same error for documents that do not exist, are hidden, or are not offered. */
function noSuchDocument(): InvalidArgumentError {
  return new InvalidArgumentError('Resource not found.', {
    reason: 'resource_not_found',
    hint: 'Use a URI from resources/list.',
  });
}

/** Reads documents that are offered as resources. */
@Injectable()
export class DocumentsService {
  constructor(private readonly index: SectionIndex) {}

  /** @throws InvalidArgumentError `resource_not_found`; BackendUnavailableError */
  async read(
    call: Call,
    uri: string,
  ): Promise<{ readonly document: DocumentFacts; readonly markdown: string }> {
    const path = pathOfUri(uri);
    if (path === null) throw noSuchDocument();
    call.signal.throwIfAborted();
    const sections = (await this.index.resource(call.scope, path))?.sections ?? [];
    const [first] = sections;
    if (!first || !scopeAllows(call.scope, first.document)) throw noSuchDocument();
    const markdown = documentMarkdown(sections.map(({ section }) => section));
    return { document: first.document, markdown };
  }
}
