import { listedSearch } from '../../../src/search-docs/listed-search.js';
import { estimateTokens } from '../../../src/text/estimate-tokens.js';
import { aCorpus, aKey } from '../../support/a-corpus.js';

const propertiesOf = (keys: Parameters<typeof aKey>[0][]) =>
  listedSearch(aCorpus({ taxonomy: keys.map(aKey) })).inputSchema['properties'] as Record<
    string,
    Record<string, unknown>
  >;

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `value-${1000 + i}`);

describe('listedSearch', () => {
  it('has only the fields of the contract without a taxonomy', () => {
    const { inputSchema } = listedSearch(aCorpus());
    expect(inputSchema).toMatchObject({
      type: 'object',
      properties: {
        query: { type: 'string' },
        limit: { type: 'integer', minimum: 1, maximum: 50 },
        cursor: { type: 'string' },
      },
      required: ['query'],
    });
    expect(Object.keys(inputSchema['properties'] as object)).toEqual(['query', 'limit', 'cursor']);
  });

  it('is the same if the corpus cannot be read', () => {
    expect(listedSearch(null)).toEqual(listedSearch(aCorpus()));
  });

  it('adds an optional field for each key, with its values in their case', () => {
    const properties = propertiesOf([
      { key: 'language', values: ['Go', 'TypeScript'] },
      { key: 'scope', values: ['global-guide'] },
    ]);
    expect(properties).toMatchObject({
      language: { type: 'string', description: 'Filter results by language.', enum: ['Go', 'TypeScript'] },
      scope: { type: 'string', description: 'Filter results by scope.', enum: ['global-guide'] },
    });
  });

  it("takes a key's description from its author", () => {
    const [key, description] = ['language', 'Which SDK.'];
    expect(propertiesOf([{ key, description, values: ['go'] }])).toMatchObject({ language: { description } });
  });

  it('offers no value for "any", because the field is optional', () => {
    expect(propertiesOf([{ key: 'language', values: ['go'] }])).toMatchObject({ language: { enum: ['go'] } });
  });

  it('keeps its own fields if a key has the same name', () => {
    const properties = propertiesOf([
      { key: 'query', values: ['x'] },
      { key: 'limit', values: ['x'] },
    ]);
    expect(properties).toEqual(propertiesOf([]));
  });

  it.each([
    ['Acme API docs', 'Search the Acme API docs. Use this'],
    ['Acme API docs.', 'Search the Acme API docs. Use this'],
    ['Acme\n API\tdocs', 'Search the Acme API docs. Use this'],
    [null, 'Search the documentation. Use this'],
    [' ', 'Search the documentation. Use this'],
  ])('describes the corpus %j', (description, start) => {
    expect(listedSearch(aCorpus({ description })).description).toContain(start);
  });

  it('truncates a long description', () => {
    expect(listedSearch(aCorpus({ description: 'word '.repeat(2_000) })).description.length).toBeLessThan(
      620,
    );
  });

  it('lists a key with too many values as a string that names some', () => {
    expect(propertiesOf([{ key: 'page', values: numbered(300) }])['page']).toEqual({
      type: 'string',
      description: expect.stringMatching(
        /^Filter results by page\. One of 300 values, such as value-1000, .+\.$/,
      ),
    });
  });

  it('leaves space for short keys next to a long one', () => {
    const properties = propertiesOf([
      { key: 'a', values: numbered(512) },
      { key: 'b', values: ['x', 'y'] },
    ]);
    expect(properties).toMatchObject({ b: { enum: ['x', 'y'] } });
    expect(properties).not.toMatchObject({ a: { enum: expect.anything() } });
  });

  it('limits its tokens for any taxonomy', () => {
    const values = Array.from({ length: 512 }, (_, i) => `${i}-${'w'.repeat(124)}`);
    const most = Array.from({ length: 64 }, (_, i) => ({
      key: `k${i}-${'x'.repeat(60)}`,
      description: 'd'.repeat(4_000),
      values,
    }));
    const few = Array.from({ length: 64 }, (_, i) => ({ key: `key-${i}`, values: numbered(12) }));
    const cost = (keys: Parameters<typeof aKey>[0][]): number =>
      estimateTokens(JSON.stringify(listedSearch(aCorpus({ taxonomy: keys.map(aKey) }))));
    expect(cost(few)).toBeLessThan(7_000);
    expect(cost(most)).toBeLessThan(14_000);
  });
});
