import { rowsByKey } from '../../core/collections/group-rows.js';
import { entityKey } from '../../core/entity-key.js';
import type { EntityType } from '../../core/graph-model.js';
import { nodeId, type NodeKind, readNodeId } from '../../core/node-id.js';
import type { GraphNode } from '../../core/ports/graph-store.port.js';
import { entityNode } from '../../graph/entity-node.js';
import { snippetOf } from '../../graph/snippet-of.js';
import { estimateTokens } from '../../text/estimate-tokens.js';
import { searchTerms } from '../../text/terms/search-terms.js';
import { type Row, type Statement, text, textOrNull } from '../driver.js';
import type { Visibility } from '../index/find-rows.js';
import { readAllow } from '../index/stored-sections.js';
import { OWNED } from './graph-ways.js';

/** A node id is shortened only if the path or id that it contains has more characters than this. */
const LONG_CHARS = 250;

/** Identifies a node by its kind and its row id. */
export interface NodeRow {
  readonly kind: NodeKind;
  readonly row: number;
}

interface FoundNode {
  readonly key: NodeRow;
  readonly node: GraphNode;
}

const PLACE_SQL = `SELECT p.id, p.node_id, p.title, p.level, p.anchor, d.doc_tag, d.repository, d.allow,
    CASE WHEN p.id > 0 THEN (SELECT s.text FROM section s WHERE s.id = p.id) END AS text
  FROM graph_place p JOIN document d ON d.id = p.document_id`;
const STEP_SQL = `SELECT t.id, t.number, t.title, p.node_id, d.doc_tag, d.repository, d.allow FROM graph_step t
  JOIN graph_place p ON p.id = t.place_id JOIN document d ON d.id = p.document_id`;
const DOCUMENT_SQL = 'SELECT d.id, d.path, d.title, d.doc_tag, d.repository, d.allow FROM document d';
/** All requested row ids are passed as one JSON array. */
const LISTED = '(SELECT value FROM json_each(?))';
/** The spelling and type of an entity in visible sections. */
const ENTITY_SQL = `SELECT e.id, e.key, m.type, m.name, count(DISTINCT m.place_id) AS places
  FROM graph_entity e JOIN graph_mention m ON m.entity_id = e.id AND m.source <> 1`;
const IN_DOCUMENT = 'JOIN graph_place p ON p.id = m.place_id JOIN document d ON d.id = p.document_id';

/** Finds visible nodes in one transaction. */
export class GraphNodes {
  private readonly and: string;
  private readonly values: Visibility['values'];
  private readonly entitySql: string;

  constructor(
    private readonly prepare: (sql: string) => Statement,
    { conditions, values }: Visibility,
    private readonly withSnippet: boolean,
  ) {
    this.and = conditions.map((sql) => ` AND ${sql}`).join('');
    this.values = values;
    this.entitySql = conditions.length > 0 ? `${ENTITY_SQL} ${IN_DOCUMENT}` : ENTITY_SQL;
  }

  /** The visible node with an id. A path stands for its document unless it is the id of a section; a name stands for an entity. */
  find(id: string): FoundNode | null {
    const { places, paths, step, isBound, name } = readNodeId(id);
    return (
      first(places, (place) => this.place(place)) ??
      first(paths, (path) => this.document(path)) ??
      (step && this.step(step.place, step.number)) ??
      (isBound ? this.bound(id) : null) ??
      this.entity(name)
    );
  }

  /** The visible nodes of some rows, in any order; one query per kind. */
  at(keys: readonly NodeRow[]): GraphNode[] {
    const rowsOf = (kind: NodeKind): number[] => keys.flatMap((key) => (key.kind === kind ? [key.row] : []));
    return [
      ...this.rows(`${PLACE_SQL} WHERE p.id IN ${LISTED}`, rowsOf('place')).map((row) => this.placeNode(row)),
      ...this.rows(`${DOCUMENT_SQL} WHERE d.id IN ${LISTED}`, rowsOf('document')).map(documentNode),
      ...this.rows(`${STEP_SQL} WHERE t.id IN ${LISTED}`, rowsOf('step')).map((row) => this.stepNode(row)),
      ...this.entities(rowsOf('entity')),
    ];
  }

  private rows(sql: string, ids: readonly number[]): Row[] {
    if (ids.length === 0) return [];
    return this.prepare(`${sql}${this.and}`).all(JSON.stringify(ids), ...this.values);
  }

  private row(sql: string, ...values: (string | number)[]): Row | undefined {
    return this.prepare(`${sql}${this.and}`).get(...values, ...this.values);
  }

  private place(id: string): FoundNode | null {
    const row = this.row(`${PLACE_SQL} WHERE p.node_id = ?`, id);
    return row ? { key: { kind: 'place', row: Number(row['id']) }, node: this.placeNode(row) } : null;
  }

  private placeNode(row: Row): GraphNode {
    const isSection = Number(row['id']) > 0;
    return aNode(text(row['node_id']), row, {
      label: isSection ? 'Section' : 'Heading',
      level: Number(row['level']),
      tokens: isSection ? estimateTokens(text(row['text'])) : 0,
      anchor: textOrNull(row['anchor']),
      snippet: isSection && this.withSnippet ? snippetOf(text(row['text'])) : null,
    });
  }

  /** Resolves a shortened id: builds the ids of all candidates again and compares them. */
  private bound(id: string): FoundNode | null {
    const documents = this.prepare(`SELECT d.path FROM document d WHERE length(d.path) > ?${this.and}`);
    for (const row of documents.all(LONG_CHARS, ...this.values))
      if (nodeId('document', text(row['path'])) === id) return this.document(text(row['path']));
    const steps = this
      .prepare(`SELECT p.node_id, t.number FROM graph_step t JOIN graph_place p ON p.id = t.place_id
      JOIN document d ON d.id = p.document_id WHERE length(p.node_id) > ?${this.and}`);
    for (const row of steps.all(LONG_CHARS, ...this.values)) {
      const number = Number(row['number']);
      if (nodeId('step', text(row['node_id']), number) === id) return this.step(text(row['node_id']), number);
    }
    return null;
  }

  private document(path: string): FoundNode | null {
    const row = this.row(`${DOCUMENT_SQL} WHERE d.path = ?`, path);
    return row ? { key: { kind: 'document', row: Number(row['id']) }, node: documentNode(row) } : null;
  }

  private step(place: string, number: number): FoundNode | null {
    const row = this.row(`${STEP_SQL} WHERE p.node_id = ? AND t.number = ?`, place, number);
    return row ? { key: { kind: 'step', row: Number(row['id']) }, node: this.stepNode(row) } : null;
  }

  private stepNode(row: Row): GraphNode {
    const id = nodeId('step', text(row['node_id']), Number(row['number']));
    return aNode(id, row, { label: 'Step', snippet: this.withSnippet ? text(row['title']) : null });
  }

  /** Finds an entity by its key or any spelling of its name. */
  private entity(name: string): FoundNode | null {
    const look = this.prepare('SELECT id FROM graph_entity WHERE key = ?');
    for (const key of [name, entityKey(name), searchTerms(name).join(' ')]) {
      const row = look.get(key)?.['id'];
      const [node] = row === undefined ? [] : this.entities([Number(row)]);
      if (node) return { key: { kind: 'entity', row: Number(row) }, node };
    }
    return null;
  }

  private entities(ids: readonly number[]): GraphNode[] {
    if (ids.length === 0) return [];
    const json = JSON.stringify(ids);
    const look = this.prepare(
      `${this.entitySql} WHERE e.id IN ${LISTED}${this.and} GROUP BY e.id, m.type, m.name`,
    );
    const rowsOf = rowsByKey<Row, number>(look.all(json, ...this.values), (row) => Number(row['id']));
    const sections = this.sectionsOf(json);
    return [...rowsOf].map(([id, rows]) => toEntity(rows, sections.get(id) ?? 0));
  }

  /** Number of visible sections that mention each entity. */
  private sectionsOf(ids: string): ReadonlyMap<number, number> {
    const isOpen = this.and === '';
    const owned = isOpen ? '' : OWNED.replace('{visible}', this.and);
    const sql = `SELECT m.entity_id AS id, count(DISTINCT m.place_id) AS n FROM graph_mention m ${isOpen ? '' : IN_DOCUMENT}
      WHERE m.entity_id IN ${LISTED}${this.and}${owned} GROUP BY m.entity_id`;
    const rows = this.prepare(sql).all(ids, ...this.values, ...(isOpen ? [] : this.values));
    return new Map(rows.map((row) => [Number(row['id']), Number(row['n'])]));
  }
}

function toEntity(rows: readonly Row[], sections: number): GraphNode {
  const calls = rows.map((row) => ({
    // Only entity types are written to this column.
    type: text(row['type']) as EntityType,
    name: text(row['name']),
    places: Number(row['places']),
  }));
  return entityNode(text(rows[0]?.['key']), calls, sections);
}

function documentNode(row: Row): GraphNode {
  return aNode(nodeId('document', text(row['path'])), row, { label: 'Document', level: 0 });
}

function first<T>(all: readonly string[], find: (each: string) => T | null): T | null {
  for (const each of all) {
    const found = find(each);
    if (found) return found;
  }
  return null;
}

function aNode(
  id: string,
  row: Row,
  { label, ...parts }: Pick<GraphNode, 'label'> & Partial<GraphNode>,
): GraphNode {
  return {
    id,
    label,
    title: text(row['title']),
    level: null,
    tokens: 0,
    ...readAllow(row),
    docTag: text(row['doc_tag']),
    repository: text(row['repository']),
    anchor: null,
    sections: null,
    snippet: null,
    ...parts,
  };
}
