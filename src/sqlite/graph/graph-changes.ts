import { countIn, type Database } from '../driver.js';
import { GRAPH_CHANGE_TABLE } from '../schema.js';

/** Runs that are remembered: a copy of the graph that is older is filled again. */
const MAX_RUNS = 1_000;

/** Names a run. Two runs can have the same number if an index file was restored from a backup. */
export const runKey = (generation: number, indexedAt: string): string => `${generation} ${indexedAt}`;

const DOCUMENT = (id: string): string =>
  `INSERT INTO touched SELECT 'document', path FROM main.document WHERE id = ${id};`;
const DOCUMENT_OF_PLACE = (id: string): string =>
  DOCUMENT(`(SELECT document_id FROM main.graph_place WHERE id = ${id})`);
const ENTITY = (id: string): string =>
  `INSERT INTO touched SELECT 'entity', key FROM main.graph_entity WHERE id = ${id};`;

/** The entity, and the document of the place unless it is the one that is read in this run anyway. */
const mention = (row: 'new' | 'old'): string =>
  `${ENTITY(`${row}.entity_id`)} ${DOCUMENT_OF_PLACE(`iif(${row}.source > 0, ${row}.place_id, NULL)`)}`;

/** Whose nodes and relations change with a row. The entity of a concept has the terms of its title as key. */
const TOUCHES: Readonly<Record<string, string>> = {
  'INSERT ON main.document': "INSERT INTO touched VALUES ('document', new.path);",
  'DELETE ON main.document': "INSERT INTO touched VALUES ('document', old.path);",
  'UPDATE OF allow ON main.document': "INSERT INTO touched VALUES ('document', new.path);",
  'UPDATE ON main.graph_link': ['new.document_id', 'old.target_document_id', 'new.target_document_id']
    .map(DOCUMENT)
    .join(' '),
  'DELETE ON main.graph_link': DOCUMENT('old.target_document_id'),
  'INSERT ON main.graph_mention': mention('new'),
  'UPDATE ON main.graph_mention': mention('new'),
  'DELETE ON main.graph_mention': mention('old'),
  'INSERT ON main.graph_concept': ENTITY('new.entity_id'),
  'UPDATE OF mentioned_by ON main.graph_concept': ENTITY(
    'iif(new.mentioned_by <> old.mentioned_by, new.entity_id, NULL)',
  ),
  'DELETE ON main.graph_concept': ENTITY('old.entity_id'),
  'INSERT ON main.graph_title': "INSERT INTO touched VALUES ('entity', new.key);",
  'DELETE ON main.graph_title': "INSERT INTO touched VALUES ('entity', old.key);",
};
const TRIGGERS = Object.entries(TOUCHES).map(([event, notes], i) => [`touch_${i}`, event, notes] as const);

// Rows repeat: a conflict clause of the statement that fires a trigger would replace the clause in it.
const WATCH = `DROP TABLE IF EXISTS temp.touched; CREATE TEMP TABLE touched (kind TEXT, key TEXT);
  ${TRIGGERS.map(([name, event, notes]) => `CREATE TEMP TRIGGER ${name} AFTER ${event} BEGIN ${notes} END;`).join('\n')}`;
const KEEP = `INSERT OR REPLACE INTO main.graph_change SELECT DISTINCT kind, key, ? FROM temp.touched`;
const UNWATCH = `${TRIGGERS.map(([name]) => `DROP TRIGGER temp.${name};`).join(' ')} DROP TABLE temp.touched;`;

/** True if the index was published by a version that records changes. */
export function hasGraphChanges(database: Database): boolean {
  return countIn(database, "main.sqlite_schema WHERE name = 'graph_change'") > 0;
}

/** Notes from now on which documents and entities change in the graph. */
export function watchGraph(database: Database): void {
  database.exec(WATCH);
}

/** Forgets what was noted, since nothing changed. */
export function unwatchGraph(database: Database): void {
  database.exec(UNWATCH);
}

/** A run that publishes. */
interface Run {
  readonly generation: number;
  readonly indexedAt: string;
  /** False if this run may have changed everything. */
  readonly isWatched: boolean;
}

/** Stores what changed in this run, so that copies of the graph can follow without reading all of it. */
export function keepGraphChanges(database: Database, { generation, indexedAt, isWatched }: Run): void {
  database.exec(GRAPH_CHANGE_TABLE);
  if (isWatched) {
    database.prepare(KEEP).run(generation);
    database.exec(UNWATCH);
  } else database.exec('DELETE FROM main.graph_change');
  const put = database.prepare("INSERT OR REPLACE INTO main.graph_change VALUES ('run', ?, ?)");
  put.run(runKey(generation, indexedAt), generation);
  const forget = database.prepare("DELETE FROM main.graph_change WHERE kind = 'run' AND generation <= ?");
  forget.run(generation - MAX_RUNS);
}
