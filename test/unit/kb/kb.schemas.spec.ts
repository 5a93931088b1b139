import { filtersSchema, keywordsSchema, toSectionFilter } from '../../../src/kb/kb.schemas.js';

describe('toSectionFilter', () => {
  it.each([undefined, {}, { path_prefix: null, updated_after: null }, { path_prefix: '' }])(
    'matches everything for %j',
    (filters) => {
      expect(toSectionFilter(filters)).toEqual({ docTags: null, pathPrefix: null, updatedAfter: null });
    },
  );

  it('matches nothing for an empty list of tags', () => {
    expect(toSectionFilter({ doc_tag: [] }).docTags).toEqual([]);
  });

  it('normalises the order of tags, so that cursors are equal', () => {
    expect(toSectionFilter({ doc_tag: ['b', 'a', 'b'] }).docTags).toEqual(['a', 'b']);
  });

  it.each([
    ['guides/a b', 'guides/a b'],
    ['guides/a%20b%23', 'guides/a b#'],
    ['100%', '100%'],
    ['guides\\a', 'guides\\a'],
  ])('reads the path %s, encoded or not, as %s', (path_prefix, pathPrefix) => {
    expect(toSectionFilter({ path_prefix }).pathPrefix).toBe(pathPrefix);
  });

  it.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T01:00:00+02:00', '2026-02-28T23:00:00.000Z'],
  ])('reads the date %s as %s', (updated_after, updatedAfter) => {
    expect(toSectionFilter({ updated_after }).updatedAfter).toBe(updatedAfter);
  });
});

describe('filtersSchema', () => {
  it.each([
    ['an unknown field', { colour: 'red' }],
    ['no date', { updated_after: 'yesterday' }],
    ['a day that is not', { updated_after: '2026-02-30' }],
    ['a date without its zone', { updated_after: '2026-03-01T12:00:00' }],
    ['an empty tag', { doc_tag: [''] }],
    ['a path without end', { path_prefix: 'x'.repeat(1_025) }],
  ])('refuses %s', (_, filters) => {
    expect(filtersSchema.safeParse(filters).success).toBe(false);
  });
});

describe('keywordsSchema', () => {
  it.each([
    ['none', undefined, true],
    ['8 of 80 characters', Array.from({ length: 8 }, () => 'x'.repeat(80)), true],
    ['9', Array.from({ length: 9 }, () => 'x'), false],
    ['one of 81 characters', ['x'.repeat(81)], false],
    ['an empty one', [''], false],
  ])('bounds keywords: %s', (_, keywords, isTaken) => {
    expect(keywordsSchema.safeParse(keywords).success).toBe(isTaken);
  });
});
