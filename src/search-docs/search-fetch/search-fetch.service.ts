import { Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { noteRetrieval } from '../../core/note-retrieval.js';
import { type Candidate, NO_FILTER, type SectionNeighbours } from '../../core/ports/section-index.port.js';
import { type Fit, keptOf, listReply, type Reply } from '../../core/reply.js';
import type { DocumentFacts, Section } from '../../core/section.js';
import { encodePath, sectionMetadata } from '../../core/section-id.js';
import { planQuery } from '../../kb/search/plan-query.js';
import { rankLimits } from '../../kb/search/rank-matches.js';
import { rankParts, RankSources } from '../../kb/search/rank-parts.js';
import { noteOrigin } from '../../mcp/rendering/cautious-text.js';
import { citedUrl } from '../../scratch/passages.service.js';
import { wholeOffset } from '../../text/span.js';
import { sectionTitle, shownTitle } from '../../text/untrusted-text.js';
import { isImpossibleId } from '../chunk-id.js';
import { documentUri } from '../documents/document-uri.js';
import { documentMarkdown } from '../documents/documents.service.js';
import { findSection, readOn } from '../read-on.js';
import {
  FETCH_BYTES,
  type FetchDocumentInput,
  type FetchDocumentOutput,
  type SearchDocumentsInput,
  type SearchDocumentsOutput,
} from './search-fetch.schemas.js';

/** As search_docs ranks; of each document, the best section is listed. */
const POOL = 100;
const PER_DOCUMENT = 5;
const MAX_RESULTS = 10;

/** The best candidates, one of each document. */
function firstOfEach(candidates: readonly Candidate[]): Candidate[] {
  const paths = candidates.map(({ document }) => document.path);
  return candidates.filter((_, i) => paths.indexOf(paths[i] ?? '') === i).slice(0, MAX_RESULTS);
}

/** The address of a citation. A document without one has its URI, which hosts can read and browsers can't open. */
const addressFor = (call: Call, section: Section, document: DocumentFacts): string =>
  citedUrl(call, section, document) ?? documentUri(document.path);

function toResult(call: Call, { section, document }: Candidate): SearchDocumentsOutput['results'][number] {
  const title = sectionTitle(section.headingPath, document.trail);
  return { id: section.id, title, url: addressFor(call, section, document) };
}

/** The same error for ids that do not exist and for hidden documents. */
function noDocument(): InvalidArgumentError {
  return new InvalidArgumentError('There is no document with this id.', {
    reason: 'document_not_found',
    hint: 'Use an id that `search` returned.',
  });
}

/** A document to show: all of its sections, or those from the requested one on. */
interface Shown {
  readonly id: string;
  readonly found: SectionNeighbours;
  readonly sections: SectionNeighbours['sections'];
  /** Index in `sections` of the section to begin with if not all of them fit. */
  readonly start: number;
}

/** Answers the tools `search` and `fetch`, whose inputs and outputs some hosts prescribe. */
@Injectable()
export class SearchFetchService {
  constructor(private readonly sources: RankSources) {}

  /** @throws BackendUnavailableError */
  async search(call: Call, { query }: SearchDocumentsInput): Promise<Reply<SearchDocumentsOutput>> {
    const plan = planQuery({ text: query, keywords: [], parts: [], rewrite: true });
    const limits = rankLimits(POOL, null, PER_DOCUMENT);
    const [ranking] = await rankParts(call, this.sources, {
      ...plan,
      filter: NO_FILTER,
      limits,
      mode: 'auto',
    });
    const results = firstOfEach(ranking?.candidates ?? []).map((each) => toResult(call, each));
    noteRetrieval(call, { listed: results.map(({ id }) => id) });
    return listReply(
      { count: results.length, maxChars: 0, isPage: true },
      (fit) => ({ results: keptOf(results, fit) }),
      (output) => noteRetrieval(call, { shown: output.results.map(({ id }) => id) }),
    );
  }

  /**
   * Returns the document of a section. If it is too long for one reply, the text begins with that section, and says with
   * which id it continues.
   * @throws InvalidArgumentError `document_not_found`; BackendUnavailableError
   */
  async fetch(call: Call, { id }: FetchDocumentInput): Promise<Reply<FetchDocumentOutput>> {
    const found = isImpossibleId(id) ? null : await findSection(call, this.sources.index, { id });
    if (!found) throw noDocument();
    const shown = await this.read(call, id, found);
    const target = found.sections[found.target]?.section;
    const url = target ? addressFor(call, target, found.document) : documentUri(found.document.path);
    noteOrigin(call, found.document, [id, encodePath(found.document.path)]);
    const { sections, start } = shown;
    const longest = Math.max(...sections.map(({ section }) => section.text.length));
    const count = sections.length - start;
    // The first attempt shows the sections before the requested one too.
    return listReply({ count: start > 0 ? count + 1 : count, maxChars: longest, needsFirst: true }, (fit) =>
      build({ ...shown, url }, start > 0 && fit.count > count ? { ...fit, count: sections.length } : fit),
    );
  }

  private async read(call: Call, id: string, found: SectionNeighbours): Promise<Shown> {
    const { index } = this.sources;
    const target = found.sections[found.target];
    const isFirst = target === undefined || target.position === 1;
    const first = isFirst ? found : await findSection(call, index, { id: encodePath(found.document.path) });
    const whole =
      first && first.generation === found.generation
        ? await readOn(call, index, { first, replyBytes: FETCH_BYTES })
        : null;
    if (whole && whole.sections.length === whole.total)
      return { id, found, sections: whole.sections, start: (target?.position ?? 1) - 1 };
    const { sections } =
      whole && isFirst ? whole : await readOn(call, index, { first: found, replyBytes: FETCH_BYTES });
    return { id, found, sections, start: 0 };
  }
}

/** The sections that a fit keeps: all, or those from the requested one on. */
function sectionsFor({ sections, start }: Shown, { count, maxChars }: Fit): SectionNeighbours['sections'] {
  const kept = count === sections.length ? sections : sections.slice(start, start + count);
  return kept.map(({ section, position }) => ({
    position,
    section:
      section.text.length <= maxChars
        ? section
        : { ...section, text: section.text.slice(0, wholeOffset(section.text, maxChars)) },
  }));
}

function build(shown: Shown & { readonly url: string }, fit: Fit): FetchDocumentOutput {
  const { id, found } = shown;
  const { document, total } = found;
  const kept = sectionsFor(shown, fit);
  const [first, last] = [kept[0]?.position ?? 1, kept.at(-1)?.position ?? 1];
  const next = shown.sections.find(({ position }) => position === last + 1)?.section.id;
  const target = found.sections[found.target]?.section;
  const text = documentMarkdown(kept.map(({ section }) => section));
  const rest = next ? ` To read on, call \`fetch\` with the id '${next}'.` : '';
  const isCut = shown.sections.some(({ section }) => section.text.length > fit.maxChars);
  const isWhole = !isCut && first === 1 && last === total;
  return {
    id,
    title: shownTitle(document.title),
    text: isWhole
      ? text
      : `${text}\n(Sections ${first} to ${last} of ${total}${isCut ? ', long texts cut' : ''}.${rest})\n`,
    url: shown.url,
    metadata: {
      ...(target ? sectionMetadata(target, document) : document.metadata),
      path: document.path,
      updated_at: document.updatedAt,
      ...(next ? { continues_with: next } : {}),
    },
  };
}
