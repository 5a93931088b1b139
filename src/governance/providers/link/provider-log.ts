import type { Stream } from 'node:stream';
import { clipText } from '../../../text/clip-text.js';
import { seenLine } from '../../../text/show-unseen.js';

/** Longer lines are clipped before they are logged (characters). */
const MAX_LINE = 400;
/** Lines are read up to this length (characters). It is far above `MAX_LINE`: secrets are hidden before lines are clipped. */
const MAX_READ = 16_384;
/** Lines of one provider that are logged in a period; others are counted. */
const MAX_LINES = 50;
const PERIOD_MS = 10_000;

/** Calls a function for each line of a stream, clipped. */
export function forEachLine(stream: Stream, onLine: (line: string) => void): void {
  let rest = '';
  stream.on('end', () => {
    if (rest.trim() !== '') onLine(rest);
  });
  stream.on('data', (bytes: Buffer) => {
    const lines = `${rest}${bytes.toString()}`.split('\n');
    // A line without an end is not kept whole.
    rest = (lines.pop() ?? '').slice(0, MAX_READ);
    for (const line of lines) if (line.trim() !== '') onLine(line.slice(0, MAX_READ));
  });
}

/** The last lines of a program that the warning about its failure quotes. */
const MAX_LAST = 10;

/** Keeps the last lines of a program, for the warning about its failure. */
export class LastLines {
  private readonly lines: string[] = [];

  add(line: string): void {
    this.lines.push(clipText(line, MAX_LINE));
    if (this.lines.length > MAX_LAST) this.lines.shift();
  }

  /** Adds the lines to a sentence. */
  after(sentence: string): string {
    if (this.lines.length === 0) return sentence;
    return `${sentence}. Its last output: ${this.lines.map(seenLine).join(' | ')}`;
  }
}

/** Logs at most `MAX_LINES` lines in each period and says how many were left out. */
export function boundedLog(write: (line: string) => void, now: () => number): (line: string) => void {
  let [from, written, omitted] = [0, 0, 0];
  return (line) => {
    const at = now();
    if (at - from >= PERIOD_MS) {
      if (omitted > 0) write(`${omitted} more lines`);
      [from, written, omitted] = [at, 0, 0];
    }
    if (written < MAX_LINES) write(line.slice(0, MAX_LINE));
    else omitted++;
    written++;
  };
}
