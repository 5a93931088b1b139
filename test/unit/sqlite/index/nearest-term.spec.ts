import { nearbyTerms, nearestTerm } from '../../../../src/kb/search/nearest-term.js';
import { type Database, openDatabase } from '../../../../src/sqlite/driver.js';
import { IndexCache } from '../../../../src/sqlite/index/index-cache.js';
import { SqliteSearchEngine } from '../../../../src/sqlite/index/sqlite-search-engine.js';
import { embedderNamed } from '../../../../src/sqlite/latent/embedder-named.js';
import { MAIN_TABLES } from '../../../../src/sqlite/schema.js';
import { aQuery } from '../../../support/indexed-documents.js';

let database: Database;
beforeEach(() => {
  database = openDatabase(':memory:');
  database.exec(MAIN_TABLES);
});
afterEach(() => database.close());

/** Indexes these terms, one section each. */
function hold(...sections: readonly string[]): void {
  const add = database.prepare(
    "INSERT INTO section_fts (title, headings, file, body) VALUES ('', '', '', ?)",
  );
  for (const terms of sections) add.run(terms);
}

function nearest(term: string): string | null {
  const embedder = embedderNamed('lsa');
  const cache = new IndexCache('1', embedder);
  const stamp = { generation: '1', projectId: 'p', environment: 'test', indexedAt: '' };
  const { profile } = embedder;
  const meta = { ...stamp, sectionCount: 0, profile };
  const query = aQuery(term);
  const seen = { ...query.scope, seenLists: null };
  const engine = new SqliteSearchEngine(query, { database, meta, cache, profile, seen });
  return nearestTerm(term, engine.termsNear(nearbyTerms(term)), () => true);
}

describe('nearestTerm in an index file', () => {
  it.each<[string, string, string[], string | null]>([
    ['a word with a missing letter', 'kestrls', ['kestrels'], 'kestrels'],
    ['a word with an extra letter', 'kesstrel', ['kestrel'], 'kestrel'],
    ['another letter', 'kestral', ['kestrel'], 'kestrel'],
    ['two neighbours swapped', 'kesterl', ['kestrel'], 'kestrel'],
    ['a wrong last letter', 'kestres', ['kestrel'], 'kestrel'],
    ['nothing for two mistakes in a word below ten letters', 'rplicatee', ['replicate', 'reproduce'], null],
    ['two mistakes in a word of ten letters', 'replcatted', ['replicated'], 'replicated'],
    ['nothing for three mistakes in a long word', 'replcattedd', ['replicated'], null],
    ['neighbours swapped in a short word', 'limti', ['limit'], 'limit'],
    ['no other short word with one different letter', 'preset', ['present', 'reset', 'presets'], null],
    [
      'the fewest edits before the most sections',
      'replicates',
      ['replica', 'replica', 'replicate'],
      'replicate',
    ],
    ['the most sections before alphabetical order', 'kestrle', ['kestrla', 'kestrlo', 'kestrlo'], 'kestrlo'],
    ['the first in the alphabet for equal counts', 'kestrle', ['kestrlo', 'kestrla'], 'kestrla'],
    ['nothing with another first letter', 'kestrel', ['lestrel', 'kastrel'], null],
    ['no term with a digit', 'kestrel', ['kestre1', 'kestrel2'], null],
    ['words beyond ASCII', 'schlussl', ['schlussel'], 'schlussel'],
    ['other scripts', 'серверв', ['сервера'], 'сервера'],
    ['nothing in an empty index', 'kestrel', [], null],
  ])('finds %s', (_, term, sections, expected) => {
    hold(...sections);
    expect(nearest(term)).toBe(expected);
  });

  it('treats no character as a pattern', () => {
    hold('kestrel', 'kestrels');
    expect(nearest('ke%%%%%%')).toBeNull();
    expect(nearest('ke*trel')).toBe('kestrel');
    expect(nearest("ke'; --")).toBeNull();
  });
});
