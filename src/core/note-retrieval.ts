import type { Call, RetrievalTrace, Stage, Trace } from './call.js';
import type { Ranking } from './ranking.js';
import type { SearchAnswer, SectionFilter } from './ports/section-index.port.js';

/** Before anything was ranked. */
export const NOTHING_RANKED: RetrievalTrace = {
  filter: null,
  answers: [],
  rankings: [],
  rankedAtMs: null,
  listed: [],
  shown: [],
  answerable: null,
};

/** Adds to what a call has written down of its retrieval. */
function note(trace: Trace, more: Partial<RetrievalTrace>): void {
  trace.retrieval = { ...(trace.retrieval ?? NOTHING_RANKED), ...more };
}

function addTime(trace: Trace, stage: Stage, ms: number): void {
  trace.stages[stage] = (trace.stages[stage] ?? 0) + ms;
}

/** Runs a stage and adds the time that it took. */
export function timed<T>(call: Call, stage: Stage, run: () => T): T {
  const startedAt = call.elapsed();
  const result = run();
  addTime(call.trace, stage, call.elapsed() - startedAt);
  return result;
}

/** The same for a stage that waits. */
export async function timedAsync<T>(call: Call, stage: Stage, run: () => Promise<T>): Promise<T> {
  const startedAt = call.elapsed();
  try {
    return await run();
  } finally {
    addTime(call.trace, stage, call.elapsed() - startedAt);
  }
}

/** What the index answered. Once the ranked lists are made, what else it is asked, such as for hints, is no part of them. */
export function noteAnswer({ trace }: Call, answer: SearchAnswer): void {
  if (trace.retrieval && trace.retrieval.rankings.length > 0) return;
  note(trace, { answers: [...(trace.retrieval?.answers ?? []), answer] });
  addTime(trace, 'bm25', answer.timings.lexical);
  addTime(trace, 'vector_search', answer.timings.vector);
  addTime(trace, 'fusion', answer.timings.fusion);
  if (answer.rerankMs !== undefined) addTime(trace, 'rerank', answer.rerankMs);
}

/** Forgets the answers: the index has changed between them, and all is asked again. */
export function noteFreshStart({ trace }: Call): void {
  if (trace.retrieval) note(trace, { answers: [] });
}

/** The ranked list of every part of the question, and what it was filtered by. */
export function noteRankings(
  { trace, elapsed }: Call,
  rankings: readonly Ranking[],
  filter: SectionFilter,
): void {
  note(trace, { rankings, filter, rankedAtMs: elapsed() });
}

/** The sections that the reply is made of, best first. */
export function noteListed({ trace }: Call, listed: readonly string[]): void {
  note(trace, { listed });
}

/** The sections that the result shows. */
export function noteShown({ trace }: Call, shown: readonly string[]): void {
  note(trace, { shown: [...new Set(shown)] });
}

/** How sure an answer is. */
export function noteAnswerable({ trace }: Call, verdict: string, confidence: number): void {
  note(trace, { answerable: { verdict, confidence } });
}
