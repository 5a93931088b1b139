import { Injectable } from '@nestjs/common';
import type { Call } from '../core/call.js';
import { noteListed, noteRankings, noteShown } from '../core/note-retrieval.js';
import { planQuery } from '../kb/search/plan-query.js';
import { rankSections } from '../kb/search/rank-sections.js';
import type { Ranking } from '../core/ranking.js';
import { SectionIndex } from '../core/ports/section-index.port.js';
import { keptOf, listReply } from '../core/reply.js';
import type { Reply } from '../core/reply.js';
import { withEnvelope } from './legacy-envelope.js';
import type { LegacyEnvelope } from './legacy-envelope.js';
import { readFilters } from './legacy-filters.js';
import type { LegacyFilters, ReadFilters } from './legacy-filters.js';
import { sessionName } from './legacy-session.js';
import { decodeOffset, encodeOffset, pageLength } from './page-offset.js';
import { toSearchRow } from './search-row.js';
import type { SearchRow } from './search-row.js';

export interface LegacySearchInput {
  readonly query: string;
  readonly topK: number;
  readonly filters: LegacyFilters;
  readonly cursor: string | null;
  readonly pageSize: number;
  readonly sessionId: string | null;
  readonly includeDebug: boolean;
}

export interface LegacySearchOutput extends LegacyEnvelope {
  readonly results: readonly SearchRow[];
  readonly cursor: string | null;
  readonly next_cursor: string | null;
}

const DEFAULT_PAGE = 25;
/** Most that the index ranks. */
const MAX_RANKED = 1_000;

/** Searches as it was done under the older name. */
@Injectable()
export class LegacySearchService {
  constructor(private readonly index: SectionIndex) {}

  /** @throws BackendUnavailableError */
  async search(call: Call, input: LegacySearchInput): Promise<Reply<LegacySearchOutput>> {
    const page = pageLength(input.pageSize, DEFAULT_PAGE);
    const most = Math.min(MAX_RANKED, Math.max(page, input.topK || page));
    const filters = readFilters(input.filters);
    const ranking = await this.rank(call, { query: input.query, filters, most });
    const offset = decodeOffset(input.cursor);
    const listed = ranking.candidates.slice(offset, offset + page);
    const rows = listed.map((found, i) => toSearchRow(found, offset + i + 1, input.includeDebug));
    const sessionId = sessionName(call, input.sessionId);
    const source = input.includeDebug ? metricsOf(call, ranking, filters) : undefined;
    const ids = listed.map(({ section }) => section.id);
    noteListed(call, ids);
    return listReply(
      { count: rows.length, maxChars: 0, isPage: rows.length < ranking.candidates.length },
      (fit) => {
        const { reason } = fit;
        const next = offset + fit.count;
        const hasMore = next < ranking.candidates.length;
        const results = keptOf(rows, fit);
        const payload = { results, cursor: input.cursor, next_cursor: hasMore ? encodeOffset(next) : null };
        return withEnvelope({ sessionId, payload, phase: 'seeds', hasMore, reason, source });
      },
      ({ results }) =>
        noteShown(
          call,
          results.map(({ section_id }) => section_id),
        ),
    );
  }

  /** The whole ranked list, so that its pages join. */
  async rank(
    call: Call,
    { query, filters, most }: { query: string; filters: ReadFilters; most: number },
  ): Promise<Ranking> {
    const [part] = planQuery({ text: query, keywords: [], parts: [], rewrite: true }).parts;
    if (!part) throw new Error('a question has at least one part');
    const limits = { sections: most, perDocument: most };
    const { filter } = filters;
    const ranking = await rankSections(call, this.index, part, { filter, limits, mode: 'auto' });
    // More were asked for, so that some can be dropped.
    const ranked = { ...ranking, candidates: ranking.candidates.slice(0, most) };
    noteRankings(call, [ranked]);
    return ranked;
  }
}

function metricsOf(
  { trace }: Call,
  { generation, rewrites }: Ranking,
  { ignored }: ReadFilters,
): Readonly<Record<string, unknown>> {
  return {
    matched: trace.counts['matched'] ?? 0,
    dropped: { ...trace.drops },
    degraded: [...trace.degraded],
    rewrites: rewrites.length,
    ignored_filters: ignored,
    generation,
  };
}
