import type { Call, RetrievalTrace, Stage, Trace } from './call.js';
import type { SearchAnswer, SectionFilter } from './ports/section-index.port.js';
import type { Ranking } from './ranking.js';

/** The trace of a retrieval before its first stage. */
export const NOTHING_RANKED: RetrievalTrace = {
  filter: null,
  answers: [],
  rankings: [],
  rankedAtMs: null,
  listed: [],
  shown: [],
  answerable: null,
};

function note(trace: Trace, more: Partial<RetrievalTrace>): void {
  trace.retrieval = { ...(trace.retrieval ?? NOTHING_RANKED), ...more };
}

function addTime(trace: Trace, stage: Stage, ms: number): void {
  trace.stages[stage] = (trace.stages[stage] ?? 0) + ms;
}

/** Runs a stage and adds its time to the trace. */
export function timed<T>(call: Call, stage: Stage, run: () => T): T {
  const startedAt = call.elapsed();
  const result = run();
  addTime(call.trace, stage, call.elapsed() - startedAt);
  return result;
}

/** Runs an asynchronous stage and adds its time to the trace. */
export async function timedAsync<T>(call: Call, stage: Stage, run: () => Promise<T>): Promise<T> {
  const startedAt = call.elapsed();
  try {
    return await run();
  } finally {
    addTime(call.trace, stage, call.elapsed() - startedAt);
  }
}

/** Records an answer of the index. Answers after the ranking, such as those for hints, are not recorded. */
export function noteAnswer({ trace }: Call, answer: SearchAnswer): void {
  if (trace.retrieval && trace.retrieval.rankings.length > 0) return;
  note(trace, { answers: [...(trace.retrieval?.answers ?? []), answer] });
  addTime(trace, 'bm25', answer.timings.lexical);
  addTime(trace, 'vector_search', answer.timings.vector);
  addTime(trace, 'fusion', answer.timings.fusion);
  if (answer.rerankMs !== undefined) addTime(trace, 'rerank', answer.rerankMs);
}

/** Drops the recorded answers and artifacts, because the index has changed and the search starts again. */
export function noteFreshStart({ trace }: Call): void {
  trace.artifacts.clear();
  if (trace.retrieval) note(trace, { answers: [] });
}

/** Records the ranked lists, one per part of the question, and their filter. */
export function noteRankings(
  { trace, elapsed }: Call,
  rankings: readonly Ranking[],
  filter: SectionFilter,
): void {
  note(trace, { rankings, filter, rankedAtMs: elapsed() });
}

/** Records the ids of the sections selected for the reply, best first. */
export function noteListed({ trace }: Call, listed: readonly string[]): void {
  note(trace, { listed });
}

/** Records the ids of the sections in the result. */
export function noteShown({ trace }: Call, shown: readonly string[]): void {
  note(trace, { shown: [...new Set(shown)] });
}

/** Records the confidence that the question can be answered. */
export function noteAnswerable({ trace }: Call, verdict: string, confidence: number): void {
  note(trace, { answerable: { verdict, confidence } });
}
