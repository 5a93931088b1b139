import { tell } from '../core/stderr.js';

/** Exit code that shells report for a program that Ctrl+C ended. */
const INTERRUPTED = 130;

/**
 * Ends the process on Ctrl+C and says that nothing is lost. If another listener exists, as with `--watch`, that one decides.
 * @param stop  resets the terminal first
 * @returns removes the listener
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
