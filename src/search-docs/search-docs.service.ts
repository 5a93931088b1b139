import { Injectable } from '@nestjs/common';
import type { Call } from '../core/call.js';
import type { CorpusFacts } from '../core/corpus-facts.js';
import { type CursorBinding, decodeCursor, encodeCursor } from '../core/cursor.js';
import { noteRetrieval } from '../core/note-retrieval.js';
import { type Candidate, NO_FILTER } from '../core/ports/section-index.port.js';
import type { Ranking } from '../core/ranking.js';
import { type Fit, keptOf, listReply, type Reply, skippedIn, skippedText } from '../core/reply.js';
import { sectionMetadata } from '../core/section-id.js';
import { joinHints, nearestHint } from '../kb/rewrite-hint.js';
import { planQuery } from '../kb/search/plan-query.js';
import { selectPreview } from '../kb/search/preview.js';
import { rankLimits } from '../kb/search/rank-matches.js';
import { rankParts, rankSections, RankSources } from '../kb/search/rank-parts.js';
import { PassageNaming } from '../scratch/passages.service.js';
import { clipText } from '../text/span.js';
import { MAX_PATH_CHARS, shownTitle } from '../text/untrusted-text.js';
import { filterKeys } from './listed-search.js';
import { type Filters, readFilters } from './read-filters.js';
import type { SearchDocsInput, SearchDocsOutput } from './search-docs.schemas.js';
import { type Probe, searchHint, suggestFilters } from './suggest-filters.js';

/** Length of the ranked list that pages are cut from. All page sizes use the same list, so pages leave no gaps. */
const POOL = 100;
/** Maximum sections per document in that list, unless few documents match: docs/search-docs.md, "What is ranked". */
const PER_DOCUMENT = 5;
const SNIPPET_CHARS = 280;
const MAX_BREADCRUMB_CHARS = 500;

function toHit({ section, document, score }: Candidate, query: string): SearchDocsOutput['hits'][number] {
  return {
    chunk_id: section.id,
    score: Math.round(score * 10_000) / 10_000,
    heading: shownTitle(section.title),
    breadcrumb: clipText([...document.trail, ...section.headingPath].join(' > '), MAX_BREADCRUMB_CHARS),
    snippet: selectPreview(section.text, query, SNIPPET_CHARS).text,
    filepath: clipText(document.path, MAX_PATH_CHARS),
    metadata: sectionMetadata(section, document),
  };
}

const idsOf = (hits: SearchDocsOutput['hits']): string[] => hits.map(({ chunk_id }) => chunk_id);

/** Searches as the search_docs contract specifies. */
@Injectable()
export class SearchDocsService {
  constructor(
    private readonly sources: RankSources,
    private readonly naming: PassageNaming,
  ) {}

  /** @throws InvalidArgumentError for a wrong filter or cursor; BackendUnavailableError */
  async search(call: Call, input: SearchDocsInput): Promise<Reply<SearchDocsOutput>> {
    const corpus = await this.sources.index.corpus(call.scope);
    const { query, limit, cursor, ...fields } = input;
    const filters = readFilters(fields, corpus);
    const plan = planQuery({ text: query, keywords: [], parts: [], rewrite: true });
    const filter = { ...NO_FILTER, metadata: filters };
    const limits = rankLimits(POOL, null, PER_DOCUMENT);
    const [ranking] = await rankParts(call, this.sources, { ...plan, filter, limits, mode: 'auto' });
    if (!ranking) throw new Error('a question has at least one part');
    const { principal } = call.caller;
    const binding = {
      question: ['search_docs', query, filters, call.scope],
      principal,
      generation: ranking.generation,
    };
    const { secret } = this.naming;
    const offset = cursor === undefined ? 0 : decodeCursor(cursor, binding, secret);
    const listed = ranking.candidates.slice(offset, offset + limit);
    const page: Page = {
      binding,
      offset,
      total: ranking.candidates.length,
      matched: ranking.matched,
      hits: listed.map((candidate) => toHit(candidate, ranking.part.text)),
      hint: ranking.candidates.length === 0 ? await this.hint(call, ranking, { filters, corpus }) : null,
    };
    noteRetrieval(call, { listed: idsOf(page.hits) });
    const isPage = page.hits.length < page.total;
    const size = { count: page.hits.length, maxChars: SNIPPET_CHARS, isPage };
    return listReply(
      size,
      (fit) => build(page, fit, secret),
      ({ hits }) => noteRetrieval(call, { shown: idsOf(hits) }),
    );
  }

  private async hint(
    call: Call,
    ranking: Ranking,
    { filters, corpus }: { readonly filters: Filters; readonly corpus: CorpusFacts },
  ): Promise<SearchDocsOutput['hint']> {
    const { part } = ranking;
    const probe: Probe = async (metadata, most) => {
      const limits = { sections: most, perDocument: 1 };
      const asked = { part, filter: { ...NO_FILTER, metadata }, limits, mode: 'auto' as const };
      const { candidates } = await rankSections(call, this.sources.index, asked);
      return candidates.map(({ document }) => document.metadata);
    };
    const suggested = await suggestFilters({ filters, taxonomy: filterKeys(corpus) }, probe);
    const hint = searchHint(part.question, filters, suggested);
    return { ...hint, message: joinHints(hint.message, nearestHint([ranking])) ?? hint.message };
  }
}

interface Page {
  readonly binding: CursorBinding;
  readonly offset: number;
  readonly total: number;
  /** Number of sections that match, of which the list holds the best. */
  readonly matched: number;
  readonly hits: SearchDocsOutput['hits'];
  readonly hint: SearchDocsOutput['hint'];
}

/** A hint about results without a cursor to them: hits that are too long for any reply, and sections after the list. */
function leftOutHint({ total, matched }: Page, fit: Fit, isEnd: boolean): SearchDocsOutput['hint'] {
  const isCut = isEnd && total >= POOL && matched > total;
  const end = `The list ends here, with ${total} of ${matched} matching sections. Use more specific words or filters.`;
  const message = [skippedText(skippedIn(fit)), isCut && end].filter(Boolean).join(' ');
  return message === '' ? null : { message, suggested_filters: {} };
}

function build(page: Page, fit: Fit, secret: string): SearchDocsOutput {
  const { binding, offset, total, hits, hint } = page;
  const next = offset + fit.count;
  return {
    hits: keptOf(hits, fit).map((hit) => ({
      ...hit,
      snippet: clipText(hit.snippet, Math.max(2, fit.maxChars)),
    })),
    next_cursor: next < total ? encodeCursor(next, binding, secret) : null,
    hint: hint ?? leftOutHint(page, fit, next >= total),
  };
}
