import { format } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { escapedLine } from '../text/plain-line.js';

/** Longer lines are truncated. A stack trace fits. */
const MAX_LINE = 4_000;

let isSilent = false;

/** Writes lines to stderr. Lines are escaped and truncated, since they may contain text of callers and documents. */
export function tell(...lines: readonly string[]): void {
  process.stderr.write(lines.map((line) => `${escapedLine(line, MAX_LINE)}\n`).join(''));
}

/** Writes a line from a library, which may contain input of a caller, unless such lines are silenced. */
export function tellForeign(line: string): void {
  if (!isSilent) tell(line);
}

/** Silences `tellForeign`, for `MCP_NO_LOG`. */
export function silenceForeign(): void {
  isSilent = true;
}

/** Redirects the output of a thread, which would go to our stdout. Start the thread with `stdout` and `stderr` set. */
export function takeOutput({ stdout, stderr }: Worker): void {
  for (const stream of [stdout, stderr])
    stream.on('data', (bytes: Buffer) => tellForeign(String(bytes).trimEnd()));
}

/** Ends the process as Node does, but hides the message if it may contain input of a caller. */
function endUncaught(error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const kind = error instanceof Error ? error.constructor.name : typeof error;
  tell(`pith: stopped by an unexpected error ${isSilent ? `(${kind})` : stack}`);
  process.exit(1);
}

/** Redirects console output, warnings and uncaught errors to stderr through this file; stdout is only for responses. */
export function takeStderr(): void {
  const print = (...parts: readonly unknown[]): void => tellForeign(format(...parts));
  const { console } = globalThis;
  for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace', 'dir'] as const)
    console[name] = print;
  // Node's own listener is missing if warnings are switched off.
  if (process.listenerCount('warning') > 0) {
    process.removeAllListeners('warning');
    process.on('warning', ({ name, message }) => tellForeign(`${name}: ${message}`));
  }
  process.on('uncaughtException', endUncaught);
}
