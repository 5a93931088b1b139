import { z } from 'zod';
import type { Call } from '../../core/call.js';
import { noteListed, noteRankings, noteShown } from '../../core/note-retrieval.js';
import { NO_FILTER, type SectionFilter, type SectionIndex } from '../../core/ports/section-index.port.js';
import type { Ranking } from '../../core/ranking.js';
import { keptOf, listReply } from '../../core/reply.js';
import { decodePath } from '../../core/section-id.js';
import { planQuery } from '../../kb/search/plan-query.js';
import { rankSections } from '../../kb/search/rank-sections.js';
import {
  anyInt,
  cursorShape,
  envelopeShape,
  legacyCursorSchema,
  legacyIdSchema,
  sessionIdSchema,
} from '../legacy.schemas.js';
import { sessionName, withEnvelope } from '../legacy-envelope.js';
import { legacyTool } from '../legacy-tool.js';
import { decodeOffset, encodeOffset, pageLength } from '../page-offset.js';
import { searchRowSchema, toSearchRow } from '../search-row.js';

const DEFAULT_PAGE = 25;
/** Maximum that the index ranks. */
const MAX_RANKED = 1_000;

const oneOrMore = (item: z.ZodString) =>
  z
    .union([item, z.array(item).max(64)])
    .nullable()
    .optional();

/** Two filters are applied; all others are accepted and ignored. */
export const legacyFiltersSchema = z
  .looseObject({
    doc_tag: oneOrMore(z.string().max(128)).describe('One tag or a list.'),
    document_id: oneOrMore(legacyIdSchema).describe('Path of a document, or several.'),
  })
  .nullable()
  .default(null);

/** @returns null if there is no such filter; an empty list matches nothing */
function listOf(value: string | readonly string[] | null | undefined): string[] | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? [value] : [...new Set(value)].sort();
}

/** Reads the older filters. @returns the filter, and the names of those that were ignored */
export function readLegacyFilters(filters: z.output<typeof legacyFiltersSchema>): {
  readonly filter: SectionFilter;
  readonly ignored: readonly string[];
} {
  const { doc_tag, document_id, ...others } = filters ?? {};
  const paths = listOf(document_id)?.map((id) => decodePath(id.replace(/#_document$/, ''))) ?? null;
  return {
    filter: { ...NO_FILTER, docTags: listOf(doc_tag), ...(paths ? { paths } : {}) },
    ignored: Object.keys(others)
      .slice(0, 16)
      .map((name) => name.slice(0, 64)),
  };
}

/** Ranks the whole list, so that its pages join. @param most  maximum length of the list */
export async function rankWhole(
  index: SectionIndex,
  call: Call,
  { query, filter, most }: { readonly query: string; readonly filter: SectionFilter; readonly most: number },
): Promise<Ranking> {
  const [part] = planQuery({ text: query, keywords: [], parts: [], rewrite: true }).parts;
  if (!part) throw new Error('a question has at least one part');
  const limits = { sections: most, perDocument: most };
  const ranking = await rankSections(call, index, part, { filter, limits, mode: 'auto' });
  // The ranking over-fetches, so that some candidates can be dropped.
  const ranked = { ...ranking, candidates: ranking.candidates.slice(0, most) };
  noteRankings(call, [ranked], filter);
  return ranked;
}

function metricsOf({ trace }: Call, { generation, rewrites }: Ranking, ignored: readonly string[]) {
  return {
    matched: trace.counts['matched'] ?? 0,
    dropped: { ...trace.drops },
    degraded: [...trace.degraded],
    rewrites: rewrites.length,
    ignored_filters: ignored,
    generation,
  };
}

export const legacySearchSections = legacyTool({
  name: 'search_sections',
  title: 'Search sections (older name)',
  description:
    'Legacy name of kb.search; prefer kb.retrieve_evidence for questions, kb.search for lists. ' +
    'Returns ranked sections without text; read them with get_section_text. ' +
    'page_size (25, at most 100) caps a page; top_k only lengthens the list that next_cursor walks.',
  input: z.object({
    query: z.string().max(4_000),
    top_k: anyInt.default(20),
    filters: legacyFiltersSchema,
    cursor: legacyCursorSchema,
    page_size: anyInt.default(25),
    session_id: sessionIdSchema,
    include_debug: z.boolean().default(true).describe('false: the first seven keys of each row.'),
  }),
  output: z.strictObject({ results: z.array(searchRowSchema), ...cursorShape, ...envelopeShape }),
  isRetrieval: true,
  counted: [({ results }) => results.length, 'sections'],

  answer: async ({ index }, call, asked) => {
    const { query, cursor, include_debug: hasDebug } = asked;
    const page = pageLength(asked.page_size, DEFAULT_PAGE);
    const most = Math.min(MAX_RANKED, Math.max(page, asked.top_k || page));
    const { filter, ignored } = readLegacyFilters(asked.filters);
    const ranking = await rankWhole(index, call, { query, filter, most });
    const total = ranking.candidates.length;
    const offset = decodeOffset(cursor);
    const listed = ranking.candidates.slice(offset, offset + page);
    const rows = listed.map((found, i) => toSearchRow(found, offset + i + 1, hasDebug));
    const sessionId = sessionName(call, asked.session_id);
    const source = hasDebug ? metricsOf(call, ranking, ignored) : undefined;
    const idsOf = (some: readonly { section_id: string }[]) => some.map(({ section_id }) => section_id);
    noteListed(call, idsOf(rows));
    return listReply(
      { count: rows.length, maxChars: 0, isPage: rows.length < total },
      (fit) => {
        const { reason } = fit;
        const next = offset + fit.count;
        const hasMore = next < total;
        const results = keptOf(rows, fit);
        const payload = { results, cursor, next_cursor: hasMore ? encodeOffset(next) : null };
        return withEnvelope({ sessionId, payload, phase: 'seeds', hasMore, reason, source });
      },
      ({ results }) => noteShown(call, idsOf(results)),
    );
  },
});
