import type { Call, Trace } from '../../core/call.js';
import { noteAnswer } from '../../core/note-retrieval.js';
import type { SearchAnswer, SectionFilter, SectionIndex } from '../../core/ports/section-index.port.js';
import type { QueryPart, Ranking, SearchMode } from '../../core/ranking.js';
import { scopeAllows } from '../../core/scope.js';
import type { DocumentLimit } from './limit-per-document.js';

/** How many sections a ranked list may hold, in all and of one document. */
export interface RankLimits extends DocumentLimit {
  readonly sections: number;
}

/**
 * Makes the limits of a list.
 * @param asked  sections of one document; null takes the default, which rises to fill the list
 */
export function limitsOf(sections: number, asked: number | null, byDefault: number): RankLimits {
  if (asked !== null) return { sections, perDocument: asked };
  return { sections, perDocument: byDefault, fillTo: sections };
}

export interface RankOptions {
  readonly filter: SectionFilter;
  readonly limits: RankLimits;
  readonly mode: SearchMode;
}

function count(record: Record<string, number>, key: string, by: number): void {
  if (by > 0) record[key] = (record[key] ?? 0) + by;
}

/** Ranks the sections for one part of a question, and checks every row against the scope once more. */
export async function rankSections(
  call: Call,
  index: SectionIndex,
  part: QueryPart,
  options: RankOptions,
): Promise<Ranking> {
  const { filter, limits, mode } = options;
  call.signal.throwIfAborted();
  const startedAt = call.now();
  const { sections: limit, perDocument, fillTo } = limits;
  const query = {
    text: part.text,
    asked: part.asked,
    rankedBy: 'both' as const,
    scope: call.scope,
    filter,
    limit,
    perDocument,
    ...(fillTo === undefined ? {} : { fillTo }),
    ...(call.trace.isDebug ? { explain: true } : {}),
  };
  const answer = await index.search(query);
  const { trace } = call;
  noteAnswer(call, answer);
  count(trace.timings, 'search_ms', call.now() - startedAt);
  const candidates = answer.candidates.filter(({ document }) => scopeAllows(call.scope, document));
  count(trace.drops, 'scope_mismatch', answer.candidates.length - candidates.length);
  count(trace.drops, 'same_document', answer.dropped.sameDocument);
  count(trace.drops, 'near_duplicate', answer.dropped.nearDuplicate);
  count(trace.counts, 'matched', answer.matched);
  noteDegraded(trace, mode, answer);
  return { ...answer, part, candidates };
}

/** Says once what was asked for by name and can't answer. */
export function noteMissing(degraded: string[], leg: string): void {
  if (!degraded.includes(leg)) degraded.push(leg);
}

/** Vectors that were asked for by name and are not there are said, never passed over. */
function noteDegraded(
  { degraded }: Trace,
  mode: SearchMode,
  { candidates, degraded: missing = [] }: SearchAnswer,
): void {
  for (const leg of missing) noteMissing(degraded, leg);
  const hasVectors = candidates.length === 0 || candidates.some(({ vector }) => vector !== null);
  if (mode === 'vector_only' && !hasVectors) noteMissing(degraded, 'vector');
}
