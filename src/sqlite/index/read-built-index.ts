import type { EmbedderProfile } from '../../core/ports/embedder.port.js';
import type { StoredSection } from '../../core/ports/section-index.port.js';
import type { BuiltDocument, BuiltGraph, BuiltIndex, BuiltSection } from '../../ingest/built-index.js';
import type { Acronym } from '../../text/find-acronyms.js';
import type { StemMemo } from '../../text/terms/search-terms.js';
import { type FieldTerms, fieldTerms } from '../../text/terms/section-terms.js';
import { bytesOrNull, type Database, type Row, storedJson, text } from '../driver.js';
import { IndexFile, type Meta } from '../index-file.js';
import { readDeclaration } from './read-taxonomy.js';
import { toDocument, toStored } from './stored-sections.js';

/** Maximum number of words whose stems are cached: many sections contain the same words. */
const MAX_STEMS = 200_000;
/** FTS5 stores the number of rows and the number of terms per column in the first record of its data table. */
const AVERAGES = 'SELECT block FROM main.section_fts_data WHERE id = 1';

/** Terms per query. Batches are used because an open cursor must not outlive the connection. */
const TERMS = 10_000;

const DOCUMENT = `SELECT d.id, d.path, d.title AS document_title, d.trail, d.doc_tag, d.repository, d.updated_at, d.url,
    d.metadata, d.caution, d.artifact, d.allow, d.hash, r.document_id IS NOT NULL AS is_offered
  FROM main.document d LEFT JOIN main.document_resource r ON r.document_id = d.id WHERE d.path`;
const NEXT_DOCUMENT = `${DOCUMENT} > ? ORDER BY d.path LIMIT 1`;
const NAMED_DOCUMENT = `${DOCUMENT} = ?`;
const SECTIONS = `SELECT s.id AS row_id, s.section_id, s.ordinal, s.title, s.heading_path, s.anchor, s.level, s.text,
    s.structure, v.vector
  FROM main.section s LEFT JOIN main.section_vector v ON v.id = s.id WHERE s.document_id = ? ORDER BY s.ordinal`;
const SHORTS = 'SELECT DISTINCT short FROM main.acronym ORDER BY short';
const TEXT_BYTES = 'SELECT coalesce(sum(octet_length(text)), 0) AS bytes FROM main.section';
const ACRONYMS = 'SELECT short, long FROM main.acronym WHERE section_id = ? ORDER BY short, long';

/** Reads SQLite varints: seven bits per byte; the eighth bit is set in every byte but the last. */
function readNumbers(bytes: Iterable<number>): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 127);
    if (byte >= 128) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
}

function averageLength(database: Database): number {
  const [rows = 0, ...terms] = readNumbers(bytesOrNull(database.prepare(AVERAGES).get()?.['block']) ?? []);
  return rows === 0 ? 0 : terms.reduce((sum, count) => sum + count, 0) / rows;
}

const toAcronym = (row: Row): Acronym => ({ short: text(row['short']), long: text(row['long']) });

function termsOf({ section, document }: StoredSection, memo: StemMemo): FieldTerms {
  if (memo.size > MAX_STEMS) memo.clear();
  return fieldTerms(
    { ...section, documentTitle: document.title, trail: document.trail, path: document.path },
    memo,
  );
}

function sectionReader(database: Database): (document: Row) => BuiltSection[] {
  const memo: StemMemo = new Map();
  const [read, acronyms] = [database.prepare(SECTIONS), database.prepare(ACRONYMS)];
  return (document) =>
    read.all(Number(document['id'])).map((row) => {
      const stored = toStored({ ...document, ...row });
      return {
        section: stored.section,
        terms: () => termsOf(stored, memo),
        acronyms: acronyms.all(Number(row['row_id'])).map(toAcronym),
        vector: bytesOrNull(row['vector']),
      };
    });
}

function* documentRows(database: Database, paths?: readonly string[]): Generator<Row> {
  const read = database.prepare(paths ? NAMED_DOCUMENT : NEXT_DOCUMENT);
  for (const path of paths ?? []) yield* read.all(path);
  if (paths) return;
  for (let row = read.get(''); row; row = read.get(text(row['path']))) yield row;
}

function* readDocuments(database: Database, paths?: readonly string[]): Generator<BuiltDocument> {
  const sectionsOf = sectionReader(database);
  for (const row of documentRows(database, paths)) {
    const facts = toDocument(row);
    const sections = sectionsOf(row);
    yield { facts, hash: text(row['hash']), isOffered: row['is_offered'] === 1, sections };
  }
}

function* readVocabulary(database: Database): Generator<readonly [string, number]> {
  const read = database.prepare(
    `SELECT term, doc FROM section_term WHERE term > ? ORDER BY term LIMIT ${TERMS}`,
  );
  for (let rows = read.all(''); rows.length > 0; rows = read.all(text(rows.at(-1)?.['term'])))
    for (const row of rows) yield [text(row['term']), Number(row['doc'])];
}

/** The file of a built index, and the function that reads its graph. */
interface BuiltIndexSource {
  readonly file: string;
  readonly profile: EmbedderProfile;
  readonly readGraph: (database: Database) => BuiltGraph;
}

/** The profile with the dimensions stored in the index: a model that is down may not report its dimensions. */
function readProfile(database: Database, { also: _, ...profile }: EmbedderProfile): EmbedderProfile {
  const stored = database.prepare("SELECT value FROM main.meta WHERE key = 'identity'").get()?.['value'];
  const identity = storedJson(stored);
  const isKnown = typeof identity === 'object' && identity !== null && 'dimensions' in identity;
  return isKnown ? { ...profile, dimensions: Number(identity.dimensions) } : profile;
}

function builtIndex(database: Database, meta: Meta, { readGraph }: BuiltIndexSource): BuiltIndex {
  const { sectionCount, profile, ...stamp } = meta;
  return {
    stamp,
    profile: readProfile(database, profile),
    declaration: readDeclaration(database),
    sectionCount,
    averageLength: averageLength(database),
    space: bytesOrNull(database.prepare('SELECT bytes FROM main.embedding_space').get()?.['bytes']),
    textBytes: () => Number(database.prepare(TEXT_BYTES).get()?.['bytes']),
    acronyms: () =>
      database
        .prepare(SHORTS)
        .all()
        .map(({ short }) => text(short)),
    documents: (paths) => readDocuments(database, paths),
    vocabulary: () => readVocabulary(database),
    graph: readGraph(database),
  };
}

/** Reads an index in one read transaction. @throws BackendUnavailableError `index_missing`, `index_incompatible` */
export function withBuiltIndex<T>(
  source: BuiltIndexSource,
  use: (built: BuiltIndex) => Promise<T>,
): Promise<T> {
  const file = new IndexFile(source.file, source.profile);
  return file.readSlowly((database, meta) => use(builtIndex(database, meta, source)));
}
