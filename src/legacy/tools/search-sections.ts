import { z } from 'zod';
import type { Call } from '../../core/call.js';
import { noteRetrieval } from '../../core/note-retrieval.js';
import { type Candidate, NO_FILTER, type SectionFilter } from '../../core/ports/section-index.port.js';
import { type Ranking, sourceOf } from '../../core/ranking.js';
import { decodePath } from '../../core/section-id.js';
import { sectionIdsOf } from '../../kb/kb.schemas.js';
import { DOCUMENT_TEXT } from '../../mcp/tool-class.js';
import { estimateTokens } from '../../text/estimate-tokens.js';
import { shownTitle } from '../../text/untrusted-text.js';
import {
  anyInt,
  cursorShape,
  envelopeShape,
  legacyCursorSchema,
  legacyIdSchema,
  sessionIdSchema,
} from '../legacy.schemas.js';
import { decodeOffset, pageLength, pageReply, sessionName } from '../legacy-envelope.js';
import { legacyTool } from '../legacy-tool.js';

const DEFAULT_PAGE = 25;
/** Maximum sections that the index ranks. */
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
function readLegacyFilters(filters: z.output<typeof legacyFiltersSchema>): {
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

const slimShape = {
  section_id: z.string(),
  title: z.string(),
  tokens: z.int(),
  doc_tag: z.string(),
  score: z.number(),
  rank: z.int(),
  source: z.string(),
};

const number = z.number().nullable();
const debugShape = {
  fusion_method: z.string(),
  fused_score: number,
  title_vec_score: number,
  entity_vec_score: number,
  doc_title_sparse_score: number,
  lexical_vec_score: number,
  rerank_score: number,
  graph_score: z.number(),
  graph_distance: z.int(),
  connection_count: z.int(),
  mention_count: z.int(),
  entity_boost_applied: z.boolean(),
  entity_metadata: z.null(),
  rrf_field_contributions: z.null(),
};

const slim = z.strictObject(slimShape);
const debug = z.strictObject(debugShape);

/** A row has 21 keys, or the first seven of them. */
const searchRowSchema = z.strictObject({ ...slim.shape, ...debug.partial().shape });
type SearchRow = z.output<typeof slim> & Partial<z.output<typeof debug>>;

/** The signals that the older retriever reported, as far as this one has an equivalent. */
function signalsOf({ score, lexical, rerank }: Candidate): z.output<typeof debug> {
  return {
    fusion_method: 'weighted_sum',
    fused_score: score,
    title_vec_score: null,
    entity_vec_score: null,
    doc_title_sparse_score: null,
    lexical_vec_score: lexical,
    rerank_score: rerank ?? null,
    graph_score: 0,
    graph_distance: 0,
    connection_count: 0,
    mention_count: 0,
    entity_boost_applied: false,
    entity_metadata: null,
    rrf_field_contributions: null,
  };
}

/** @param rank  from 1, over all pages */
function toSearchRow(candidate: Candidate, rank: number, hasDebug: boolean): SearchRow {
  const { section, document, score } = candidate;
  return {
    section_id: section.id,
    title: shownTitle(section.title),
    tokens: estimateTokens(section.text),
    doc_tag: document.docTag,
    score,
    rank,
    source: sourceOf(candidate),
    ...(hasDebug ? signalsOf(candidate) : {}),
  };
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
  mounts: ['documents'],
  standsFor: DOCUMENT_TEXT,
  counted: [({ results }) => results.length, 'sections'],

  answer: async (from, call, asked) => {
    const { query, cursor, include_debug: hasDebug } = asked;
    const page = pageLength(asked.page_size, DEFAULT_PAGE);
    const most = Math.min(MAX_RANKED, Math.max(page, asked.top_k || page));
    const { filter, ignored } = readLegacyFilters(asked.filters);
    const ranking = await from.rankWhole(call, query, { filter, most });
    const offset = decodeOffset(cursor);
    const listed = ranking.candidates.slice(offset, offset + page);
    const rows = listed.map((found, i) => toSearchRow(found, offset + i + 1, hasDebug));
    const sessionId = sessionName(call, asked.session_id);
    const source = hasDebug ? metricsOf(call, ranking, ignored) : undefined;
    noteRetrieval(call, { listed: sectionIdsOf(rows) });
    return pageReply(
      { sessionId, phase: 'seeds', rows, total: ranking.candidates.length, cursor, source },
      (results) => ({ results }),
      ({ results }) => noteRetrieval(call, { shown: sectionIdsOf(results) }),
    );
  },
});
