import type { StemMemo } from '../../text/terms/search-terms.js';
import { sectionTerms } from '../../text/terms/section-terms.js';
import type { Database } from '../driver.js';
import { readHeadingPath, readTrail } from '../index/stored-sections.js';
import { TOUCHED_ENTITIES } from './touched-entities.js';
import { FORGET_GRAPH, GONE_DOCUMENTS } from './write-graph.js';
import { LINK_CHANGES } from './write-link-targets.js';
import { forgetPostings } from './write-postings.js';
import { FORGET_TITLES, noteTerms, TITLE_CHANGES } from './write-titles.js';

const GONE = `SELECT s.id FROM temp.gone g CROSS JOIN main.document d ON d.path = g.path
    CROSS JOIN main.section s ON s.document_id = d.id`;

const FORGET = `
  DELETE FROM main.acronym WHERE section_id IN (${GONE});
  DELETE FROM main.section_vector WHERE id IN (${GONE});
  DELETE FROM main.section WHERE document_id IN (${GONE_DOCUMENTS});
  DELETE FROM main.document_facet WHERE document_id IN (${GONE_DOCUMENTS});
  DELETE FROM main.document WHERE path IN (SELECT path FROM temp.gone);
`;

const GONE_SECTIONS = `
  SELECT s.id, s.title, s.heading_path, d.path, d.title AS document_title, d.trail, s.text
  FROM temp.gone g CROSS JOIN main.document d ON d.path = g.path CROSS JOIN main.section s ON s.document_id = d.id`;

/** Rows whose postings are removed together. */
const FORGOTTEN_ROWS = 5_000;

/** The sections to remove, each with the terms of its fields. */
function* goneTerms(
  database: Database,
): Generator<[row: number, fields: readonly [string, string, string, string]]> {
  const memo: StemMemo = new Map();
  for (const row of database.prepare(GONE_SECTIONS).iterate()) {
    const section = {
      documentTitle: String(row['document_title']),
      trail: readTrail(row),
      title: String(row['title']),
      headingPath: readHeadingPath(row),
      path: String(row['path']),
      text: String(row['text']),
    };
    yield [Number(row['id']), sectionTerms(section, memo)];
  }
}

/** Deleting a contentless full-text row requires its terms. */
function forgetTerms(database: Database): void {
  const forget = database.prepare(
    "INSERT INTO main.section_fts (section_fts, rowid, title, headings, file, body) VALUES ('delete', ?, ?, ?, ?, ?)",
  );
  const gone = goneTerms(database);
  const terms = new Set<string>();
  // Not all at once: the terms of many sections take as much memory as their texts.
  for (let part = take(gone, FORGOTTEN_ROWS); part.length > 0; part = take(gone, FORGOTTEN_ROWS)) {
    for (const [row, fields] of part) forget.run(row, ...fields);
    forgetPostings(database, part);
    for (const [, fields] of part)
      for (const field of fields) for (const term of field.split(' ')) terms.add(term);
  }
  noteTerms(database, terms);
}

function take<T>(items: Iterator<T>, most: number): T[] {
  const taken: T[] = [];
  while (taken.length < most) {
    const { done, value } = items.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

/** Removes the rows of deleted and changed documents, and notes what else their going may change. */
export function forgetRows(database: Database): void {
  database.exec(TITLE_CHANGES + TOUCHED_ENTITIES + LINK_CHANGES);
  forgetTerms(database);
  database.exec(FORGET_TITLES + FORGET_GRAPH + FORGET);
}
