import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mendEnd, takeBack } from '../../../../src/diagnostics/archive/torn-line.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
const file = folder.file('lines.jsonl');

afterAll(() => folder.remove());

const contents = (): string => readFileSync(file, 'utf8');

describe('takeBack', () => {
  it('cuts off a torn piece at the end', async () => {
    writeFileSync(file, '{"a":1}\n{"b":');
    await takeBack(file, Buffer.from('{"b":'));
    expect(contents()).toBe('{"a":1}\n');
  });

  it('writes over a piece that another process has written behind', async () => {
    writeFileSync(file, '{"a":1}\n{"b":{"c":3}\n');
    await takeBack(file, Buffer.from('{"b":'));
    expect(contents()).toBe('{"a":1}\n     {"c":3}\n');
  });

  it('takes no other line that begins alike for it', async () => {
    writeFileSync(file, '{"id":{"id":"other"}\n{"id":"third"}\n');
    await takeBack(file, Buffer.from('{"id":'));
    expect(contents()).toBe('      {"id":"other"}\n{"id":"third"}\n');
  });

  it('does nothing where the piece is gone', async () => {
    writeFileSync(file, '{"a":1}\n');
    await takeBack(file, Buffer.from('{"b":'));
    expect(contents()).toBe('{"a":1}\n');
  });
});

describe('mendEnd', () => {
  async function mended(text: string): Promise<string> {
    writeFileSync(file, text);
    const log = openSync(file, 'a+');
    try {
      await mendEnd(log, file);
    } finally {
      closeSync(log);
    }
    return contents();
  }

  it.each([
    ['nothing', '', ''],
    ['a whole line', '{"a":1}\n', '{"a":1}\n'],
    ['a torn line', '{"a":1}\n{"b":', '{"a":1}\n     \t'],
    ['a torn line alone', '{"b":', '     \t'],
    ['a line that only its newline is missing from', '{"a":1}\n{"b":2}', '{"a":1}\n{"b":2}\n'],
    ['spaces', '{"a":1}\n   ', '{"a":1}\n   \t'],
  ])('leaves %s such that the next line can be read', async (_, before, after) => {
    expect(await mended(before)).toBe(after);
  });
});
