import type { ScoredRow } from '../../core/ports/memory-store.port.js';
import { type Fit, keptOf, listReply, type Reply } from '../../core/reply.js';
import type { MemoryOutput, RetrievalFigures, Snippet } from '../memory.schemas.js';
import { capOffset, MAX_SNIPPET_CHARS } from '../rows/cap-text.js';
import { provenanceOf } from '../rows/provenance.js';

/** A selected row and the hash of its content. */
export interface HashedRow extends ScoredRow {
  readonly contentHash: string;
}

function toSnippet({ row, score, contentHash }: HashedRow, maxChars: number): Snippet {
  const end = capOffset(row.text, maxChars);
  return {
    id: row.id,
    table: row.table,
    ...provenanceOf(row),
    created_at: row.createdAt,
    text: row.text.slice(0, end),
    score,
    content_hash: contentHash,
    span_start: 0,
    span_end: end,
  };
}

/** A reply that drops its lowest-ranked snippets first if it is too large. */
export function memoryReply(
  rows: readonly HashedRow[],
  diagnostics: Omit<RetrievalFigures, 'k_ret'>,
  shown: (output: MemoryOutput) => void,
): Reply<MemoryOutput> {
  const build = (fit: Fit): MemoryOutput => {
    const snippets = keptOf(rows, fit).map((row) => toSnippet(row, fit.maxChars));
    return {
      snippets,
      diagnostics: inOrder(diagnostics, snippets.length),
      ...(fit.reason === null ? {} : { partial: true, limit_reason: fit.reason }),
    };
  };
  return { ...listReply({ count: rows.length, maxChars: MAX_SNIPPET_CHARS }, build), shown };
}

function inOrder(
  { provider, model, dim, k_req, ...rest }: Omit<RetrievalFigures, 'k_ret'>,
  k_ret: number,
): RetrievalFigures {
  return { provider, model, dim, k_req, k_ret, ...rest };
}
