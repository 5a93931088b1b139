/** Runs work when all work before it has ended. */
type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue in which one waits for the other. */
export function newQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
