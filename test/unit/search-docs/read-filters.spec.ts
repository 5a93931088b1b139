import { errorLine, toEnvelope } from '../../../src/mcp/rendering/error-envelope.js';
import { readFilters } from '../../../src/search-docs/read-filters.js';
import { aCorpus, aKey } from '../../support/a-corpus.js';
import { aCall } from '../../support/builders.js';

const CORPUS = aCorpus({
  taxonomy: [aKey({ key: 'language', values: ['go', 'python'] }), aKey({ key: 'scope', values: ['guide'] })],
});

function refusalOf(fields: Record<string, unknown>, corpus = CORPUS): string {
  try {
    readFilters(fields, corpus);
  } catch (error) {
    return errorLine(toEnvelope(error, aCall(), String), true);
  }
  return 'nothing';
}

describe('readFilters', () => {
  it('reads the values of taxonomy fields, by key', () => {
    expect(Object.entries(readFilters({ scope: 'guide', language: 'go' }, CORPUS))).toEqual([
      ['language', 'go'],
      ['scope', 'guide'],
    ]);
  });

  it('has no filter for missing fields', () => {
    expect(readFilters({ language: undefined }, CORPUS)).toEqual({});
  });

  it('refuses an unknown field, and names the known ones', () => {
    expect(refusalOf({ foo: 'x' })).toBe(
      "Unexpected field 'foo'. Fields: query, limit, cursor, language, scope.",
    );
  });

  it('refuses a value that no visible document has, and names existing ones', () => {
    expect(refusalOf({ language: 'rust' })).toBe(
      "Invalid taxonomy value for 'language': 'rust'. Allowed values: go, python",
    );
  });

  it.each([['Go'], ['go '], ['ANY'], [''], [7], [null], [['go']], [{ in: 'go' }]])(
    'refuses %j',
    (language) => {
      expect(refusalOf({ language })).toContain("Invalid taxonomy value for 'language'");
    },
  );

  it('limits the allowed values in the error', () => {
    const values = Array.from({ length: 400 }, (_, i) => `v${1000 + i}`);
    const told = refusalOf({ language: 'rust' }, aCorpus({ taxonomy: [aKey({ values })] }));
    expect(told).toMatch(/Allowed values: v1000, v1001, .+ … and \d+ more$/);
    expect(told.length).toBeLessThan(450);
  });

  it('names the nearest of too many values first', () => {
    const values = Array.from({ length: 100 }, (_, i) => `value${1000 + i}`);
    const told = refusalOf({ language: 'valu1077' }, aCorpus({ taxonomy: [aKey({ values })] }));
    expect(told).toContain('Allowed values: value1077, value1000');
  });

  it('accepts any value of a key with more values than the index lists', () => {
    const values = Array.from({ length: 512 }, (_, i) => `v${1000 + i}`);
    expect(readFilters({ language: 'v9' }, aCorpus({ taxonomy: [aKey({ values })] }))).toEqual({
      language: 'v9',
    });
  });
});
