import type { CorpusDeclaration } from '../../core/corpus-declaration.js';
import { listsKey, plainLists, readListsKey } from '../../core/document-groups.js';
import type { GroupRules, IndexSettings } from '../../core/ports/index-writer.port.js';
import { type Database, type Row, storedJson, text, textOrNull } from '../driver.js';

const ALL = 'SELECT id, path, allowed, allow FROM main.document ORDER BY id';
/** Without rules by path, only documents that name groups, or did so, can differ. */
const NAMING =
  "SELECT id, path, allowed, allow FROM main.document WHERE allowed IS NOT NULL OR allow <> '' ORDER BY id";

/** The lists of a document that was just read or stored. */
function keyOf(row: Row, rules: GroupRules | undefined): string {
  const path = text(row['path']);
  const own = textOrNull(row['allowed']);
  // Written by `stageDocuments` under the same schema version.
  const ofDocument = own === null ? [] : [storedJson(own) as string[]];
  const stored = readListsKey(text(row['allow'])).filter((list) => rules?.keepsStored(path, list, false));
  return listsKey(plainLists([...ofDocument, ...(rules?.listsFor(path) ?? []), ...stored]));
}

/** Stores which groups may see each document, where that has changed. @returns true if it has for any document */
export function writeGroups(database: Database, rules: GroupRules | undefined): boolean {
  const changed: { id: number; key: string }[] = [];
  for (const row of database.prepare(rules?.isUsed ? ALL : NAMING).iterate()) {
    const key = keyOf(row, rules);
    if (key !== row['allow']) changed.push({ id: Number(row['id']), key });
  }
  const write = database.prepare('UPDATE main.document SET allow = ? WHERE id = ?');
  for (const { id, key } of changed) write.run(key, id);
  return changed.length > 0;
}

/** Each combination of lists that some document has, but that of no list, sorted. */
export function groupKeys(database: Database): string[] {
  return database
    .prepare("SELECT DISTINCT allow FROM main.document WHERE allow <> '' ORDER BY allow")
    .all()
    .map((row) => text(row['allow']));
}

/** Number of documents that only some groups may see. */
export function countLimited(database: Database): number {
  return Number(database.prepare("SELECT count(*) AS n FROM main.document WHERE allow <> ''").get()?.['n']);
}

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

/** The settings of a corpus as the index stores them. */
export function settingsMeta(settings: IndexSettings): Record<string, string> {
  return {
    project_id: settings.projectId,
    environment: settings.environment,
    root: settings.root,
    site_urls: JSON.stringify(settings.siteUrls),
    untrusted: JSON.stringify(settings.untrusted ?? []),
    corpus: JSON.stringify(settings.corpus),
  };
}
