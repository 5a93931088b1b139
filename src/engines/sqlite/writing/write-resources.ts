import type { CorpusDeclaration } from '../../../core/corpus-declaration.js';
import type { Database } from '../driver.js';

/** Rewrites the list of resources: it depends on the manifest, even if no document changed. */
export function writeResources(database: Database, { taxonomy }: CorpusDeclaration): void {
  database.exec('DELETE FROM main.document_resource');
  const add =
    'INSERT OR IGNORE INTO main.document_resource SELECT document_id FROM main.document_facet WHERE';
  const addKey = database.prepare(`${add} key = ?`);
  const addValue = database.prepare(`${add} key = ? AND value = ?`);
  for (const [key, { isResource, resourceValues }] of Object.entries(taxonomy)) {
    if (isResource) addKey.run(key);
    for (const value of resourceValues) addValue.run(key, value);
  }
}
