import type { Stream } from 'node:stream';
import { seenLine } from '../../../text/show-unseen.js';
import { clipText } from '../../../text/span.js';

/** Longer lines are clipped before they are logged (characters). */
const MAX_LINE = 400;
/** Lines are read up to this length (characters). It is far above `MAX_LINE`: secrets are hidden before lines are clipped. */
const MAX_READ = 16_384;
/** Lines of one provider that are logged in a period; others are counted. */
const MAX_LINES = 50;
const PERIOD_MS = 10_000;

/** Output that is read in a second (bytes), and lines of one piece of it. Only the end of the rest is read. */
const MAX_BYTES_PER_SECOND = 262_144;
const MAX_LINES_AT_ONCE = 200;
const SECOND_MS = 1_000;

/** Calls a function for each line of a stream, clipped. Of a stream that writes too much, it reads the last lines. */
export function forEachLine(stream: Stream, onLine: (line: string) => void): void {
  let rest = '';
  let [from, bytes] = [-Infinity, 0];
  const read = (text: string): void => {
    const lines = `${rest}${text}`.split('\n');
    // A line without an end is not kept whole.
    rest = (lines.pop() ?? '').slice(0, MAX_READ);
    const last = lines.filter((line) => line.trim() !== '').slice(-MAX_LINES_AT_ONCE);
    for (const line of last) onLine(line.slice(0, MAX_READ));
  };
  stream.on('end', () => {
    read('\n');
  });
  stream.on('data', (chunk: Buffer) => {
    const now = performance.now();
    if (now - from >= SECOND_MS) [from, bytes] = [now, 0];
    bytes += chunk.length;
    if (bytes <= MAX_BYTES_PER_SECOND) read(chunk.toString());
    else rest = chunk.subarray(-MAX_READ).toString();
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
