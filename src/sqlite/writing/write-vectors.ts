import type { Embedder, EmbeddingSpace } from '../../core/ports/embedder.port.js';
import { searchTerms, type StemMemo } from '../../text/terms/search-terms.js';
import { bytesOrNull, countIn, type Database, type Row } from '../driver.js';
import { readHeadingPath } from '../index/stored-sections.js';

/** Share by which the index may grow or shrink before a new fit. With larger shares, measurements showed no gain. */
const REFIT_AT = 0.2;

// Sections staged in this run have their terms in the staging file, so their texts need not be analysed again.
const STAGED = `SELECT t.title_terms, t.heading_terms, t.body_terms
  FROM temp.moved m CROSS JOIN stage.section t ON t.id = m.staged_id WHERE m.id = ?`;
const PUBLISHED = 'SELECT heading_path, text FROM main.section WHERE id = ?';

function termReader(database: Database): (id: number) => string[] {
  const memo: StemMemo = new Map();
  const [staged, published] = [database.prepare(STAGED), database.prepare(PUBLISHED)];
  return (id) => termsOf(staged.get(id) ?? published.get(id) ?? {}, memo);
}

function termsOf(row: Row, memo: StemMemo): string[] {
  if (typeof row['body_terms'] === 'string') {
    return [row['title_terms'], row['heading_terms'], row['body_terms']]
      .map(String)
      .flatMap((terms) => (terms === '' ? [] : terms.split(' ')));
  }
  return searchTerms([...readHeadingPath(row), String(row['text'])].join('\n'), memo);
}

/** Fits a space on an even sample of the sections, in the order of their ids. */
function fitSpace(database: Database, embedder: Embedder, sectionCount: number): EmbeddingSpace {
  const read = termReader(database);
  const sample: string[][] = [];
  let position = 0;
  for (const { id } of database.prepare('SELECT id FROM main.section ORDER BY section_id').iterate())
    if (embedder.isFitted(position++, sectionCount)) sample.push(read(Number(id)));
  return embedder.fit(sample);
}

/** The stored space, if it still fits. */
function currentSpace(database: Database, embedder: Embedder, sectionCount: number): EmbeddingSpace | null {
  const row = database.prepare('SELECT bytes, fitted_sections FROM main.embedding_space').get();
  const fitted = Number(row?.['fitted_sections'] ?? 0);
  const isWithin = Math.abs(sectionCount - fitted) <= fitted * REFIT_AT;
  const bytes = bytesOrNull(row?.['bytes']);
  return bytes && isWithin ? embedder.unpack(bytes) : null;
}

// Vectors of a model arrive with their sections.
const KEEP_STAGED = `INSERT INTO main.section_vector
  SELECT m.id, t.vector FROM temp.moved m CROSS JOIN stage.section t ON t.id = m.staged_id WHERE t.vector IS NOT NULL`;

/** The space of the index: the stored one, else a new one for all sections; null without vectors or with those of a model. */
export function openSpace(database: Database, embedder: Embedder): EmbeddingSpace | null {
  if (embedder.profile.recalls) {
    database.exec(KEEP_STAGED);
    return null;
  }
  const isWorthIt = embedder.isWorthFitting(countIn(database, 'main.document'));
  const sectionCount = countIn(database, 'main.section');
  const current = isWorthIt ? currentSpace(database, embedder, sectionCount) : null;
  if (current) return current;
  database.exec('DELETE FROM main.section_vector; DELETE FROM main.embedding_space');
  if (!isWorthIt) return null;
  const space = fitSpace(database, embedder, sectionCount);
  database.prepare('INSERT INTO main.embedding_space VALUES (?, ?)').run(space.pack(), sectionCount);
  return space;
}

/** Adds the vectors of sections of this run. */
export function vectorWriter(
  database: Database,
  space: EmbeddingSpace | null,
): (id: number, terms: readonly string[]) => void {
  const add = database.prepare('INSERT INTO main.section_vector VALUES (?, ?)');
  return (id, terms) => {
    if (space) add.run(id, space.embed(terms));
  };
}

const MISSING =
  'SELECT id FROM main.section WHERE id > ? AND id NOT IN (SELECT id FROM main.section_vector) ORDER BY id LIMIT 1000';

/** Adds the vectors of other sections, which have none after a new fit. */
export function addMissing(database: Database, space: EmbeddingSpace | null): void {
  if (!space) return;
  const read = termReader(database);
  const add = vectorWriter(database, space);
  const missing = database.prepare(MISSING);
  for (let ids = missing.all(-1); ids.length > 0; ids = missing.all(Number(ids.at(-1)?.['id'])))
    for (const { id } of ids) add(Number(id), read(Number(id)));
}
