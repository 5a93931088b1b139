import { PassThrough } from 'node:stream';
import {
  boundedLog,
  forEachLine,
  LastLines,
} from '../../../../../src/governance/providers/link/provider-log.js';

describe('forEachLine', () => {
  it('joins parts of a line, cuts very long lines and skips empty ones', () => {
    const stream = new PassThrough();
    const lines: string[] = [];
    forEachLine(stream, (line) => lines.push(line));
    for (const part of ['one li', 'ne\n\n', `${'x'.repeat(20_000)}\n`, 'no end'])
      stream.emit('data', Buffer.from(part));
    expect(lines).toEqual(['one line', 'x'.repeat(16_384)]);
  });
});

describe('LastLines', () => {
  it('keeps the last ten lines, clipped and visible', () => {
    const last = new LastLines();
    expect(last.after('it ended')).toBe('it ended');
    for (let i = 0; i < 12; i++) last.add(`line ${i}`);
    last.add('\u001b[31mred');
    last.add('x'.repeat(1_000));
    const told = last.after('it ended');
    expect(told).toMatch(/^it ended\. Its last output: line 4 \| .*line 11 \| \\u001b\[31mred \| x+/);
    expect(told.length).toBeLessThan(600);
  });
});

describe('boundedLog', () => {
  it('writes 50 lines in 10 s and counts the others', () => {
    const lines: string[] = [];
    let now = 0;
    const log = boundedLog(
      (line) => lines.push(line),
      () => now,
    );
    for (let i = 0; i < 60; i++) log('line');
    expect(lines).toHaveLength(50);
    now = 10_000;
    log('later');
    expect(lines.slice(50)).toEqual(['10 more lines', 'later']);
  });
});
