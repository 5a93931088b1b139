/** Resolves, once, when the process is told to end: by a signal or, where it serves one, when stdin closes. */
export function toldToEnd(stdin?: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve();
    process.once('SIGTERM', end).once('SIGINT', end);
    stdin?.once('end', end).once('close', end);
  });
}
