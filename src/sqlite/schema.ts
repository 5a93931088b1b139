import type { EmbedderProfile } from '../core/ports/embedder.port.js';
import { SECTIONING_VERSION } from '../ingest/built-index.js';
import { ANALYSER_VERSION } from '../text/terms/search-terms.js';

/** The versions of splitting and analysing texts; part of the identity of every index. */
export const TEXT_VERSIONS = { sectioning: SECTIONING_VERSION, tokenizer: ANALYSER_VERSION };

/** Increment when tables or their contents change. */
const SCHEMA_VERSION = 16;

/** The versions of an index file. */
export const FILE_VERSIONS = { schema: SCHEMA_VERSION, ...TEXT_VERSIONS };

/** Identity of an index: schema and embedder. A reader accepts only an index with the expected identity. */
export function fileIdentity({ name, dimensions }: EmbedderProfile): string {
  return JSON.stringify({ ...FILE_VERSIONS, embedder: name, dimensions });
}

/** Application id "Pith": distinguishes our databases from those of other programs. */
export const APPLICATION_ID = 0x50697468;

const documentColumns = `
  path TEXT NOT NULL UNIQUE, title TEXT NOT NULL, trail TEXT NOT NULL, doc_tag TEXT NOT NULL, repository TEXT NOT NULL,
  updated_at TEXT NOT NULL, url TEXT, hash TEXT NOT NULL, bytes INTEGER NOT NULL, front_matter TEXT NOT NULL, metadata TEXT NOT NULL,
  caution TEXT, artifact TEXT, allowed TEXT`;

/** The text and its structure are last: other columns of a long section are then read without them. */
const sectionColumns = `
  section_id TEXT NOT NULL, document_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, title TEXT NOT NULL,
  heading_path TEXT NOT NULL, anchor TEXT, level INTEGER NOT NULL, text_hash INTEGER NOT NULL, text TEXT NOT NULL,
  structure TEXT NOT NULL`;

/**
 * The graph. A place is a heading or a section, in document order. A section's place has the id of the section's row; a
 * heading without text has an id below 0. An anchor is an id on a page, other than those of headings, with its place.
 * Structure is derived from places, so only links, steps and mentions are rows.
 * Mentions are ordered by entity, because most look-ups are by entity. Their source is 0 for names in the text; 1 for
 * titles and headings that a text names, which depend on the other documents; 2 for the places under such a title.
 * `graph_title` has all titles and headings by their terms, with place 0 for the title of a document; those of few
 * documents are concepts, which texts can name.
 */
const GRAPH_TABLES = `
  CREATE TABLE main.graph_place (id INTEGER PRIMARY KEY, node_id TEXT NOT NULL UNIQUE, document_id INTEGER NOT NULL,
    position INTEGER NOT NULL, parent_id INTEGER, level INTEGER NOT NULL, title TEXT NOT NULL, anchor TEXT);
  CREATE INDEX main.graph_place_document ON graph_place (document_id, position);
  CREATE INDEX main.graph_place_parent ON graph_place (parent_id);
  CREATE TABLE main.graph_anchor (document_id INTEGER NOT NULL, name TEXT NOT NULL, place_id INTEGER,
    PRIMARY KEY (document_id, name)) WITHOUT ROWID;
  CREATE TABLE main.graph_step (id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL, number INTEGER NOT NULL,
    title TEXT NOT NULL);
  CREATE INDEX main.graph_step_place ON graph_step (place_id, number);
  CREATE TABLE main.graph_link (id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL, document_id INTEGER NOT NULL,
    relation TEXT NOT NULL, href TEXT NOT NULL, target_document_id INTEGER, target_place_id INTEGER, is_dead INTEGER NOT NULL);
  CREATE INDEX main.graph_link_place ON graph_link (place_id);
  CREATE INDEX main.graph_link_document ON graph_link (document_id);
  CREATE INDEX main.graph_link_target_document ON graph_link (target_document_id) WHERE target_document_id IS NOT NULL;
  CREATE INDEX main.graph_link_target_place ON graph_link (target_place_id) WHERE target_place_id IS NOT NULL;
  CREATE TABLE main.graph_entity (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
  CREATE TABLE main.graph_mention (entity_id INTEGER NOT NULL, place_id INTEGER NOT NULL, source INTEGER NOT NULL,
    type TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL, is_defined INTEGER NOT NULL,
    PRIMARY KEY (entity_id, place_id, source)) WITHOUT ROWID;
  CREATE INDEX main.graph_mention_place ON graph_mention (place_id);
  CREATE TABLE main.graph_concept (terms TEXT PRIMARY KEY, entity_id INTEGER NOT NULL,
    homes INTEGER NOT NULL, mentioned_by INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX main.graph_concept_entity ON graph_concept (entity_id);
  CREATE TABLE main.graph_title (key TEXT NOT NULL, document_id INTEGER NOT NULL, place_id INTEGER NOT NULL,
    PRIMARY KEY (key, document_id, place_id)) WITHOUT ROWID;
  CREATE INDEX main.graph_title_document ON graph_title (document_id, place_id);
`;

/** The run that last changed each document and entity of the graph (`kind`), and the runs themselves. */
export const GRAPH_CHANGE_TABLE = `CREATE TABLE IF NOT EXISTS main.graph_change (
  kind TEXT NOT NULL, key TEXT NOT NULL, generation INTEGER NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;`;

/**
 * The published index. `section_fts` contains terms from `searchTerms`, so its tokenizer only splits at spaces (`ascii`
 * treats all characters above U+007F as letters); it stores no text. To remove a row, its terms must be given:
 * `contentless_delete` would not update row counts and lengths, on which all scores depend.
 * `document.allowed` is the list of groups in the front matter; `allow` has all lists of a document (`listsKey`), and
 * changes without its sections.
 * `section_posting` has the rows of each term in blocks (`postings.ts`), and their number; `section_length` the number of
 * terms of each row: words are scored with these, and phrases with `section_fts`, which has positions.
 */
export const MAIN_TABLES = `
  CREATE TABLE main.meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE main.document (id INTEGER PRIMARY KEY, ${documentColumns}, allow TEXT NOT NULL DEFAULT '');
  CREATE TABLE main.section (id INTEGER PRIMARY KEY, ${sectionColumns}, UNIQUE (section_id));
  CREATE INDEX main.section_document ON section (document_id, ordinal);
  CREATE INDEX main.document_doc_tag ON document (doc_tag);
  CREATE INDEX main.document_allow ON document (allow) WHERE allow <> '';
  CREATE TABLE main.embedding_space (bytes BLOB NOT NULL, fitted_sections INTEGER NOT NULL);
  CREATE TABLE main.section_vector (id INTEGER PRIMARY KEY, vector BLOB NOT NULL);
  CREATE TABLE main.acronym (short TEXT NOT NULL, section_id INTEGER NOT NULL, long TEXT NOT NULL,
    PRIMARY KEY (short, section_id, long)) WITHOUT ROWID;
  CREATE INDEX main.acronym_section ON acronym (section_id);
  CREATE VIRTUAL TABLE main.section_fts USING fts5(
    title, headings, file, body, content='', tokenize='ascii');
  CREATE VIRTUAL TABLE main.section_term USING fts5vocab(section_fts, row);
  CREATE TABLE main.section_posting (term TEXT NOT NULL, block INTEGER NOT NULL, rows INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (term, block)) WITHOUT ROWID;
  CREATE TABLE main.section_length (block INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
  CREATE TABLE main.document_facet (document_id INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (document_id, key)) WITHOUT ROWID;
  CREATE INDEX main.document_facet_value ON document_facet (key, value, document_id);
  CREATE TABLE main.document_resource (document_id INTEGER PRIMARY KEY);
  CREATE TABLE main.seen_file (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, hash TEXT NOT NULL, remarks TEXT NOT NULL)
    WITHOUT ROWID;
  ${GRAPH_TABLES}`;

// In reverse order, because `section_term` reads `section_fts`. The schema name is required: otherwise a table that
// exists only in the staging file would be dropped.
export const DROP_MAIN_TABLES = [...MAIN_TABLES.matchAll(/CREATE (?:VIRTUAL )?TABLE (main\.\w+)/g)]
  .map(([, table]) => `DROP TABLE IF EXISTS ${table};`)
  .reverse()
  .join(' ');

/** Increment when the staging tables change: leftovers of other versions are not read. */
export const STAGE_VERSION = 10;

/** Identity of the run that staged the rows. A second writer fails on this table's lock. */
export const STAGE_RUN_TABLE =
  'CREATE TABLE IF NOT EXISTS stage.run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID';

/** Tables for prepared documents, in a separate file that is removed after publishing. */
export const STAGE_TABLES = `
  DROP TABLE IF EXISTS stage.section; DROP TABLE IF EXISTS stage.document;
  CREATE TABLE stage.document (id INTEGER PRIMARY KEY, ${documentColumns}, graph TEXT NOT NULL);
  CREATE TABLE stage.section (id INTEGER PRIMARY KEY, ${sectionColumns},
    title_terms TEXT NOT NULL, heading_terms TEXT NOT NULL, file_terms TEXT NOT NULL, body_terms TEXT NOT NULL,
    acronyms TEXT NOT NULL, vector BLOB);
  CREATE INDEX stage.stage_section_document ON section (document_id);
`;

/** Columns of a document in the order of `documentColumns`. */
export const DOCUMENT_FIELDS =
  'path, title, trail, doc_tag, repository, updated_at, url, hash, bytes, front_matter, metadata, caution, artifact, allowed';
/** Columns of a section, without its document, in the order of `sectionColumns`. */
export const SECTION_FIELDS =
  'section_id, ordinal, title, heading_path, anchor, level, text_hash, text, structure';
