import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mendEnd, takeBack } from '../../../../src/diagnostics/archive/torn-line.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
const file = folder.file('lines.jsonl');

afterAll(() => folder.remove());

const contents = (): string => readFileSync(file, 'utf8');

describe('takeBack', () => {
  it('truncates a torn piece at the end', async () => {
    writeFileSync(file, '{"a":1}\n{"b":');
    await takeBack(file, Buffer.from('{"b":'));
    expect(contents()).toBe('{"a":1}\n');
  });

  it('overwrites a piece after which another process has written', async () => {
    writeFileSync(file, '{"a":1}\n{"b":{"c":3}\n');
    await takeBack(file, Buffer.from('{"b":'));
    expect(contents()).toBe('{"a":1}\n     {"c":3}\n');
  });

  it('does not confuse the piece with a line that begins the same', async () => {
    writeFileSync(file, '{"id":{"id":"other"}\n{"id":"third"}\n');
    await takeBack(file, Buffer.from('{"id":'));
    expect(contents()).toBe('      {"id":"other"}\n{"id":"third"}\n');
  });

  it('does nothing if the piece is gone', async () => {
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
    ['a complete line without its newline', '{"a":1}\n{"b":2}', '{"a":1}\n{"b":2}\n'],
    ['spaces', '{"a":1}\n   ', '{"a":1}\n   \t'],
  ])('makes the next line after %s readable', async (_, before, after) => {
    expect(await mended(before)).toBe(after);
  });
});
