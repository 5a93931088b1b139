/** Resolves, once, when the process is told to end: by a signal or, where it serves one, when stdin closes. */
export function toldToEnd(stdin?: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve();
    process.once('SIGTERM', end).once('SIGINT', end);
    stdin?.once('end', end).once('close', end);
  });
}

/** Waits for the signal to end, closes what runs, and ends the process, at the latest after `limitMs`. */
export async function endWhenTold(close: () => Promise<void>, limitMs: number): Promise<void> {
  await toldToEnd();
  setTimeout(() => process.exit(0), limitMs).unref();
  await close();
  process.exit(0);
}
