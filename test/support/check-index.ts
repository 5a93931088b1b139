import { existsSync } from 'node:fs';
import { openDatabase } from '../../src/sqlite/driver.js';

/** The content of an index file. */
export interface IndexState {
  /** Result of SQLite's integrity check; `ok` without errors. */
  readonly integrity: string;
  readonly documents: number;
  readonly sections: number;
  /** Number of rows in the full-text table. */
  readonly indexed: number;
  readonly documentsWithoutSections: number;
  readonly sectionsWithoutDocument: number;
}

/** Reads an index file without Pith; null if it is missing or if nothing was published. */
export function inspectIndex(file: string): IndexState | null {
  if (!existsSync(file)) return null;
  const database = openDatabase(file, { timeout: 5_000 });
  const first = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];
  try {
    const integrity = String(first('PRAGMA integrity_check'));
    if (first("SELECT count(*) FROM sqlite_schema WHERE name = 'meta'") === 0) return null;
    return {
      integrity,
      documents: Number(first('SELECT count(*) FROM document')),
      sections: Number(first('SELECT count(*) FROM section')),
      indexed: Number(first('SELECT count(*) FROM section_fts')),
      documentsWithoutSections: Number(
        first(
          'SELECT count(*) FROM document d WHERE NOT EXISTS (SELECT 1 FROM section WHERE document_id = d.id)',
        ),
      ),
      sectionsWithoutDocument: Number(
        first('SELECT count(*) FROM section WHERE document_id NOT IN (SELECT id FROM document)'),
      ),
    };
  } finally {
    database.close();
  }
}
