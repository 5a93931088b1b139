import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type FileLine, readLines } from '../../../../src/memory/rows/read-lines.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
afterAll(() => folder.remove());

async function linesOf(content: string | Buffer, maxBytes = 100): Promise<FileLine[]> {
  const name = folder.file('lines');
  writeFileSync(name, content);
  const file = await open(name);
  const lines: FileLine[] = [];
  for await (const line of readLines(file, maxBytes)) lines.push(line);
  await file.close();
  return lines;
}

const textsOf = async (content: string | Buffer, maxBytes?: number): Promise<(string | null)[]> =>
  (await linesOf(content, maxBytes)).map(({ text }) => text);

describe('readLines', () => {
  it.each<[string, string, string[]]>([
    ['nothing', '', []],
    ['one line', 'a', ['a']],
    ['a line break at the end', 'a\nb\n', ['a', 'b']],
    ['no line break at the end', 'a\nb', ['a', 'b']],
    ['empty lines', '\n\na\n\n', ['', '', 'a', '']],
    ['Windows lines', 'a\r\nb\r\n', ['a\r', 'b\r']],
    ['separators that are not line breaks', 'a\u2028b\u0085c', ['a\u2028b\u0085c']],
  ])('reads %s', async (_, content, texts) => {
    expect(await textsOf(content)).toEqual(texts);
  });

  it('numbers lines from 1 and gives the offset of the next line', async () => {
    const lines = await linesOf('é\n\nb');
    expect(lines.map(({ number, end }) => [number, end])).toEqual([
      [1, 3],
      [2, 4],
      [3, 5],
    ]);
  });

  it('reads lines and characters that are longer than one chunk', async () => {
    const long = '東'.repeat(100_000);
    expect(await textsOf(`${long}\nb\n${long}`, 400_000)).toEqual([long, 'b', long]);
  });

  it('reports a line that is too long, and continues', async () => {
    const lines = await linesOf(`a\n${'x'.repeat(101)}\n${'y'.repeat(100)}\n${'z'.repeat(200_000)}`);
    expect(lines.map(({ text, problem }) => text?.length ?? problem)).toEqual([
      1,
      'it is longer than 100 bytes',
      100,
      'it is longer than 100 bytes',
    ]);
  });

  it('reports bytes that are not UTF-8, and continues', async () => {
    const lines = await linesOf(Buffer.from([0x61, 0x0a, 0xff, 0xfe, 0x0a, 0x62]));
    expect(lines.map(({ text, problem }) => text ?? problem)).toEqual(['a', 'it is not UTF-8', 'b']);
  });

  it('removes a byte order mark', async () => {
    expect(await textsOf('\ufeffa\nb')).toEqual(['a', 'b']);
  });

  it('reads a file again from its beginning, also after a partial read', async () => {
    writeFileSync(folder.file('twice'), 'a\nb\n');
    const file = await open(folder.file('twice'));
    const first: (string | null)[] = [];
    for (let round = 0; round < 2; round++) {
      for await (const { text } of readLines(file, 10)) {
        first.push(text);
        break;
      }
    }
    await file.close();
    expect(first).toEqual(['a', 'a']);
  });
});
