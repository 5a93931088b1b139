import type { Call, RetrievalTrace, Stage, Trace } from './call.js';
import type { SearchAnswer } from './ports/section-index.port.js';

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

/** Adds steps of a retrieval to the trace of its call. */
export function noteRetrieval({ trace }: Pick<Call, 'trace'>, steps: Partial<RetrievalTrace>): void {
  trace.retrieval = { ...(trace.retrieval ?? NOTHING_RANKED), ...steps };
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
export function noteAnswer(call: Call, answer: SearchAnswer): void {
  const { trace } = call;
  if (trace.retrieval && trace.retrieval.rankings.length > 0) return;
  noteRetrieval(call, { answers: [...(trace.retrieval?.answers ?? []), answer] });
  addTime(trace, 'bm25', answer.timings.lexical);
  addTime(trace, 'vector_search', answer.timings.vector);
  addTime(trace, 'fusion', answer.timings.fusion);
  if (answer.rerankMs !== undefined) addTime(trace, 'rerank', answer.rerankMs);
}

/** Drops the recorded answers and artifacts, because the index has changed and the search starts again. */
export function noteFreshStart(call: Call): void {
  call.trace.artifacts.clear();
  if (call.trace.retrieval) noteRetrieval(call, { answers: [] });
}
