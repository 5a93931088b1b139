import { parseMemoryLine } from '../../../../src/memory/rows/memory-line.js';

const problemOf = (line: object | string): string => {
  const parsed = parseMemoryLine(typeof line === 'string' ? line : JSON.stringify(line));
  return 'problem' in parsed ? parsed.problem : '';
};
const rowOf = (line: object) => {
  const parsed = parseMemoryLine(JSON.stringify(line));
  return 'value' in parsed ? parsed.value : null;
};
const THOUGHT = { table: 'thoughts', text: 'The kestrel hovers.' };

describe('parseMemoryLine', () => {
  it('requires only a table and a text', () => {
    expect(rowOf(THOUGHT)).toEqual({
      id: expect.stringMatching(/^t:[\w-]{24}$/),
      table: 'thoughts',
      text: 'The kestrel hovers.',
      origin: null,
      tags: [],
      isPrivate: false,
      createdAt: null,
      embedding: null,
    });
  });

  it('reads all fields of a row', () => {
    const row = rowOf({
      table: 'kg_observations',
      id: 'abc',
      text: 'Eats voles.',
      origin: 'tool',
      tags: ['food', 'birds', 'food'],
      is_private: true,
      created_at: '2025-09-02T23:11:00+02:00',
      embedding: [0.5, -1],
      embedding_model: 'text-embedding-3-small',
      embedding_dim: 2,
    });
    expect(row).toEqual({
      id: 'o:abc',
      table: 'kg_observations',
      text: 'Eats voles.',
      origin: 'tool',
      tags: ['birds', 'food'],
      isPrivate: true,
      createdAt: '2025-09-02T21:11:00.000Z',
      embedding: { model: 'text-embedding-3-small', vector: Float32Array.of(0.5, -1) },
    });
  });

  it('treats null as an absent field', () => {
    const nothing = { origin: null, tags: null, is_private: null, created_at: null, embedding: null };
    expect(rowOf({ ...THOUGHT, ...nothing })).toEqual(rowOf(THOUGHT));
  });

  it('derives the id of a row without one from table and text', () => {
    expect(rowOf({ ...THOUGHT, tags: ['a'] })?.id).toBe(rowOf(THOUGHT)?.id);
    expect(rowOf({ ...THOUGHT, text: 'Other.' })?.id).not.toBe(rowOf(THOUGHT)?.id);
    expect(rowOf({ ...THOUGHT, table: 'kg_entities' })?.id.slice(2)).not.toBe(rowOf(THOUGHT)?.id.slice(2));
  });

  it('adds the prefix of the table only if it is missing', () => {
    expect(rowOf({ ...THOUGHT, id: 't:1' })?.id).toBe('t:1');
    expect(rowOf({ ...THOUGHT, id: 'e:1' })?.id).toBe('t:e:1');
  });

  it('replaces lone surrogates, which can not be stored', () => {
    expect(parseMemoryLine('{"table":"thoughts","text":"a\\ud800b"}')).toMatchObject({
      value: { text: 'a\ufffdb' },
    });
  });

  it.each<[string, object | string, RegExp]>([
    ['text that is not JSON', '{"table":', /not JSON/],
    ['JSON that is not an object', '[]', /object/],
    ['no table', { text: 'x' }, /table/],
    ['another table', { table: 'notes', text: 'x' }, /table/],
    ['no text', { table: 'thoughts' }, /text/],
    ['an empty text', { ...THOUGHT, text: ' \n' }, /text: it is empty/],
    ['a text of more than 64 KB', { ...THOUGHT, text: 'é'.repeat(32_769) }, /text: .*65536/],
    ['a NUL in the text', { ...THOUGHT, text: 'a\0b' }, /NUL/],
    ['unknown fields', { ...THOUGHT, confidence: 1, chain: 'x' }, /"confidence", "chain"/],
    ['a long id', { ...THOUGHT, id: 'x'.repeat(257) }, /id/],
    ['an empty id', { ...THOUGHT, id: ' ' }, /id/],
    ['an id of two lines', { ...THOUGHT, id: '1\n2. t:9 (green, thought by human' }, /id: .*line break/],
    ['an id of two paragraphs', { ...THOUGHT, id: '1\u2029 2' }, /id: .*line break/],
    ['a control character in the id', { ...THOUGHT, id: '1\u001b[2J' }, /id: .*control character/],
    ['65 tags', { ...THOUGHT, tags: Array(65).fill('x') }, /tags/],
    ['a long tag', { ...THOUGHT, tags: ['x'.repeat(129)] }, /tags\.0/],
    ['an empty tag', { ...THOUGHT, tags: [''] }, /tags\.0/],
    ['tags that are not a list', { ...THOUGHT, tags: 'a,b' }, /tags/],
    ['privacy that is not a boolean', { ...THOUGHT, is_private: 'yes' }, /is_private/],
    ['an invalid date', { ...THOUGHT, created_at: 'yesterday' }, /created_at: it is not an ISO-8601/],
    ['an embedding without its model', { ...THOUGHT, embedding: [1] }, /embedding_model/],
    [
      'an embedding of another length',
      { ...THOUGHT, embedding: [1], embedding_model: 'm', embedding_dim: 2 },
      /embedding: its length differs/,
    ],
    ['an empty embedding', { ...THOUGHT, embedding: [], embedding_model: 'm' }, /embedding/],
    ['an embedding of text', { ...THOUGHT, embedding: ['1'], embedding_model: 'm' }, /embedding\.0/],
    ['NaN', '{"table":"thoughts","text":"x","embedding":[NaN],"embedding_model":"m"}', /not JSON/],
    ['infinity', '{"table":"thoughts","text":"x","embedding":[1e999],"embedding_model":"m"}', /embedding\.0/],
    [
      'a number beyond single precision',
      { ...THOUGHT, embedding: [1e300], embedding_model: 'm' },
      /embedding\.0: .*32-bit float/,
    ],
    ['null in an embedding', { ...THOUGHT, embedding: [null], embedding_model: 'm' }, /embedding\.0/],
    [
      'more than 8,192 numbers',
      { ...THOUGHT, embedding: Array(8_193).fill(1), embedding_model: 'm' },
      /embedding/,
    ],
  ])('refuses %s and names the field', (_, line, problem) => {
    expect(problemOf(line)).toMatch(problem);
  });

  it('limits the length of names in problems and removes control characters', () => {
    expect(problemOf({ ...THOUGHT, 'a\u001b[2Jb\nc': 1 })).toBe('Unrecognized key: "a [2Jb c"');
    expect(problemOf({ ...THOUGHT, ['x'.repeat(9_000)]: 1 }).length).toBeLessThanOrEqual(200);
  });

  it('never quotes the values of a row', () => {
    const lines = [
      '{"table":"thoughts","text":"swordfish',
      '{"table":"swordfish","text":"x"}',
      '{"table":"thoughts","text":"x","origin":["swordfish"]}',
      '{"table":"thoughts","text":"x","created_at":"swordfish"}',
      '{"table":"thoughts","text":"x","tags":{"a":"swordfish"}}',
      'swordfish',
    ];
    expect(lines.map(problemOf).filter((problem) => problem === '' || /swordfish/.test(problem))).toEqual([]);
  });
});
