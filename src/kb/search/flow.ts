/** An answer that is there at once, or one to wait for. */
export type Soon<T> = T | Promise<T>;

/** Work that stops at each question to an engine and goes on with the answer. */
export type Flow<T> = Generator<() => unknown, T, unknown>;

/** Stops a flow at a question. */
export function* ask<T>(question: () => Soon<T>): Flow<T> {
  // `answerNow` and `answerLater` go on with what this very question returned.
  return (yield question) as T;
}

/** Runs a flow whose engine answers at once. */
export function answerNow<T>(flow: Flow<T>): T {
  let step = flow.next();
  while (!step.done) step = flow.next(step.value());
  return step.value;
}

/** Runs a flow whose engine has to be waited for. */
export async function answerLater<T>(flow: Flow<T>): Promise<T> {
  let step = flow.next();
  while (!step.done) step = flow.next(await step.value());
  return step.value;
}
