import { Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { type CursorBinding, decodeCursor, encodeCursor } from '../../core/cursor.js';
import { noteRetrieval } from '../../core/note-retrieval.js';
import { type RankedCandidate, type Ranking, sourceOf } from '../../core/ranking.js';
import { type Fit, keptOf, listReply, type Reply, shownSkipped } from '../../core/reply.js';
import { unknownValues } from '../../scope/unknown-values.js';
import { type NamedPassage, PassageNaming, PassagesService } from '../../scratch/passages.service.js';
import { clipText } from '../../text/span.js';
import { sectionTitle, shownAnchor } from '../../text/untrusted-text.js';
import { diagnosticOf, sectionIdsOf, toSectionFilter } from '../kb.schemas.js';
import { joinHints, leftOutText, nearestHint, rewriteHint } from '../rewrite-hint.js';
import type { SearchInput, SearchOutput } from '../search.schemas.js';
import { planQuery } from './plan-query.js';
import { type Preview, selectPreview } from './preview.js';
import { rankLimits } from './rank-matches.js';
import { rankParts, RankSources } from './rank-parts.js';

interface FoundSection {
  /** Over all pages, from 1. */
  readonly rank: number;
  readonly candidate: RankedCandidate;
  readonly preview: Preview;
  readonly passage: NamedPassage;
}

interface Page {
  readonly input: SearchInput;
  readonly binding: CursorBinding;
  readonly offset: number;
  /** Length of the whole ranked list. */
  readonly total: number;
  readonly found: readonly FoundSection[];
  readonly hint: string | null;
  readonly debug: Record<string, unknown>;
}

const NOTHING_FOUND =
  'No section contains these words. Try other words, add keywords that the documents may use, or remove filters.';

/** Finds sections and returns a preview of each. Their texts stay in scratch. */
@Injectable()
export class SearchService {
  constructor(
    private readonly sources: RankSources,
    private readonly passages: PassagesService,
    private readonly naming: PassageNaming,
  ) {}

  /** @throws InvalidArgumentError for a bad cursor; BackendUnavailableError */
  async search(call: Call, input: SearchInput): Promise<Reply<SearchOutput>> {
    const { query: text, keywords, options, cursor = null, page_size: size } = input;
    const { rewrite, mode, max_snippet_chars: maxChars } = options;
    const filter = toSectionFilter(input.filters);
    const plan = planQuery({ text, keywords, parts: [], rewrite });
    const limits = rankLimits(input.top_k, options.max_per_doc ?? null, 1);
    const [ranking] = await rankParts(call, this.sources, { ...plan, filter, limits, mode });
    if (!ranking) throw new Error('a question has at least one part');
    const binding = bindingOf(call, input, ranking.generation);
    const offset = cursor === null ? 0 : decodeCursor(cursor, binding, this.naming.secret);
    const listed = ranking.candidates.slice(offset, offset + size);
    const page: Page = {
      input,
      binding,
      offset,
      total: ranking.candidates.length,
      found: await this.show(call, { listed, offset, maxChars }, ranking),
      hint: joinHints(
        ranking.candidates.length === 0 ? await this.emptyHint(call, input) : rewriteHint(ranking),
        nearestHint([ranking]),
      ),
      debug: debugOf(call, ranking),
    };
    const ids = listed.map(({ section }) => section.id);
    noteRetrieval(call, { listed: ids });
    const start = { count: page.found.length, maxChars, isPage: listed.length < page.total };
    return listReply(
      start,
      (fit) => this.build(call, page, fit),
      ({ results }) => noteRetrieval(call, { shown: sectionIdsOf(results) }),
    );
  }

  private async emptyHint(call: Call, input: SearchInput): Promise<string> {
    return (await unknownValues(call, this.sources.index, input)) || NOTHING_FOUND;
  }

  private async show(
    call: Call,
    { listed, offset, maxChars }: { listed: readonly RankedCandidate[]; offset: number; maxChars: number },
    { part, generation }: Ranking,
  ): Promise<FoundSection[]> {
    const shown = listed.map((candidate) => {
      const preview = selectPreview(candidate.section.text, part.text, maxChars);
      return { candidate, preview, generation, window: preview.window };
    });
    const passages = await this.passages.keepAll(call, shown);
    return shown.flatMap(({ candidate, preview }, i) => {
      const passage = passages[i];
      return passage ? [{ rank: offset + i + 1, candidate, preview, passage }] : [];
    });
  }

  private build(call: Call, page: Page, fit: Fit): SearchOutput {
    const { input, binding, offset, total } = page;
    const { include_debug: isDebug } = input.options;
    const hint = joinHints(page.hint, isDebug && fit.reason !== null ? leftOutText(['debug']) : null);
    const next = offset + fit.count;
    const hasMore = next < total;
    const results = keptOf(page.found, fit).map((found) => toResult(found, input, fit));
    return {
      results,
      next_cursor: hasMore ? encodeCursor(next, binding, this.naming.secret) : null,
      partial: hasMore || fit.reason !== null,
      limit_reason: fit.reason ?? (hasMore ? 'page_size' : 'none'),
      ...shownSkipped(fit),
      session_id: call.caller.sessionId,
      ...diagnosticOf(call),
      ...(hint === null ? {} : { hint }),
      ...(call.trace.degraded.length > 0 ? { degraded: [...call.trace.degraded] } : {}),
      ...(isDebug && fit.reason === null ? { debug: page.debug } : {}),
    };
  }
}

function bindingOf(call: Call, input: SearchInput, generation: string): CursorBinding {
  const { query, keywords, top_k: topK, filters, options } = input;
  // Cursors contain a digest of this object. Other names or another order would invalidate cursors in use.
  const question = {
    query,
    keywords,
    topK,
    filter: toSectionFilter(filters),
    maxSnippetChars: options.max_snippet_chars,
    maxPerDoc: options.max_per_doc ?? null,
    includeScores: options.include_scores,
    includeDebug: options.include_debug,
    mode: options.mode,
    rewrite: options.rewrite,
  };
  return { question: [question, call.scope], principal: call.caller.principal, generation };
}

function debugOf(call: Call, { terms, rewrites, generation }: Ranking): Record<string, unknown> {
  const { counts, drops } = call.trace;
  return { terms, rewrites, matched: counts['matched'] ?? 0, dropped: { ...drops }, generation };
}

/** The score of each available signal. */
function signalsOf({ lexical, vector, rerank }: RankedCandidate): Record<string, number> {
  return {
    bm25: lexical,
    ...(vector === null ? {} : { vector }),
    ...(rerank === undefined ? {} : { rerank }),
  };
}

function toResult(found: FoundSection, input: SearchInput, fit: Fit): SearchOutput['results'][number] {
  const { rank, candidate, preview, passage } = found;
  const { section, document, score } = candidate;
  return {
    passage_id: passage.id,
    section_id: section.id,
    doc_tag: document.docTag,
    title: sectionTitle(section.headingPath, document.trail),
    rank,
    score,
    source: sourceOf(candidate),
    preview: clipText(preview.text, fit.maxChars),
    scratch_uri: passage.uri,
    size_bytes: passage.passage.sizeBytes,
    anchor: shownAnchor(section.anchor),
    ...(input.options.include_scores ? { scores: signalsOf(candidate) } : {}),
  };
}
