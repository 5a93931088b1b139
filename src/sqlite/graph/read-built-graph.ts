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
} from '../../ingest/built-index.js';
import { estimateTokens } from '../../text/estimate-tokens.js';
import { type Database, type Row, type Statement, text, textOrNull } from '../driver.js';

const DOCUMENTS = 'SELECT d.path, d.title, d.doc_tag, d.repository FROM document d ORDER BY d.path';
const PLACES = `SELECT p.id, p.node_id, d.path, p.position, above.node_id AS parent, p.level, p.title, p.anchor,
    CASE WHEN p.id > 0 THEN (SELECT s.text FROM section s WHERE s.id = p.id) END AS text
  FROM graph_place p JOIN document d ON d.id = p.document_id LEFT JOIN graph_place above ON above.id = p.parent_id
  ORDER BY d.path, p.position`;
const STEPS = `SELECT p.node_id AS place, t.number, t.title FROM graph_step t JOIN graph_place p ON p.id = t.place_id
  ORDER BY p.node_id, t.number`;
const LINKS = `SELECT p.node_id AS place, d.path, l.relation, t.path AS target, a.node_id AS target_place
  FROM graph_link l JOIN graph_place p ON p.id = l.place_id JOIN document d ON d.id = l.document_id
    JOIN document t ON t.id = l.target_document_id LEFT JOIN graph_place a ON a.id = l.target_place_id
  ORDER BY d.path, p.node_id, l.id`;
const MENTIONS = `SELECT e.key, p.node_id AS place, m.source, m.type, m.name, m.count, m.is_defined
  FROM graph_mention m JOIN graph_entity e ON e.id = m.entity_id JOIN graph_place p ON p.id = m.place_id
  ORDER BY m.entity_id, m.place_id, m.source`;
const CONCEPTS = `SELECT e.key, c.homes, c.mentioned_by FROM graph_concept c JOIN graph_entity e ON e.id = c.entity_id
  ORDER BY e.key`;
const OWNERS = `SELECT e.key, d.path, p.node_id AS place
  FROM graph_concept c JOIN graph_title t ON t.key = c.terms JOIN graph_entity e ON e.id = c.entity_id
    JOIN document d ON d.id = t.document_id LEFT JOIN graph_place p ON p.id = t.place_id
  ORDER BY e.key, d.path, p.node_id`;

/** Number of nodes plus an upper bound for the number of relations. */
const SIZE = `SELECT (SELECT count(*) FROM document) + 4 * (SELECT count(*) FROM graph_place)
  + 2 * (SELECT count(*) FROM graph_step) + 2 * (SELECT count(*) FROM graph_link WHERE target_document_id IS NOT NULL)
  + (SELECT count(*) FROM graph_entity) + 2 * (SELECT count(*) FROM graph_mention) 
  + (SELECT count(*) FROM graph_concept c JOIN graph_title t ON t.key = c.terms) AS n`;

function toDocument(row: Row): GraphDocument {
  return {
    path: text(row['path']),
    title: text(row['title']),
    docTag: text(row['doc_tag']),
    repository: text(row['repository']),
  };
}

function toPlace(row: Row): BuiltPlace {
  const isSection = Number(row['id']) > 0;
  return {
    id: text(row['node_id']),
    document: text(row['path']),
    position: Number(row['position']),
    parent: textOrNull(row['parent']),
    level: Number(row['level']),
    title: text(row['title']),
    anchor: textOrNull(row['anchor']),
    isSection,
    tokens: isSection ? estimateTokens(text(row['text'])) : 0,
    snippet: isSection ? snippetOf(text(row['text'])) : null,
  };
}

function toStep(row: Row): BuiltStep {
  return { place: text(row['place']), number: Number(row['number']), title: text(row['title']) };
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

/** Reads the graph of an index row by row. @param database  in a read transaction that stays open */
export function readBuiltGraph(database: Database): BuiltGraph {
  // Kept in a variable: if a statement is collected while its rows are read, the rows are lost.
  const statements = new Set<Statement>();
  const rows = <T>(sql: string, of: (row: Row) => T) =>
    function* (): Iterable<T> {
      const statement = database.prepare(sql);
      statements.add(statement);
      for (const row of statement.iterate()) yield of(row);
      statements.delete(statement);
    };
  return {
    size: Number(database.prepare(SIZE).get()?.['n'] ?? 0),
    documents: rows(DOCUMENTS, toDocument),
    places: rows(PLACES, toPlace),
    steps: rows(STEPS, toStep),
    links: rows(LINKS, toLink),
    mentions: rows(MENTIONS, toMention),
    concepts: rows(CONCEPTS, toConcept),
    owners: rows(OWNERS, toOwner),
  };
}
