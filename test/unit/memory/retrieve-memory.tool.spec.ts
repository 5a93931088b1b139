import { retrieveMemoryTool } from '../../../src/memory/retrieve-memory.tool.js';
import { readInstant } from '../../../src/memory/rows/read-instant.js';

const parse = (args: object) => retrieveMemoryTool.input.safeParse({ query: 'berths', ...args });

describe('the input of inner_voice.retrieve', () => {
  it('requires only a query', () => {
    expect(parse({}).data).toEqual({
      query: 'berths',
      include_private: false,
      exclude_tags: [],
    });
  });

  it.each<[string, unknown, number]>([
    ['top_k', 0, 1],
    ['top_k', -7, 1],
    ['top_k', 51, 50],
    ['top_k', 1e300, 50],
    ['top_k', 50, 50],
    ['floor', -0.5, 0],
    ['floor', 1.5, 1],
    ['floor', 0, 0],
    ['mix', -1, 0],
    ['mix', 7, 1],
    ['mix', 0.35, 0.35],
  ])('clamps %s = %j to %d', (field, value, expected) => {
    expect(parse({ [field]: value }).data).toMatchObject({ [field]: expected });
  });

  it.each<[string, object]>([
    ['an empty query', { query: '' }],
    ['a query of white space', { query: ' \n\t\u00a0' }],
    ['a query that is not a string', { query: 7 }],
    ['no query', { query: undefined }],
    ['a query of 4,001 characters', { query: 'x'.repeat(4_001) }],
    ['a fraction as top_k', { top_k: 2.5 }],
    ['a text as top_k', { top_k: '10' }],
    ['null as top_k', { top_k: null }],
    ['NaN', { mix: Number.NaN }],
    ['infinity', { floor: Number.POSITIVE_INFINITY }],
    ['an infinite top_k', { top_k: Number.NEGATIVE_INFINITY }],
    ['a string as floor', { floor: '0.2' }],
    ['a string as boolean', { include_private: 'true' }],
    ['a tag that is not in a list', { include_tags: 'a' }],
    ['an empty tag', { exclude_tags: [''] }],
    ['65 tags', { include_tags: Array.from({ length: 65 }, (_, i) => `tag ${i}`) }],
    ['a half-life of 0', { recency_half_life_days: 0 }],
    ['a day that does not exist', { created_after: '2025-13-01' }],
    ['a day in words', { created_before: 'yesterday' }],
    ['an unknown field', { scope: {} }],
    ['another unknown field', { topK: 5 }],
  ])('refuses %s as invalid_params', (_, args) => {
    const { error } = parse(args);
    expect(error && retrieveMemoryTool.refuse?.(error, args)).toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason: 'invalid_params',
    });
  });

  it('trims the query', () => {
    expect(parse({ query: '  free berths\n' }).data?.query).toBe('free berths');
  });

  it('never repeats the query in an error', () => {
    const { error } = parse({ query: 'zeppelin '.repeat(600), top_k: 'x' });
    const refusal = error && retrieveMemoryTool.refuse?.(error, {});
    expect(JSON.stringify([refusal?.message, refusal?.details, refusal?.hint])).not.toContain('zeppelin');
  });

  it.each([
    '2025-09-02',
    '2025-09-02T21:11:00Z',
    '2025-09-02T21:11:00.5+02:00',
    '2025-09-02T21:11Z',
    '2025-09-02 21:11:00',
    '2025-09-02T21:11:00.123456789012Z',
  ])('accepts %s as a date, as an import does', (date) => {
    expect(parse({ created_after: date, created_before: date }).success).toBe(true);
    expect(readInstant(date)).not.toBeNull();
  });
});
