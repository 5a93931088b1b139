import { tell } from '../../core/stderr.js';

/** Exit code that shells report for a program that Ctrl+C ended. */
const INTERRUPTED = 130;

/** Resolves when the process receives a signal to end or when this stream, stdin of an STDIO server, closes. */
export function toldToEnd(stdin?: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve();
    process.once('SIGTERM', end).once('SIGINT', end);
    stdin?.once('end', end).once('close', end);
  });
}

/** Waits for a start. Closes what it has opened if it fails. @throws the error of the start */
export async function orClose<T>(start: Promise<T>, close: () => Promise<unknown>): Promise<T> {
  try {
    return await start;
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** Waits for a termination signal, then runs `close` and ends the process, after `limitMs` at the latest. */
export async function endWhenTold(close: () => Promise<void>, limitMs: number): Promise<void> {
  await toldToEnd();
  setTimeout(() => process.exit(0), limitMs).unref();
  await close();
  process.exit(0);
}

/** Calls a function at each SIGHUP. In a terminal, the signal says that the terminal closes, and ends the process as usual. */
export function onHangUp(reload: () => Promise<void>): void {
  if (!process.stdin.isTTY) process.on('SIGHUP', () => void reload());
}

/** Ends the process when the parent that forked it has ended, because then nobody keeps the files that it reads. */
export function endWithParent(): void {
  const end = (): void => process.exit(INTERRUPTED);
  process.once('disconnect', end);
  if (process.send && !process.connected) end();
  // The listener alone must not keep the process running.
  process.channel?.unref();
}

/**
 * Ends the process on Ctrl+C with a message that nothing is lost, unless there is another listener, as with `--watch`.
 * @param stop  resets the terminal first @returns removes the listener
 */
export function onInterrupt(stop: () => void): () => void {
  if (process.listenerCount('SIGINT') > 0) return () => undefined;
  const end = (): void => {
    stop();
    tell('Stopped. The index is unchanged; the next run continues from here.');
    process.exit(INTERRUPTED);
  };
  process.once('SIGINT', end);
  return () => void process.off('SIGINT', end);
}
