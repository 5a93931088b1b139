export type Soon<T> = T | Promise<T>;

/** Work that pauses at each question to an engine and continues with the answer. */
export type Flow<T> = Generator<() => unknown, T, unknown>;

/** Pauses a flow at a question. */
export function* ask<T>(question: () => Soon<T>): Flow<T> {
  // `answerNow` and `answerLater` continue with the value that this question returned.
  return (yield question) as T;
}

/** Runs a flow on an engine that answers synchronously. */
export function answerNow<T>(flow: Flow<T>): T {
  let step = flow.next();
  while (!step.done) step = flow.next(step.value());
  return step.value;
}

/** Runs a flow on an engine that answers asynchronously. */
export async function answerLater<T>(flow: Flow<T>): Promise<T> {
  let step = flow.next();
  while (!step.done) step = flow.next(await step.value());
  return step.value;
}
