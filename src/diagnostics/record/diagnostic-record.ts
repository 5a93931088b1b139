import { z } from 'zod';

/** The record's format; fields are added, not changed or removed, while this stays. */
export const DIAGNOSTIC_SCHEMA_VERSION = 1;

const milliseconds = z.number().min(0);
const total = z.int().min(0);
const text = z.string();

/** What became of a section that was ranked. */
export const FATES = [
  'returned',
  /** Over `max_per_doc`: better ones of its document stand before it. */
  'same_document',
  /** Says what a better-ranked section says, or is the same section in another version. */
  'near_duplicate',
  /** Ranked, but below the end of the list that was asked for. */
  'below_list',
  /** In the list, on another page. */
  'other_page',
  /** In the list, but none of its sentences was chosen. */
  'no_quote',
  /** Left out so that the result keeps its ceilings. */
  'budget',
  /** Came back from the index though the call may not see it. */
  'scope_mismatch',
] as const;
export type Fate = (typeof FATES)[number];

const scoresSchema = z.object({
  /** Okapi BM25. */
  bm25: z.number(),
  /** Cosine; null where vectors did not rank. */
  vector: z.number().nullable(),
  /** What the order goes by. */
  fused: z.number(),
  /** What a cross-encoder said of the section, 0 to 1; null where none read it. */
  rerank: z.number().nullable(),
  /** What the graph added to `fused`; 0 where it added nothing. */
  graph: z.number(),
});

const candidateSchema = z.object({
  /** Place in the ranked list, from 1. */
  rank: z.int().min(1),
  chunk_id: text,
  doc_tag: text.nullable(),
  /** Estimated tokens of the section. */
  token_count: total,
  source: text,
  scores: scoresSchema,
  explain: z.object({
    /** What each signal adds to `fused`; together they are `fused`. The name is the plan's: fusion here adds shares. */
    rrf_field_contributions: z.record(text, z.number()),
    entity_boost_applied: z.boolean(),
    entity_metadata: z.record(text, z.unknown()),
    /** Hops from the section that this one completes, which added to its score; 0 where none did. */
    graph_distance: total,
    /** Section ids from that one to this one; [] where none did. */
    graph_path: z.array(text),
  }),
});
const fated = z.object({
  fate: z.enum(FATES),
  /** The section in whose place it would have stood, where another one stands for it. */
  instead: text.nullable(),
});
const leftOutSchema = candidateSchema.extend(fated.shape);

/** A row that matched, before anything was dropped; ranked by the fused score alone. */
const hitSchema = candidateSchema
  .pick({ rank: true, chunk_id: true, doc_tag: true, scores: true })
  .extend(fated.shape);

/** One line of a day's `retrieval_diagnostics.jsonl`: what one retrieval did. Times are in ms, sizes in bytes. */
export const diagnosticRecordSchema = z.object({
  schema_version: z.literal(DIAGNOSTIC_SCHEMA_VERSION),
  /** The call's id. */
  diagnostic_id: z.uuid(),
  /** ISO-8601, UTC: when the call began. */
  timestamp: z.iso.datetime(),
  transport: z.enum(['stdio', 'http']),
  tool: text,
  session_id: text,
  principal: text,
  correlation_id: text.nullable(),
  otel: z.object({ trace_id: text.nullable(), span_id: text.nullable() }),
  /** The state of the index that answered; null where none did. */
  generation: text.nullable(),
  scope: z.object({
    project_id: text,
    environment: text,
    /** Comma-separated where there are several; null for all. */
    doc_tag: text.nullable(),
    repositories: z.array(text).nullable(),
    snapshot_scope: text.nullable(),
    /** Name and version of the model whose vectors ranked; null where none did. */
    embedding_version: text.nullable(),
  }),
  query: z.object({
    /** SHA-256 of the query as it was sent, hex; null where none was sent. */
    query_hash: text.nullable(),
    /** In UTF-16 units. */
    query_length: total,
    /** Null unless the storing of query texts was switched on; so are all texts below. */
    raw: text.nullable(),
    normalized: text.nullable(),
    rewritten: z.object({ applied: z.boolean(), result: text.nullable(), reason: text.nullable() }),
  }),
  /** The tool's arguments; texts in them read `[redacted]` unless the storing of query texts was switched on. */
  request: z.record(text, z.unknown()).nullable(),
  config: z.object({
    /** How this call was searched: with or without the graph; records of older versions don't say. */
    mode: z.enum(['vector_only', 'hybrid_local']).optional(),
    /** Whether the server runs without a graph. */
    neo4j_disabled: z.boolean(),
    hybrid_enabled: z.boolean(),
    reranker: z.object({ enabled: z.boolean(), provider: text.nullable(), model: text.nullable() }),
    colbert: z.object({ enabled: z.boolean(), scoring: text.nullable() }),
    fusion: z.object({ method: text, params: z.record(text, z.number()) }),
  }),
  timing_ms: z.object({
    bm25: milliseconds,
    vector_search: milliseconds,
    fusion: milliseconds,
    rerank: milliseconds,
    graph_expansion: milliseconds,
    context_assembly: milliseconds,
    total: milliseconds,
  }),
  /**
   * `candidates_initial` − `dropped.scope_mismatch` − `dropped.veto` = `candidates_post_filter`;
   * `candidates_post_filter` − `dropped.dedupe` = `candidates_post_dedupe`;
   * `candidates_post_dedupe` − the sum of `not_returned` = `returned`.
   */
  counts: z.object({
    candidates_initial: total,
    candidates_post_filter: total,
    candidates_post_dedupe: total,
    returned: total,
    dropped: z.object({ dedupe: total, veto: total, scope_mismatch: total }),
    /** What `dropped.dedupe` is made of. */
    dedupe: z.object({ same_document: total, near_duplicate: total, found_twice: total }),
    not_returned: z.object({ below_list: total, other_page: total, no_quote: total, budget: total }),
  }),
  /** What was returned, in its order. */
  results: z.array(candidateSchema),
  /** Sections of the ranked list that were not returned, in its order. */
  left_out: z.array(leftOutSchema),
  /** The best rows before anything was dropped; for `diagnostic_debug` only. */
  pre_dedupe: z.array(hitSchema).optional(),
  /** How sure an answer was; null for tools that don't say. */
  answerable: z.object({ verdict: text, confidence: z.number() }).nullable(),
  degraded: z.array(text),
  budgets: z.object({
    response_bytes: total,
    tokens_estimate: total,
    partial: z.boolean(),
    limit_reason: text,
    /** The tool's ceilings. */
    max_bytes: total,
    max_tokens: total,
  }),
  error: z.object({ code: text, reason: text, message: text.nullable() }).nullable(),
});

export type DiagnosticRecord = z.output<typeof diagnosticRecordSchema>;
export type DiagnosticCandidate = z.output<typeof candidateSchema>;
export type LeftOutCandidate = z.output<typeof leftOutSchema>;
export type DiagnosticHit = z.output<typeof hitSchema>;

/** Whether the graph took part; records of older versions only say whether there was one. */
export function isGraphUsed({ mode, neo4j_disabled }: DiagnosticRecord['config']): boolean {
  return mode === undefined ? !neo4j_disabled : mode === 'hybrid_local';
}

/** The day a record belongs to: `YYYY-MM-DD`, UTC. */
export function dayOf({ timestamp }: Pick<DiagnosticRecord, 'timestamp'>): string {
  return timestamp.slice(0, 10);
}
