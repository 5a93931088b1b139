import { setImmediate } from 'node:timers/promises';
import type { Embedder } from '../../core/ports/embedder.port.js';
import type { IndexSettings, OnStep, PublishReport } from '../../core/ports/index-writer.port.js';
import { countIn, type Database } from '../driver.js';
import { keepGraphChanges, unwatchGraph, watchGraph } from '../graph/graph-changes.js';
import { graphReport } from '../graph/graph-report.js';
import { inLongTransaction, inTransaction } from '../in-transaction.js';
import { countKeys } from '../index/read-taxonomy.js';
import { generationName } from '../index-file.js';
import {
  APPLICATION_ID,
  DOCUMENT_FIELDS,
  DROP_MAIN_TABLES,
  fileIdentity,
  MAIN_TABLES,
  SECTION_FIELDS,
} from '../schema.js';
import { forgetRows } from './forget-rows.js';
import { writeConcepts } from './write-concepts.js';
import { writeGraph } from './write-graph.js';
import { writeLinkTargets } from './write-link-targets.js';
import { writePostings } from './write-postings.js';
import { countLimited, groupKeys, settingsMeta, writeGroups, writeResources } from './write-settings.js';
import { writeTitles } from './write-titles.js';
import { addMissing, openSpace, vectorWriter } from './write-vectors.js';

/** With more changed documents, copies of the graph are filled again. */
const MAX_WATCHED = 1_000;

interface PublishInput {
  readonly present: ReadonlyMap<string, string>;
  readonly settings: IndexSettings;
  /** Drop all published rows first. */
  readonly rebuild: boolean;
  readonly indexedAt: string;
  readonly newId: () => string;
  readonly embedder: Embedder;
  readonly onStep: OnStep;
}

const MOVE = `
  INSERT INTO main.document (${DOCUMENT_FIELDS}) SELECT ${DOCUMENT_FIELDS} FROM stage.document ORDER BY path;
  CREATE TEMP TABLE moved (id INTEGER PRIMARY KEY, document_id INTEGER, staged_id INTEGER);
  INSERT INTO temp.moved
    SELECT row_number() OVER (ORDER BY d.id, s.ordinal) + (SELECT coalesce(max(id), 0) FROM main.section),
           d.id, s.id
    FROM stage.document t CROSS JOIN main.document d ON d.path = t.path CROSS JOIN stage.section s ON s.document_id = t.id;
  INSERT INTO main.section (id, document_id, ${SECTION_FIELDS})
    SELECT m.id, m.document_id, ${SECTION_FIELDS} FROM temp.moved m CROSS JOIN stage.section s ON s.id = m.staged_id;
  INSERT INTO main.section_fts (rowid, title, headings, file, body)
    SELECT m.id, s.title_terms, s.heading_terms, s.file_terms, s.body_terms
    FROM temp.moved m CROSS JOIN stage.section s ON s.id = m.staged_id;
  INSERT OR IGNORE INTO main.acronym (short, section_id, long)
    SELECT a.value ->> 'short', m.id, a.value ->> 'long'
    FROM temp.moved m CROSS JOIN stage.section s ON s.id = m.staged_id CROSS JOIN json_each(s.acronyms) a;
  INSERT INTO main.document_facet (document_id, key, value)
    SELECT d.id, f.key, f.value
    FROM stage.document t CROSS JOIN main.document d ON d.path = t.path CROSS JOIN json_each(t.metadata) f;
`;

/** Removes staged documents that are published already, or that no longer exist in this version. */
function dropUnwanted(database: Database, present: ReadonlyMap<string, string>): void {
  const staged = database.prepare(
    'SELECT t.id, t.path, t.hash, d.hash AS had FROM stage.document t LEFT JOIN main.document d USING (path)',
  );
  const forgetSections = database.prepare('DELETE FROM stage.section WHERE document_id = ?');
  const forget = database.prepare('DELETE FROM stage.document WHERE id = ?');
  for (const row of staged.iterate()) {
    if (present.get(String(row['path'])) === row['hash'] && row['had'] !== row['hash']) continue;
    forgetSections.run(Number(row['id']));
    forget.run(Number(row['id']));
  }
}

function listGone(database: Database, present: ReadonlyMap<string, string>): number {
  database.exec(
    'DROP TABLE IF EXISTS temp.gone; CREATE TEMP TABLE gone (path TEXT PRIMARY KEY) WITHOUT ROWID',
  );
  const add = database.prepare('INSERT OR IGNORE INTO temp.gone VALUES (?)');
  let removed = 0;
  for (const { path } of database.prepare('SELECT path FROM main.document').iterate()) {
    if (present.has(String(path))) continue;
    add.run(String(path));
    removed++;
  }
  database.exec('INSERT OR IGNORE INTO temp.gone SELECT path FROM stage.document');
  return removed;
}

function writeMeta(database: Database, values: Readonly<Record<string, string>>): void {
  const put = database.prepare('INSERT OR REPLACE INTO main.meta VALUES (?, ?)');
  for (const [key, value] of Object.entries(values)) put.run(key, value);
}

/** The metadata of the published index; empty if nothing was published. */
export function readIndexMeta(database: Database): Map<string, string> {
  const exists = database.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'meta'").get();
  if (!exists) return new Map();
  const rows = database.prepare('SELECT key, value FROM main.meta').all();
  return new Map(rows.map((row) => [String(row['key']), String(row['value'])]));
}

/** The order matters: each step uses the results of the previous ones. */
const STEPS: readonly (readonly [name: string, run: (database: Database, input: PublishInput) => void])[] = [
  ['old rows', (database) => forgetRows(database)],
  [
    'sections',
    (database, { settings }) => {
      database.exec(MOVE);
      writeResources(database, settings.corpus);
    },
  ],
  [
    'vectors',
    (database, { embedder }) => {
      const space = openSpace(database, embedder);
      const addVector = vectorWriter(database, space);
      writePostings(database, (id, [title = [], headings = [], , body = []]) =>
        addVector(id, [...title, ...headings, ...body]),
      );
      addMissing(database, space);
    },
  ],
  [
    'graph',
    (database) => {
      writeGraph(database);
      writeTitles(database);
    },
  ],
  ['links', (database, { settings }) => writeLinkTargets(database, settings.siteUrls)],
  ['names', (database) => writeConcepts(database)],
];

async function moveRows(database: Database, input: PublishInput): Promise<void> {
  const before = countIn(database, 'main.section');
  for (const [done, [name, run]] of STEPS.entries()) {
    input.onStep({ name, done, total: STEPS.length });
    await setImmediate();
    run(database, input);
  }
  database.exec('DROP TABLE temp.moved');
  const after = countIn(database, 'main.section');
  // One segment is faster to search; merging pays only if most of the index is new.
  if (after > before * 2) database.exec("INSERT INTO main.section_fts (section_fts) VALUES ('optimize')");
}

/** @returns the generation, and the number of documents that were removed */
async function publishRows(
  database: Database,
  input: PublishInput,
): Promise<Pick<PublishReport, 'generation' | 'removed'>> {
  const meta = readIndexMeta(database);
  const indexId = meta.get('index_id') ?? input.newId();
  if (input.rebuild)
    database.exec(`${DROP_MAIN_TABLES} ${MAIN_TABLES} PRAGMA main.application_id = ${APPLICATION_ID}`);
  dropUnwanted(database, input.present);
  const removed = listGone(database, input.present);
  const settings = settingsMeta(input.settings);
  // If readers would see no change, the generation stays, and so cursors stay valid.
  const hasSameTexts =
    !input.rebuild &&
    countIn(database, 'temp.gone') === 0 &&
    Object.entries(settings).every(([key, value]) => meta.get(key) === value);
  const isWatched = !input.rebuild && countIn(database, 'temp.gone') <= MAX_WATCHED;
  if (isWatched) watchGraph(database);
  if (!hasSameTexts) await moveRows(database, input);
  const isSame = !writeGroups(database, input.settings.groupRules) && hasSameTexts;
  const generation = Number(meta.get('generation') ?? 0) + (isSame ? 0 : 1);
  if (isSame) unwatchGraph(database);
  else {
    keepGraphChanges(database, { generation, indexedAt: input.indexedAt, isWatched });
    writeMeta(database, {
      ...settings,
      groups: JSON.stringify(groupKeys(database)),
      identity: fileIdentity(input.embedder.profile),
      index_id: indexId,
      generation: String(generation),
      indexed_at: input.indexedAt,
      sections: String(countIn(database, 'main.section')),
    });
  }
  const indexedAt = isSame ? (meta.get('indexed_at') ?? '') : input.indexedAt;
  return { generation: generationName(indexId, generation, indexedAt), removed };
}

/** Moves all staged rows into the index in one transaction, so that readers see all of them or none. */
export async function publishStaged(database: Database, input: PublishInput): Promise<PublishReport> {
  const published = await inLongTransaction(database, () => publishRows(database, input));
  // If the process is killed before this transaction, the next publish removes the rows.
  inTransaction(database, () => database.exec('DELETE FROM stage.section; DELETE FROM stage.document'));
  // Readers see the rows already. No other run can change them before this one has closed the staging file.
  return {
    ...published,
    documents: countIn(database, 'main.document'),
    sections: countIn(database, 'main.section'),
    limited: countLimited(database),
    graph: graphReport(database),
    taxonomy: countKeys(database),
  };
}
