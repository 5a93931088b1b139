import { closeSync, openSync, writeFileSync } from 'node:fs';
import { linesBackwards } from '../../../../src/diagnostics/archive/lines-backwards.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
const file = folder.file('lines');

afterAll(() => folder.remove());

interface Read {
  readonly lines: string[];
  readonly tooLong: number;
  readonly resumeAt: readonly number[];
}

async function read(text: string, end?: number): Promise<Read> {
  writeFileSync(file, text);
  const fd = openSync(file, 'r');
  const lines: string[] = [];
  const resumeAt: number[] = [];
  let tooLong = 0;
  for await (const stretch of linesBackwards(fd, end ?? Buffer.byteLength(text))) {
    lines.push(...stretch.lines.map(({ bytes }) => bytes.toString()));
    resumeAt.push(stretch.resumeAt);
    tooLong += stretch.tooLong;
  }
  closeSync(fd);
  return { lines, tooLong, resumeAt };
}

describe('linesBackwards', () => {
  it.each([
    ['', []],
    ['a', []],
    ['a\n', ['a']],
    ['a\nb\n', ['b', 'a']],
    ['a\nb', ['a']],
    ['\n\na\n   \nb\n\n', ['b', 'a']],
    ['  a\n', ['  a']],
  ])('reads the complete lines of %j', async (text, lines) => {
    expect((await read(text)).lines).toEqual(lines);
  });

  it('reads backwards from the given offset', async () => {
    expect((await read('a\nb\nc\n', 4)).lines).toEqual(['b', 'a']);
  });

  it('joins the parts of a line that two chunks contain', async () => {
    const texts = Array.from({ length: 40 }, (_, i) => `${i} ${'é'.repeat(20_000)}`);
    const { lines, resumeAt } = await read(`${texts.join('\n')}\n`);
    expect(lines).toEqual(texts.reverse());
    expect(resumeAt.length).toBeGreaterThan(5);
    expect(resumeAt.at(-1)).toBe(0);
  });

  it('reports the offset after which all lines were read', async () => {
    const text = `${'a'.repeat(300_000)}\nb\n`;
    expect((await read(text)).resumeAt).toEqual([300_001, 0]);
  });

  it('skips and counts overlong lines', async () => {
    const text = `a\n${'x'.repeat(5_000_000)}\nb\n`;
    expect(await read(text)).toMatchObject({ lines: ['b', 'a'], tooLong: 1 });
  });
});
