import { type CorpusDeclaration, NOTHING_DECLARED } from '../../core/corpus-declaration.js';
import type { TaxonomyKey } from '../../core/corpus-facts.js';
import type { CountedKey } from '../../core/ports/index-writer.port.js';
import type { SeenScope } from '../../core/scope.js';
import { shapeTaxonomy } from '../../kb/shape-taxonomy.js';
import { type Database, storedJson, text } from '../driver.js';
import { visibleRows, where } from './find-rows.js';

/** The corpus declaration from the manifest of the last run. */
export function readDeclaration(database: Database): CorpusDeclaration {
  const stored = database.prepare("SELECT value FROM main.meta WHERE key = 'corpus'").get()?.['value'];
  if (typeof stored !== 'string') return NOTHING_DECLARED;
  // Written by `writeMeta` under the same schema version.
  return storedJson(stored) as CorpusDeclaration;
}

/** The values of visible documents for each key. */
interface FoundValues {
  readonly keys: readonly string[];
  readonly values: (key: string, limit: number) => string[];
}

/** Every key of the index by name, with its number of values. */
export function countKeys(database: Database): CountedKey[] {
  const rows = database
    .prepare('SELECT key, count(DISTINCT value) AS n FROM main.document_facet GROUP BY key ORDER BY key')
    .all();
  return rows.map((row) => ({ key: text(row['key']), values: Number(row['n']) }));
}

function findValues(database: Database, scope: SeenScope): FoundValues {
  const { conditions, values: visible } = visibleRows(scope);
  const join = conditions.length > 0 ? 'CROSS JOIN main.document d ON d.id = f.document_id' : '';
  const from = `FROM main.document_facet f ${join}`;
  const keys = database
    .prepare(`SELECT DISTINCT f.key ${from} ${where(conditions)} ORDER BY f.key`)
    .all(...visible);
  const values = database.prepare(
    `SELECT DISTINCT f.value ${from} ${where(['f.key = ?', ...conditions])} ORDER BY f.value LIMIT ?`,
  );
  return {
    keys: keys.map((row) => text(row['key'])),
    values: (key, limit) => values.all(key, ...visible, limit).map((row) => text(row['value'])),
  };
}

/** The taxonomy visible in a scope; keys declared in the manifest come first. */
export function readTaxonomy(
  database: Database,
  scope: SeenScope,
  declared: CorpusDeclaration['taxonomy'],
): TaxonomyKey[] {
  const { keys, values } = findValues(database, scope);
  return shapeTaxonomy(declared, keys, values);
}
