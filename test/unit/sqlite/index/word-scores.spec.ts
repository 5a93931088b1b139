import { okapiWeight } from '../../../../src/kb/search/bm25.js';
import type { Database } from '../../../../src/sqlite/driver.js';
import { WordScores } from '../../../../src/sqlite/index/word-scores.js';
import { openForReading } from '../../../../src/sqlite/open-database.js';
import { publish } from '../../../contract/sqlite-subjects.js';
import { testFolder } from '../../../support/build-index.js';
import { randomFrom } from '../../../support/corpora.js';
import { anIndexedDocument } from '../../../support/indexed-documents.js';

const WORDS = ['kestrel', 'meadow', 'owl', 'falcon', 'nest', 'egg', 'wing', 'sky'];
const folder = testFolder();
const file = folder.file('words.sqlite');
let database: Database;
let scores: WordScores;

/** A text in which each of the words is rare. */
function aText(random: () => number): string {
  const length = 3 + Math.floor(random() * 60);
  const word = (): string => (random() < 0.1 ? (WORDS[Math.floor(random() * WORDS.length)] ?? '') : 'lorem');
  return Array.from({ length }, word).join(' ');
}

function documents(seed: number, hash: string) {
  const random = randomFrom(seed);
  return Array.from({ length: 60 }, (_, i) => {
    const texts = Array.from({ length: 4 }, () => `${aText(random)}.`);
    // Two thirds stay the same in the second run.
    return anIndexedDocument({ path: `d${i}.md`, texts, hash: i % 3 === 0 ? hash : 'same' });
  });
}

beforeAll(async () => {
  await publish(file, documents(1, 'old'));
  // Changed and removed documents leave gaps and rewritten blocks.
  await publish(file, documents(2, 'new').slice(0, 50));
  database = openForReading(file).database;
  scores = new WordScores(database, rowCount());
});

afterAll(() => database.close());

const rowCount = (): number => Number(database.prepare('SELECT count(*) AS n FROM section').get()?.['n']);
const frequencyOf = (term: string): number =>
  Number(database.prepare('SELECT doc FROM section_term WHERE term = ?').get(term)?.['doc'] ?? 0);
const weighed = (...terms: string[]) =>
  terms.map((term) => ({ term, weight: okapiWeight(frequencyOf(term), rowCount()), times: 1 }));

/** The scores of FTS5, best first. */
function oracle(expression: string): [row: number, score: number][] {
  return database
    .prepare(
      `SELECT rowid AS id, -bm25(section_fts, 2.0, 2.0, 1.0, 1.0) AS score FROM section_fts
       WHERE section_fts MATCH ? ORDER BY score DESC, rowid`,
    )
    .all(expression)
    .map(({ id, score }) => [Number(id), Number(Number(score).toFixed(6))]);
}

function best(
  terms: readonly string[],
  phrases: readonly (readonly string[])[] = [],
  mask: Uint8Array | null = null,
) {
  return scores
    .best(database, { terms: weighed(...terms), phrases, mask }, 1_000)
    .map(({ row, score }): [number, number] => [row, Number(score.toFixed(6))]);
}
const byRow = (pairs: readonly [number, number][]) => pairs.toSorted(([a], [b]) => a - b);

describe('WordScores', () => {
  it.each([[['kestrel']], [['egg', 'sky']], [['meadow', 'wing', 'nest', 'falcon']]])(
    'scores rows with any of %j as FTS5 does, after changes and removals',
    (terms) => {
      const expected = oracle(terms.map((term) => `"${term}"`).join(' OR '));
      expect(expected.length).toBeGreaterThan(20);
      expect(byRow(best(terms))).toEqual(byRow(expected));
    },
  );

  it('adds the scores of phrases', () => {
    expect(byRow(best(['egg'], [['lorem', 'wing']]))).toEqual(byRow(oracle('"egg" OR "lorem wing"')));
  });

  it('gives the best rows first, and not more than the limit', () => {
    const all = best(['egg', 'sky']).map(([, score]) => score);
    expect(all).toEqual(all.toSorted((a, b) => b - a));
    const three = scores.best(database, { terms: weighed('egg', 'sky'), phrases: [], mask: null }, 3);
    expect(three.map(({ score }) => Number(score.toFixed(6)))).toEqual(all.slice(0, 3));
  });

  it('scores a question afresh after one that has failed', () => {
    const failing = { terms: weighed('sky'), phrases: [['"']], mask: null };
    const expected = best(['egg', 'sky']);
    expect(() => scores.best(database, failing, 9)).toThrow();
    expect(() => scores.best(database, failing, 9)).toThrow();
    expect(best(['egg', 'sky'])).toEqual(expected);
  });

  it('orders equal scores by row, in whichever order words find them', async () => {
    const many = folder.file('many.sqlite');
    const texts = Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? 'owl lorem.' : 'sky lorem.'));
    await publish(many, [anIndexedDocument({ path: 'many.md', texts })]);
    const opened = openForReading(many).database;
    try {
      const query = {
        terms: ['sky', 'owl'].map((term) => ({ term, weight: 1, times: 1 })),
        phrases: [],
        mask: null,
      };
      const found = new WordScores(opened, texts.length).best(opened, query, 300);
      const rows = found.map(({ row }) => row);
      expect([rows.length, new Set(found.map(({ score }) => score)).size]).toEqual([300, 1]);
      expect(rows).toEqual(rows.toSorted((a, b) => a - b));
    } finally {
      opened.close();
    }
  });

  it('finds only rows of the mask, with the same scores', () => {
    const all = best(['egg']);
    const mask = new Uint8Array(scores.rows);
    for (const [row] of all) mask[row] = row % 2;
    expect(best(['egg'], [], mask)).toEqual(all.filter(([row]) => row % 2 === 1));
  });

  it('knows if a visible row contains a term', () => {
    const [hit] = best(['sky']);
    const mask = new Uint8Array(scores.rows);
    expect(scores.isVisible(database, 'sky', mask)).toBe(false);
    mask[hit?.[0] ?? 0] = 1;
    expect(scores.isVisible(database, 'sky', mask)).toBe(true);
    expect(scores.isVisible(database, 'unknown', mask)).toBe(false);
  });

  it('finds the same best rows for every limit, if few words decide and others are everywhere', () => {
    const terms = ['owl', 'egg', 'sky', 'nest', 'lorem'].map((term, i) => ({
      term,
      weight: 8 / 3 ** i,
      times: 1,
    }));
    const mask = new Uint8Array(scores.rows).map((_, row) => Number(row % 5 !== 0));
    for (const rest of [
      { phrases: [], mask: null },
      { phrases: [['lorem', 'wing']], mask: null },
      { phrases: [], mask },
    ]) {
      const all = scores.best(database, { terms, ...rest }, scores.rows);
      expect(all.length).toBeGreaterThan(100);
      const limits = all.map((_, i) => i);
      expect(limits.map((limit) => scores.best(database, { terms, ...rest }, limit))).toEqual(
        limits.map((limit) => all.slice(0, limit)),
      );
    }
  });

  it('finds nothing without terms, and for terms that no row contains', () => {
    expect(best([])).toEqual([]);
    expect(best(['unknown'])).toEqual([]);
  });

  it('gives the same answer again', () => {
    expect(best(['egg', 'sky'])).toEqual(best(['egg', 'sky']));
  });

  it('gives more rows of the same question when it is asked for them, after other questions too', () => {
    const all = best(['egg', 'sky']);
    const query = { terms: weighed('egg', 'sky'), phrases: [], mask: null };
    const rows = (limit: number) => scores.best(database, query, limit).map(({ row }) => row);
    const expected = all.map(([row]) => row);
    expect(rows(3)).toEqual(expected.slice(0, 3));
    expect(rows(1_000)).toEqual(expected);
    best(['nest']);
    expect(rows(5)).toEqual(expected.slice(0, 5));
  });
});
