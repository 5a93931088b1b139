import type { Filters } from '../../../src/search-docs/read-filters.js';
import { type Probe, searchHint, suggestFilters } from '../../../src/search-docs/suggest-filters.js';
import { aKey } from '../../support/a-corpus.js';

/** A search over these documents that returns the first matches of its filters, and adds the filters to `asked`. */
function searchOver(documents: readonly Filters[], asked: Filters[] = []): Probe {
  return async (filters, most) => {
    asked.push(filters);
    const all = documents.filter((document) =>
      Object.entries(filters).every(([key, value]) => document[key] === value),
    );
    return all.slice(0, most);
  };
}

const taxonomy = [
  aKey({ key: 'language', values: ['go', 'java', 'python'] }),
  aKey({ key: 'scope', values: ['guide', 'sdk'] }),
];

describe('suggestFilters', () => {
  it('names other values that give results together with the other filters, sorted', async () => {
    const search = searchOver([
      { language: 'python', scope: 'sdk' },
      { language: 'go', scope: 'sdk' },
      { language: 'java', scope: 'guide' },
    ]);
    expect(await suggestFilters({ filters: { language: 'java', scope: 'sdk' }, taxonomy }, search)).toEqual({
      values: { language: ['go', 'python'], scope: ['guide'] },
      isAlone: false,
    });
  });

  it('leaves out a key if none of its values helps', async () => {
    const search = searchOver([{ language: 'go', scope: 'sdk' }]);
    const { values } = await suggestFilters(
      { filters: { language: 'java', scope: 'sdk' }, taxonomy },
      search,
    );
    expect(values).toEqual({ language: ['go'] });
  });

  it('names values that give results alone if none does together with the other filters', async () => {
    const search = searchOver([{ language: 'go', scope: 'guide' }]);
    expect(await suggestFilters({ filters: { language: 'java', scope: 'sdk' }, taxonomy }, search)).toEqual({
      values: { language: ['go'], scope: ['guide'] },
      isAlone: true,
    });
  });

  it('reports that a filter gives results without the others', async () => {
    const search = searchOver([{ language: 'java' }]);
    expect(await suggestFilters({ filters: { language: 'java', scope: 'sdk' }, taxonomy }, search)).toEqual({
      values: { language: ['java'] },
      isAlone: true,
    });
  });

  it('suggests nothing if nothing matches', async () => {
    const filters = { language: 'java', scope: 'sdk' };
    expect((await suggestFilters({ filters, taxonomy }, searchOver([]))).values).toEqual({});
  });

  it('also tries values that no found document has, because a search returns one of several versions', async () => {
    const versions = [{ language: 'go' }, { language: 'python' }];
    const search: Probe = async (filters, most) => (await searchOver(versions)(filters, most)).slice(0, 1);
    const { values } = await suggestFilters({ filters: { language: 'java' }, taxonomy }, search);
    expect(values).toEqual({ language: ['go', 'python'] });
  });

  it('limits the number of searches and of suggested values', async () => {
    const many = Array.from({ length: 500 }, (_, i) => `v${1000 + i}`);
    const keys = Array.from({ length: 64 }, (_, i) => aKey({ key: `k${100 + i}`, values: many }));
    const filters = Object.fromEntries(keys.map(({ key }) => [key, 'none']));
    const asked: Filters[] = [];
    const search: Probe = async (tried) => (asked.push(tried), [{}]);
    const { values } = await suggestFilters({ filters, taxonomy: keys }, search);
    expect(asked.length).toBeLessThanOrEqual(12);
    expect(Math.max(...Object.values(values).map((list) => list.length))).toBe(5);
  });
});

describe('searchHint', () => {
  it('names the filters without results, and the suggested ones', () => {
    const hint = searchHint('retry', { scope: 'sdk' }, { values: { scope: ['guide'] }, isAlone: false });
    expect(hint).toEqual({
      message: "0 results found for scope 'sdk'. 'retry' has results with the suggested values of scope.",
      suggested_filters: { scope: ['guide'] },
    });
  });

  it('reports that the other filters must be removed', () => {
    const suggested = { values: { language: ['go'] }, isAlone: true };
    const { message } = searchHint('retry', { language: 'go', scope: 'sdk' }, suggested);
    expect(message).toBe(
      "0 results found for language 'go' and scope 'sdk'. " +
        "'retry' has results with the suggested values of language alone, without the other filters.",
    );
  });

  it('reports that no filter would help', () => {
    const { message } = searchHint('retry', { scope: 'sdk' }, { values: {}, isAlone: false });
    expect(message).toMatch(/^0 results found for scope 'sdk'\. No matches for 'retry' with other values/);
  });

  it('shows the query on one line of whole characters', () => {
    const { message } = searchHint('zz\u0000\n\ud800 y', {}, { values: {}, isAlone: false });
    expect(message).toContain("'zz \ufffd y'");
  });

  it('reports that the corpus has no match if there was no filter', () => {
    expect(searchHint('a\n b', {}, { values: {}, isAlone: false })).toEqual({
      message: "0 results found. No matches for 'a b' in the corpus; try other words.",
      suggested_filters: {},
    });
  });
});
