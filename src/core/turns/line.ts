/** Runs work when all work before it has ended. */
type Line = <T>(work: () => Promise<T>) => Promise<T>;

/** A line in which one waits for the other. */
export function newLine(): Line {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
