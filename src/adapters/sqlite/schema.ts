import type { EmbedderProfile } from '../../kb/embedder.port.js';
import { SECTIONING_VERSION } from '../../ingest/sectioning-version.js';
import { ANALYSER_VERSION } from '../../text/search-terms.js';

/** Bump when tables or what is in them change. */
const SCHEMA_VERSION = 2;

/** What an index was built with. Two stamps that differ in anything can't be read as one another. */
export function identityOf({ name, dimensions }: EmbedderProfile): string {
  return JSON.stringify({
    schema: SCHEMA_VERSION,
    sectioning: SECTIONING_VERSION,
    tokenizer: ANALYSER_VERSION,
    embedder: name,
    dimensions,
  });
}

/** Marks the file as ours ("Pith"), so that nobody else's database is ever taken for an index. */
export const APPLICATION_ID = 0x50697468;

const documentColumns = `
  path TEXT NOT NULL UNIQUE, title TEXT NOT NULL, doc_tag TEXT NOT NULL, repository TEXT NOT NULL,
  updated_at TEXT NOT NULL, url TEXT, hash TEXT NOT NULL, bytes INTEGER NOT NULL, front_matter TEXT NOT NULL, metadata TEXT NOT NULL`;

const sectionColumns = `
  section_id TEXT NOT NULL UNIQUE, document_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, title TEXT NOT NULL,
  heading_path TEXT NOT NULL, anchor TEXT, text TEXT NOT NULL`;

/**
 * The published index. `section_fts` holds terms that `searchTerms` made, so the tokenizer only splits at spaces
 * (`ascii` treats every other character above U+007F as a letter); it keeps no text of its own. Rows are removed by
 * naming their terms: `contentless_delete` would leave row counts and lengths, and so every score, as they were.
 */
export const MAIN_TABLES = `
  CREATE TABLE main.meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE main.document (id INTEGER PRIMARY KEY, ${documentColumns});
  CREATE TABLE main.section (id INTEGER PRIMARY KEY, ${sectionColumns});
  CREATE INDEX main.section_document ON section (document_id, ordinal);
  CREATE INDEX main.document_doc_tag ON document (doc_tag);
  CREATE TABLE main.embedding_space (bytes BLOB NOT NULL, fitted_sections INTEGER NOT NULL);
  CREATE TABLE main.section_vector (id INTEGER PRIMARY KEY, vector BLOB NOT NULL);
  CREATE TABLE main.acronym (short TEXT NOT NULL, section_id INTEGER NOT NULL, long TEXT NOT NULL,
    PRIMARY KEY (short, section_id, long)) WITHOUT ROWID;
  CREATE INDEX main.acronym_section ON acronym (section_id);
  CREATE VIRTUAL TABLE main.section_fts USING fts5(
    title, headings, file, body, content='', tokenize='ascii');
  CREATE VIRTUAL TABLE main.section_term USING fts5vocab(section_fts, row);
`;

// Named with their schema: without it, a table that only the staging file has would go instead.
export const DROP_MAIN_TABLES = [
  'section_term',
  'section_fts',
  'acronym',
  'section_vector',
  'embedding_space',
  'section',
  'document',
  'meta',
]
  .map((table) => `DROP TABLE IF EXISTS main.${table};`)
  .join(' ');

/** Which run staged; also what a second writer fails on. */
export const STAGE_RUN_TABLE =
  'CREATE TABLE IF NOT EXISTS stage.run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID';

/** What a run has prepared and not yet published, made anew; in a file of its own, removed afterwards. */
export const STAGE_TABLES = `
  DROP TABLE IF EXISTS stage.section; DROP TABLE IF EXISTS stage.document;
  CREATE TABLE stage.document (id INTEGER PRIMARY KEY, ${documentColumns});
  CREATE TABLE stage.section (id INTEGER PRIMARY KEY, ${sectionColumns},
    title_terms TEXT NOT NULL, heading_terms TEXT NOT NULL, file_terms TEXT NOT NULL, body_terms TEXT NOT NULL,
    acronyms TEXT NOT NULL);
  CREATE INDEX stage.stage_section_document ON section (document_id);
`;

/** Columns of a document in the order of `documentColumns`. */
export const DOCUMENT_FIELDS =
  'path, title, doc_tag, repository, updated_at, url, hash, bytes, front_matter, metadata';
/** Columns of a section, without its document, in the order of `sectionColumns`. */
export const SECTION_FIELDS = 'section_id, ordinal, title, heading_path, anchor, text';
