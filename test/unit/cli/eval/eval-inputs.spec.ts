import { mkdirSync, writeFileSync } from 'node:fs';
import { parseFloors } from '../../../../src/cli/commands/eval.command.js';
import { findGoldenSet, readGoldenSet } from '../../../../src/cli/eval/sets/golden-set.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
afterAll(() => folder.remove());

const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');
const answers = [{ path: 'a.md', heading: 'A', quote: 'q' }];

function file(name: string, text: string): string {
  writeFileSync(folder.file(name), text);
  return folder.file(name);
}

describe('readGoldenSet', () => {
  it('adds keywords and parts by id', async () => {
    const set = file(
      'set.jsonl',
      lines({ id: '1', question: 'q', answers }, { id: '2', question: 'r', answers }),
    );
    const keywords = file('k.jsonl', lines({ id: '2', keywords: ['k'], parts: ['p'] }));
    expect(await readGoldenSet(set, keywords)).toMatchObject([
      { id: '1', keywords: [], parts: [], answerable: true, answers: [{ group: 0 }] },
      { id: '2', keywords: ['k'], parts: ['p'] },
    ]);
  });

  it.each([
    ['no JSON', '{"id":\n', ':1'],
    ['a missing field', `${lines({ id: '1', question: 'q', answers })}\n\n{"id":"2"}`, ':3: question'],
    [
      'an id that comes twice',
      lines({ id: '1', question: 'q', answers }, { id: '1', question: 'q', answers }),
      '"1"',
    ],
    ['answerable without answers', lines({ id: 'x7', question: 'q' }), 'x7'],
    ['an empty file', '\n', 'is empty'],
  ])('reports file and line of %s', async (_, text, place) => {
    await expect(readGoldenSet(file('bad.jsonl', text), null)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(place),
    });
  });

  it('reports a missing file', async () => {
    await expect(readGoldenSet(folder.file('none.jsonl'), null)).rejects.toMatchObject({
      reason: 'eval_input_unreadable',
      message: expect.stringContaining('none.jsonl'),
    });
  });
});

describe('findGoldenSet', () => {
  beforeAll(() => {
    mkdirSync(folder.file('sets/beir'), { recursive: true });
    file('sets/beir/queries.jsonl', '');
    file('sets/golden.jsonl', '');
    file('sets/notes.txt', '');
  });

  it('names a set after its file', () => {
    const path = folder.file('sets/golden.jsonl');
    expect(findGoldenSet(path)).toEqual({ path, name: 'golden' });
  });

  it.each([
    ['sets/beir', 'is a folder'],
    ['sets/notes.txt', 'is not a .jsonl file'],
    ['sets/none', 'does not exist'],
  ])('rejects %s, because it %s', (path, problem) => {
    expect(() => findGoldenSet(folder.file(path))).toThrow(
      expect.objectContaining({
        reason: 'eval_set_unknown',
        message: expect.stringContaining(problem),
        hint: expect.stringContaining('docs/eval.md'),
      }),
    );
  });
});

describe('parseFloors', () => {
  it('reads figures and numbers', () => {
    expect(parseFloors('answered=.5, page=0.8')).toEqual([
      { key: 'answered', bound: 0.5 },
      { key: 'page', bound: 0.8 },
    ]);
  });

  it.each(['answered', 'answered=', '=1', 'answered=half', ''])('rejects %j', (text) => {
    expect(() => parseFloors(text)).toThrow(expect.objectContaining({ reason: 'eval_floor_unknown' }));
  });
});
