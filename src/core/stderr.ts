import { format } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { escapedLine } from '../text/plain-line.js';

/** A line longer than this is cut; a stack trace fits. */
const MAX_LINE = 4_000;

let isSilent = false;

/** Writes lines to stderr. Each is escaped and bounded, since it may contain text of callers and documents. */
export function tell(...lines: readonly string[]): void {
  process.stderr.write(lines.map((line) => `${escapedLine(line, MAX_LINE)}\n`).join(''));
}

/** Writes one line that a library, and so perhaps a caller, has worded; nothing where such lines are silenced. */
export function tellForeign(line: string): void {
  if (!isSilent) tell(line);
}

/** Silences `tellForeign` from now on, for `MCP_NO_LOG`. */
export function silenceForeign(): void {
  isSilent = true;
}

/** Takes what a thread prints, which would go to our stdout; start the thread with its streams kept apart. */
export function takeOutput({ stdout, stderr }: Worker): void {
  for (const stream of [stdout, stderr])
    stream.on('data', (bytes: Buffer) => tellForeign(String(bytes).trimEnd()));
}

/** Ends the process as Node would, but without printing what a caller may have worded. */
function endUncaught(error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const kind = error instanceof Error ? error.constructor.name : typeof error;
  tell(`pith: stopped by an unexpected error ${isSilent ? `(${kind})` : stack}`);
  process.exit(1);
}

/** Makes everything that reaches stderr or is printed by libraries go through here; stdout is for answers alone. */
export function takeStderr(): void {
  const print = (...parts: readonly unknown[]): void => tellForeign(format(...parts));
  const { console } = globalThis;
  Object.assign(console, {
    log: print,
    info: print,
    debug: print,
    warn: print,
    error: print,
    trace: print,
    dir: print,
  });
  // Node has no listener of its own where its warnings are switched off.
  if (process.listenerCount('warning') > 0) {
    process.removeAllListeners('warning');
    process.on('warning', ({ name, message }) => tellForeign(`${name}: ${message}`));
  }
  process.on('uncaughtException', endUncaught);
}
