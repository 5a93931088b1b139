import { createHash } from 'node:crypto';
import type { Attributes } from '@opentelemetry/api';
import { type DiagnosticRecord, isGraphUsed } from '../diagnostics/record/diagnostic-record.js';

/** Maximum number of candidates on a span; the record has all of them. */
const MAX_CANDIDATES = 3;

/** Names of arguments that limit the length of a list. */
const TOP_K = ['top_k', 'limit', 'max_quotes'];

function topK(input: Readonly<Record<string, unknown>> | null): Attributes {
  const value = TOP_K.map((name) => input?.[name]).find((given) => typeof given === 'number');
  return typeof value === 'number' ? { 'retrieval.top_k': value } : {};
}

/**
 * Span attributes of a retrieval: amounts, times and fixed words; neither queries nor results.
 * @param input  the call's arguments as its schema reads them
 */
export function retrievalAttributes(
  record: DiagnosticRecord,
  input: Readonly<Record<string, unknown>> | null,
): Attributes {
  const { timing_ms: ms, counts, budgets, config } = record;
  return {
    'retrieval.diagnostic_id': record.diagnostic_id,
    'retrieval.transport': record.transport,
    'retrieval.mode': isGraphUsed(config) ? 'hybrid_local' : 'vector_only',
    ...topK(input),
    'retrieval.returned_count': counts.returned,
    'retrieval.dedupe_dropped': counts.dropped.dedupe,
    'retrieval.partial': budgets.partial,
    'retrieval.limit_reason': budgets.limit_reason,
    'retrieval.degraded': [...record.degraded],
    'retrieval.bm25_ms': ms.bm25,
    'retrieval.vector_ms': ms.vector_search,
    'retrieval.fusion_ms': ms.fusion,
    'retrieval.rerank_ms': ms.rerank,
    'retrieval.expansion_ms': ms.graph_expansion,
    'retrieval.total_ms': ms.total,
  };
}

/** A section's id holds its path and heading, so telemetry names it by the first 12 hex digits of its SHA-256. */
export function shortHash(chunkId: string): string {
  return createHash('sha256').update(chunkId).digest('hex').slice(0, 12);
}

/** Attributes of the `retrieval.candidate` events: the best that were returned, three at most. */
export function candidateEvents({ results }: DiagnosticRecord): Attributes[] {
  return results.slice(0, MAX_CANDIDATES).map(({ rank, chunk_id: id, source, scores }) => ({
    rank,
    chunk_id: shortHash(id),
    source,
    final_score: scores.fused,
    ...(scores.rerank === null ? {} : { rerank_score: scores.rerank }),
  }));
}
