import { z } from 'zod';
import { isShallow } from './redact.js';

/** Version of the record format. Under one version fields are only added. */
export const DIAGNOSTIC_SCHEMA_VERSION = 1;

const milliseconds = z.number().min(0);
const total = z.int().min(0);
const text = z.string();

/** The outcome of a ranked section. */
export const FATES = [
  'returned',
  /** Over `max_per_doc`: the list already has better sections of the document. */
  'same_document',
  /** Repeats a better-ranked section, or is another version of it. */
  'near_duplicate',
  'below_list',
  'other_page',
  /** In the list, but none of its sentences was selected. */
  'no_quote',
  /** Omitted to stay within the response budget. */
  'budget',
  /** The index returned it although it is outside the scope of the call. */
  'scope_mismatch',
] as const;
export type Fate = (typeof FATES)[number];

const scoresSchema = z.object({
  bm25: z.number(),
  /** Cosine; null if vectors did not rank. */
  vector: z.number().nullable(),
  /** The score that determines the order. */
  fused: z.number(),
  /** Score of the cross-encoder, 0 to 1; null if it did not read the section. */
  rerank: z.number().nullable(),
  /** The graph's share of `fused`; 0 if none. */
  graph: z.number(),
});

const candidateSchema = z.object({
  /** Place in the ranked list, from 1. */
  rank: z.int().min(1),
  chunk_id: text,
  doc_tag: text.nullable(),
  token_count: total,
  source: text,
  scores: scoresSchema,
  explain: z.object({
    /** The share of each signal; the shares add up to `fused`. The field name comes from the plan. */
    rrf_field_contributions: z.record(text, z.number()),
    entity_boost_applied: z.boolean(),
    entity_metadata: z.record(text, z.unknown()),
    /** Hops from the section that raised this one's score through the graph; 0 if no section did. */
    graph_distance: total,
    /** Section ids on the path from that section to this one; [] if no section raised the score. */
    graph_path: z.array(text),
  }),
});
const fated = z.object({
  fate: z.enum(FATES),
  /** Id of the section that replaces it in the list; null if it was not replaced. */
  instead: text.nullable(),
});
const leftOutSchema = candidateSchema.extend(fated.shape);

/** A match before any were dropped, ranked by the fused score alone. */
const hitSchema = candidateSchema
  .pick({ rank: true, chunk_id: true, doc_tag: true, scores: true })
  .extend(fated.shape);

/** One retrieval: a line of a day's `retrieval_diagnostics.jsonl`. Times in ms, sizes in bytes. */
export const diagnosticRecordSchema = z.object({
  schema_version: z.literal(DIAGNOSTIC_SCHEMA_VERSION),
  diagnostic_id: z.uuid(),
  /** ISO-8601, UTC: when the call began. */
  timestamp: z.iso.datetime(),
  transport: z.enum(['stdio', 'http']),
  tool: text,
  session_id: text,
  principal: text,
  correlation_id: text.nullable(),
  otel: z.object({ trace_id: text.nullable(), span_id: text.nullable() }),
  /** Generation of the index that answered; null if none did. */
  generation: text.nullable(),
  scope: z.object({
    project_id: text,
    environment: text,
    /** Comma-separated; null for all. */
    doc_tag: text.nullable(),
    repositories: z.array(text).nullable(),
    /** Groups of the caller; null for all, absent if no caller has groups. */
    groups: z.array(text).nullable().optional(),
    snapshot_scope: text.nullable(),
    /** Name and version of the model whose vectors ranked; null if none did. */
    embedding_version: text.nullable(),
  }),
  query: z.object({
    /** SHA-256 of the query as sent, hex; null if there was none. */
    query_hash: text.nullable(),
    /** In UTF-16 units. */
    query_length: total,
    /** Null unless storing of query texts is on. The same holds for the texts below. */
    raw: text.nullable(),
    normalized: text.nullable(),
    rewritten: z.object({ applied: z.boolean(), result: text.nullable(), reason: text.nullable() }),
  }),
  /** The tool's arguments; texts are `[redacted]` unless storing of query texts is on. */
  request: z.record(text, z.unknown()).nullable(),
  config: z.object({
    /** Search mode, with or without the graph; missing in records of older versions. */
    mode: z.enum(['vector_only', 'hybrid_local']).optional(),
    /** True if the server runs without a graph. */
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
    dedupe: z.object({ same_document: total, near_duplicate: total, found_twice: total }),
    not_returned: z.object({ below_list: total, other_page: total, no_quote: total, budget: total }),
  }),
  /** Returned sections, in the order of the result. */
  results: z.array(candidateSchema),
  /** Ranked sections that were not returned, in rank order. */
  left_out: z.array(leftOutSchema),
  /** The best matches before any were dropped; only with `diagnostic_debug`. */
  pre_dedupe: z.array(hitSchema).optional(),
  /** Confidence in the answer; null for tools without one. */
  answerable: z.object({ verdict: text, confidence: z.number() }).nullable(),
  degraded: z.array(text),
  budgets: z.object({
    response_bytes: total,
    tokens_estimate: total,
    partial: z.boolean(),
    limit_reason: text,
    max_bytes: total,
    max_tokens: total,
  }),
  error: z.object({ code: text, reason: text, message: text.nullable() }).nullable(),
});

export type DiagnosticRecord = z.output<typeof diagnosticRecordSchema>;
export type DiagnosticCandidate = z.output<typeof candidateSchema>;
export type LeftOutCandidate = z.output<typeof leftOutSchema>;
export type DiagnosticHit = z.output<typeof hitSchema>;

/** True if the graph took part. Older records state only if the server had a graph. */
export function isGraphUsed({ mode, neo4j_disabled }: DiagnosticRecord['config']): boolean {
  return mode === undefined ? !neo4j_disabled : mode === 'hybrid_local';
}

/** The day a record belongs to: `YYYY-MM-DD`, UTC. */
export function dayOf({ timestamp }: Pick<DiagnosticRecord, 'timestamp'>): string {
  return timestamp.slice(0, 10);
}

/** Parses a line; null if it is torn or has another format. */
export function readRecord(line: Buffer): DiagnosticRecord | null {
  try {
    const record = diagnosticRecordSchema.safeParse(JSON.parse(line.toString('utf8'))).data;
    return record && isShallow(record.request) ? record : null;
  } catch {
    // Not JSON: the line is torn or another program wrote it.
    return null;
  }
}
