import { keptOf, listReply } from '../../core/reply.js';
import type { Fit, LimitReason, Reply } from '../../core/reply.js';
import { capOffset, MAX_SNIPPET_CHARS } from '../rows/cap-text.js';
import type { MemoryTable, ScoredRow } from '../../core/ports/memory-store.port.js';
import { provenanceOf } from '../rows/provenance.js';
import type { Provenance } from '../rows/provenance.js';

/** Why there is nothing to return. */
export const EMPTY_REASONS = ['floor_excluded_all', 'no_candidates'] as const;

export interface Snippet extends Provenance {
  readonly id: string;
  readonly table: MemoryTable;
  /** ISO-8601, UTC. */
  readonly created_at: string;
  /** The beginning of what was noted, verbatim. */
  readonly text: string;
  readonly score: number;
  /** Of the whole text. */
  readonly content_hash: string;
  /** Where `text` lies in the whole text, in UTF-16 units. */
  readonly span_start?: number | undefined;
  readonly span_end?: number | undefined;
}

/** What a retrieval was made with and what it came to; no content. */
export interface Diagnostics {
  readonly provider: string;
  readonly model: string;
  readonly dim: number;
  readonly k_req: number;
  readonly k_ret: number;
  /** Rows that the filters let through, before the floor and before the cap on candidates. */
  readonly kg_candidates: number;
  readonly thought_candidates: number;
  readonly floor_used: number;
  readonly latency_ms: number;
  readonly no_results?: true | undefined;
  readonly reason?: (typeof EMPTY_REASONS)[number] | undefined;
  /** Rows that could not be compared, being embedded with another model or dimension. */
  readonly incomparable?: number | undefined;
}

export interface MemoryOutput {
  readonly snippets: readonly Snippet[];
  readonly diagnostics: Diagnostics;
  /** Only where the size of the response left something out. */
  readonly partial?: true | undefined;
  readonly limit_reason?: LimitReason | undefined;
}

/** A picked row and the name of its content. */
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

/** A result that loses its lowest-ranked snippets first where it is too large. */
export function memoryReply(
  rows: readonly HashedRow[],
  diagnostics: Omit<Diagnostics, 'k_ret'>,
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
  { provider, model, dim, k_req, ...rest }: Omit<Diagnostics, 'k_ret'>,
  k_ret: number,
): Diagnostics {
  return { provider, model, dim, k_req, k_ret, ...rest };
}
