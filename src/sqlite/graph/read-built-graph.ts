import type { EntityType } from '../../core/graph-model.js';
import { snippetOf } from '../../graph/snippet-of.js';
import type {
  BuiltConcept,
  BuiltGraph,
  BuiltLink,
  BuiltMention,
  BuiltOwner,
  BuiltPlace,
  BuiltStep,
  GraphDocument,
  GraphHome,
  GraphPart,
  PublishedRun,
} from '../../ingest/built-index.js';
import { estimateTokens } from '../../text/estimate-tokens.js';
import { type Database, type Row, type Statement, text, textOrNull } from '../driver.js';
import { readAllow } from '../index/stored-sections.js';
import { hasGraphChanges, runKey } from './graph-changes.js';

/** Number of distinct (source, relation) pairs of the links with a condition. */
const crowd = (source: 'place_id' | 'document_id', condition: string): string =>
  `(SELECT count(*) FROM (SELECT DISTINCT ${source}, relation FROM graph_link WHERE ${condition}))`;
const HOME = 'd.path, d.doc_tag, d.repository, d.allow';

const DOCUMENTS = `SELECT ${HOME}, d.title, ${crowd('place_id', 'target_document_id = d.id')} AS from_places,
    ${crowd('document_id', 'target_document_id = d.id')} AS from_documents
  FROM document d {of documents} ORDER BY d.path`;
const PLACES = `SELECT p.id, p.node_id, ${HOME}, p.position, above.node_id AS parent, p.level, p.title, p.anchor,
    CASE WHEN p.id > 0 THEN (SELECT s.text FROM section s WHERE s.id = p.id) END AS text,
    ${crowd('place_id', 'target_place_id = p.id')} AS from_places
  FROM graph_place p JOIN document d ON d.id = p.document_id LEFT JOIN graph_place above ON above.id = p.parent_id
  {of documents} ORDER BY d.path, p.position`;
const STEPS = `SELECT p.node_id AS place, ${HOME}, t.number, t.title
  FROM graph_step t JOIN graph_place p ON p.id = t.place_id JOIN document d ON d.id = p.document_id
  {of documents} ORDER BY p.node_id, t.number`;
const LINKS = `SELECT p.node_id AS place, d.path, l.relation, t.path AS target, a.node_id AS target_place
  FROM graph_link l JOIN graph_place p ON p.id = l.place_id JOIN document d ON d.id = l.document_id
    JOIN document t ON t.id = l.target_document_id LEFT JOIN graph_place a ON a.id = l.target_place_id
  {of documents} ORDER BY d.path, p.node_id, l.id`;
const MENTIONS = `SELECT e.key, p.node_id AS place, m.source, m.type, m.name, m.count, m.is_defined
  FROM graph_mention m JOIN graph_entity e ON e.id = m.entity_id JOIN graph_place p ON p.id = m.place_id`;
const IN_ORDER = 'ORDER BY m.entity_id, m.place_id, m.source';
const DOCUMENT_MENTIONS = `${MENTIONS} JOIN document d ON d.id = p.document_id {of documents} ${IN_ORDER}`;
const ENTITY_MENTIONS = `${MENTIONS} {of entities} ${IN_ORDER}`;
const CONCEPTS = `SELECT e.key, c.homes, c.mentioned_by FROM graph_concept c JOIN graph_entity e ON e.id = c.entity_id
  {of entities} ORDER BY e.key`;
const OWNERS = `SELECT e.key, d.path, p.node_id AS place
  FROM graph_concept c JOIN graph_title t ON t.key = c.terms JOIN graph_entity e ON e.id = c.entity_id
    JOIN document d ON d.id = t.document_id AND EXISTS (SELECT 1 FROM graph_place o WHERE o.document_id = d.id)
    LEFT JOIN graph_place p ON p.id = t.place_id
  {of entities} ORDER BY e.key, d.path, p.node_id`;

/** Number of nodes plus an upper bound for the number of relations. */
const SIZE = `SELECT (SELECT count(*) FROM document) + 4 * (SELECT count(*) FROM graph_place)
  + 2 * (SELECT count(*) FROM graph_step) + 2 * (SELECT count(*) FROM graph_link WHERE target_document_id IS NOT NULL)
  + (SELECT count(*) FROM graph_entity) + 2 * (SELECT count(*) FROM graph_mention) 
  + (SELECT count(*) FROM graph_concept c JOIN graph_title t ON t.key = c.terms) AS n`;

function toHome(row: Row): GraphHome {
  const [path, docTag, repository] = [text(row['path']), text(row['doc_tag']), text(row['repository'])];
  return { path, docTag, repository, ...readAllow(row) };
}

function toDocument(row: Row): GraphDocument {
  return {
    ...toHome(row),
    title: text(row['title']),
    fromPlaces: Number(row['from_places']),
    fromDocuments: Number(row['from_documents']),
  };
}

function toPlace(row: Row): BuiltPlace {
  const isSection = Number(row['id']) > 0;
  return {
    ...toHome(row),
    id: text(row['node_id']),
    position: Number(row['position']),
    parent: textOrNull(row['parent']),
    level: Number(row['level']),
    title: text(row['title']),
    anchor: textOrNull(row['anchor']),
    isSection,
    tokens: isSection ? estimateTokens(text(row['text'])) : 0,
    snippet: isSection ? snippetOf(text(row['text'])) : null,
    fromPlaces: Number(row['from_places']),
  };
}

function toStep(row: Row): BuiltStep {
  const [place, title] = [text(row['place']), text(row['title'])];
  return { ...toHome(row), place, number: Number(row['number']), title };
}

function toLink(row: Row): BuiltLink {
  return {
    place: text(row['place']),
    document: text(row['path']),
    relation: row['relation'] === 'RELATED_TO' ? 'RELATED_TO' : 'REFERENCES',
    targetDocument: text(row['target']),
    targetPlace: textOrNull(row['target_place']),
  };
}

function toMention(row: Row): BuiltMention {
  return {
    entity: text(row['key']),
    place: text(row['place']),
    // Only these values are written to these columns.
    source: Number(row['source']) as 0 | 1 | 2,
    type: text(row['type']) as EntityType,
    name: text(row['name']),
    count: Number(row['count']),
    isDefined: Number(row['is_defined']) > 0,
  };
}

function toConcept(row: Row): BuiltConcept {
  return { entity: text(row['key']), homes: Number(row['homes']), mentionedBy: Number(row['mentioned_by']) };
}

function toOwner(row: Row): BuiltOwner {
  return { entity: text(row['key']), document: text(row['path']), place: textOrNull(row['place']) };
}

/** Reads what may differ from the graph that a run published. */
function readChanges(database: Database, { generation, indexedAt }: PublishedRun): GraphPart | null {
  const meta = database.prepare("SELECT value FROM meta WHERE key = 'index_id'").get();
  const [indexId, number] = generation.split(':');
  if (indexId !== meta?.['value'] || !hasGraphChanges(database)) return null;
  const run = database.prepare(`SELECT 1 FROM graph_change WHERE kind = 'run' AND key = ?`);
  if (!run.get(runKey(Number(number), indexedAt))) return null;
  const changed = database.prepare(
    'SELECT key FROM graph_change WHERE kind = ? AND generation > ? ORDER BY key',
  );
  const keys = (kind: string): string[] => changed.all(kind, Number(number)).map((row) => text(row['key']));
  return { documents: keys('document'), entities: keys('entity') };
}

/** Reads the graph of an index row by row. @param database  in a read transaction that stays open */
export function readBuiltGraph(database: Database, part: GraphPart | null = null): BuiltGraph {
  // Kept in a variable: if a statement is collected while its rows are read, the rows are lost.
  const statements = new Set<Statement>();
  const of = (column: string): string => (part ? `WHERE ${column} IN (SELECT value FROM json_each(?))` : '');
  const rows = <T>(sql: string, kind: keyof GraphPart, to: (row: Row) => T) =>
    function* (): Iterable<T> {
      const whole = sql.replace('{of documents}', of('d.path')).replace('{of entities}', of('e.key'));
      const statement = database.prepare(whole);
      statements.add(statement);
      const values = part ? [JSON.stringify(part[kind])] : [];
      for (const row of statement.iterate(...values)) yield to(row);
      statements.delete(statement);
    };
  return {
    // Takes long for a large graph.
    get size() {
      return Number(database.prepare(SIZE).get()?.['n'] ?? 0);
    },
    documents: rows(DOCUMENTS, 'documents', toDocument),
    places: rows(PLACES, 'documents', toPlace),
    steps: rows(STEPS, 'documents', toStep),
    links: rows(LINKS, 'documents', toLink),
    mentions: rows(DOCUMENT_MENTIONS, 'documents', toMention),
    entityMentions: rows(ENTITY_MENTIONS, 'entities', toMention),
    concepts: rows(CONCEPTS, 'entities', toConcept),
    owners: rows(OWNERS, 'entities', toOwner),
    changedSince: (run) => {
      const changes = readChanges(database, run);
      return changes && { ...changes, graph: (some) => readBuiltGraph(database, some) };
    },
  };
}
