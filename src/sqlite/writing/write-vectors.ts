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
  const ids = database.prepare('SELECT id FROM main.section ORDER BY section_id').all();
  const sample = ids.filter((_, position) => embedder.isFitted(position, sectionCount));
  return embedder.fit(sample.map((row) => read(Number(row['id']))));
}

/** The stored space, if it still fits. */
function currentSpace(database: Database, embedder: Embedder, sectionCount: number): EmbeddingSpace | null {
  const row = database.prepare('SELECT bytes, fitted_sections FROM main.embedding_space').get();
  const fitted = Number(row?.['fitted_sections'] ?? 0);
  const isWithin = Math.abs(sectionCount - fitted) <= fitted * REFIT_AT;
  const bytes = bytesOrNull(row?.['bytes']);
  return bytes && isWithin ? embedder.unpack(bytes) : null;
}

function addMissing(database: Database, space: EmbeddingSpace): void {
  const read = termReader(database);
  const add = database.prepare('INSERT INTO main.section_vector VALUES (?, ?)');
  const missing = database
    .prepare('SELECT id FROM main.section WHERE id NOT IN (SELECT id FROM main.section_vector) ORDER BY id')
    .all();
  for (const { id } of missing) add.run(Number(id), space.embed(read(Number(id))));
}

// Vectors of a model arrive with their sections.
const KEEP_STAGED = `INSERT INTO main.section_vector
  SELECT m.id, t.vector FROM temp.moved m CROSS JOIN stage.section t ON t.id = m.staged_id WHERE t.vector IS NOT NULL`;

/** Gives every section a vector: from the model, else in the stored space, else in a new space for all sections. */
export function writeVectors(database: Database, embedder: Embedder): void {
  if (embedder.profile.recalls) return database.exec(KEEP_STAGED);
  const isWorthIt = embedder.isWorthFitting(countIn(database, 'main.document'));
  const sectionCount = countIn(database, 'main.section');
  const current = isWorthIt ? currentSpace(database, embedder, sectionCount) : null;
  if (current) return addMissing(database, current);
  database.exec('DELETE FROM main.section_vector; DELETE FROM main.embedding_space');
  if (!isWorthIt) return;
  const space = fitSpace(database, embedder, sectionCount);
  database.prepare('INSERT INTO main.embedding_space VALUES (?, ?)').run(space.pack(), sectionCount);
  addMissing(database, space);
}
