import { titleKeys } from '../../graph/title-concepts.js';
import type { StemMemo } from '../../text/terms/search-terms.js';
import { type Database, text } from '../driver.js';
import { GONE_DOCUMENTS } from './write-graph.js';

/**
 * The keys whose concepts may change in this run: those of titles that come or go, and single terms that come or go in a
 * section, because only rare ones are concepts.
 */
export const TITLE_CHANGES = `
  DROP TABLE IF EXISTS temp.changed_title;
  CREATE TEMP TABLE changed_title (key TEXT PRIMARY KEY) WITHOUT ROWID;
`;

/** Removes the titles of deleted documents. */
export const FORGET_TITLES = `
  INSERT OR IGNORE INTO temp.changed_title
    SELECT key FROM main.graph_title WHERE document_id IN (${GONE_DOCUMENTS});
  DELETE FROM main.graph_title WHERE document_id IN (${GONE_DOCUMENTS});
`;

// A heading that repeats the title of its document is left out: the title belongs to the document.
const MOVED_TITLES = `
  SELECT d.id AS document_id, 0 AS place_id, d.title FROM stage.document t CROSS JOIN main.document d ON d.path = t.path
  UNION ALL
  SELECT d.id, p.id, p.title FROM stage.document t CROSS JOIN main.document d ON d.path = t.path
    CROSS JOIN main.graph_place p ON p.document_id = d.id
  WHERE p.title <> d.title`;

const NOTE_MOVED = `INSERT OR IGNORE INTO temp.changed_title
  SELECT g.key FROM stage.document t CROSS JOIN main.document d ON d.path = t.path
    CROSS JOIN main.graph_title g ON g.document_id = d.id`;

/** Writes the titles of the staged documents; their graph must be written before. */
export function writeTitles(database: Database): void {
  const memo: StemMemo = new Map();
  const add = database.prepare('INSERT OR IGNORE INTO main.graph_title VALUES (?, ?, ?)');
  for (const row of database.prepare(MOVED_TITLES).iterate())
    for (const key of titleKeys(text(row['title']), memo))
      add.run(key, Number(row['document_id']), Number(row['place_id']));
  database.exec(NOTE_MOVED);
}

/** Notes titles whose only term is one of these, which came or went in a section. */
export function noteTerms(database: Database, terms: Iterable<string>): void {
  const note = database.prepare(
    'INSERT OR IGNORE INTO temp.changed_title SELECT key FROM main.graph_title WHERE key = ? LIMIT 1',
  );
  for (const term of terms) note.run(term);
}
