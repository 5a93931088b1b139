import { rowsByKey } from '../../core/collections/group-rows.js';
import { entityKey } from '../../core/entity-key.js';
import type { EntityType, NodeLabel } from '../../core/graph-model.js';
import { asEntityId, nodeId, type NodeKind, readNodeId } from '../../core/node-id.js';
import type { GraphNode } from '../../core/ports/graph-store.port.js';
import { type Scope, scopeAllows } from '../../core/scope.js';
import { type EntityCall, entityNode } from '../../graph/entity-node.js';
import { searchTerms } from '../../text/terms/search-terms.js';
import { matchNode } from './graph-slot.js';
import { readCall } from './mentioned-entities.js';
import type { Neo4jRow, RunCypher } from './neo4j-connection.js';
import type { NodeNumber } from './neo4j-walker.js';
import type { VisibleNodes } from './visible-nodes.js';

/** A visible node and its number. */
export interface FoundNode {
  readonly number: NodeNumber;
  readonly node: GraphNode;
}

type CypherValues = Readonly<Record<string, unknown>>;

interface Candidate {
  readonly kind: NodeKind;
  readonly id: string;
}

const KINDS: readonly (readonly [label: string, kind: NodeKind])[] = [
  ['Document', 'document'],
  ['Place', 'place'],
  ['Step', 'step'],
  ['Entity', 'entity'],
];

/** The candidates for an id, by priority; see `GraphStore.describe`. */
function candidates(id: string): Candidate[] {
  const { places, paths, step, isBound, name } = readNodeId(id);
  const steps = step ? [nodeId('step', step.place, step.number)] : [];
  const documents = paths.map((path) => nodeId('document', path));
  const keys = [...new Set([name, entityKey(name), searchTerms(name).join(' ')])];
  const entities = keys.map((key) => nodeId('entity', key));
  const of = (kind: NodeKind, ids: readonly string[]): Candidate[] => ids.map((each) => ({ kind, id: each }));
  return [
    ...of('place', places),
    ...of('document', documents),
    ...of('step', steps),
    ...(isBound ? [...of('document', [id]), ...of('step', [id])] : []),
    ...of('entity', entities),
  ];
}

const keyOf = ({ kind, id }: Candidate): string => `${kind} ${id}`;

/** Finds visible nodes in one transaction. */
export class Neo4jNodes {
  constructor(
    private readonly run: RunCypher,
    private readonly scope: Scope,
    private readonly visible: VisibleNodes,
    private readonly withSnippet: boolean,
  ) {}

  /** Returns the visible node for each id; null if there is none. */
  async find(ids: readonly string[]): Promise<(FoundNode | null)[]> {
    const all = ids.map(candidates);
    const found = await this.look('id', [...new Set(all.flat().map(({ id }) => id))]);
    const known = new Map(found.map((each) => [keyOf({ kind: each.number.kind, id: each.node.id }), each]));
    return all.map((each) => each.map((one) => known.get(keyOf(one))).find(Boolean) ?? null);
  }

  /** Returns the visible nodes with these numbers, in any order. */
  async at(numbers: readonly NodeNumber[]): Promise<GraphNode[]> {
    const wanted = numbers.map(({ no }) => no);
    return (await this.look('no', wanted)).map(({ node }) => node);
  }

  private async look(by: 'id' | 'no', wanted: readonly (string | number)[]): Promise<FoundNode[]> {
    if (wanted.length === 0) return [];
    const values = { ...this.visible.values, wanted, withSnippet: this.withSnippet };
    const node = `UNWIND $given.wanted AS wanted ${matchNode('n', by, 'wanted')}`;
    const others = `${node} WHERE NOT n:Entity AND ${this.visible.of('n')}
      RETURN n.no AS no, labels(n) AS labels, n.id AS id, n.title AS title, n.level AS level, n.tokens AS tokens,
        n.docTag AS docTag, n.repository AS repository, n.allow AS allow, n.anchor AS anchor,
        CASE WHEN $given.withSnippet THEN n.snippet END AS snippet`;
    const [rows, entities] = await Promise.all([
      this.run(others, values),
      this.visible.isOpen ? this.allEntities(node, values) : this.visibleEntities(node, values),
    ]);
    return [...rows.flatMap((row) => this.toNode(row)), ...entities];
  }

  private toNode(row: Neo4jRow): FoundNode[] {
    const docTag = String(row['docTag']);
    const repository = String(row['repository']);
    const lists = this.visible.listsOf(row['allow']);
    const groups = lists.length > 0 ? { allow: lists } : {};
    // The statement already filters by scope; this is a second check.
    if (!scopeAllows(this.scope, { docTag, repository, ...groups })) return [];
    // Only known labels are written.
    const labels = row['labels'] as string[];
    const [, kind] = KINDS.find(([label]) => labels.includes(label)) ?? ['', 'place' as const];
    const label = labels.find((each) => each !== 'Pith' && each !== 'Place') as NodeLabel;
    const node = {
      id: String(row['id']),
      label,
      title: String(row['title']),
      level: numberOrNull(row['level']),
      tokens: Number(row['tokens'] ?? 0),
      ...groups,
      docTag,
      repository,
      anchor: textOrNull(row['anchor']),
      sections: null,
      snippet: textOrNull(row['snippet']),
    };
    return [{ number: { kind, no: Number(row['no']) }, node }];
  }

  /** If everything is visible, the stored properties of an entity are used. */
  private async allEntities(node: string, values: CypherValues): Promise<FoundNode[]> {
    const rows = await this.run(
      `${node} WHERE n:Entity AND n.type IS NOT NULL
        RETURN n.no AS no, n.id AS id, n.type AS type, n.title AS name, n.sections AS sections`,
      values,
    );
    return rows.map((row) => {
      // Only known types are written.
      const call = { type: row['type'] as EntityType, name: String(row['name']), places: 1 };
      return toEntity(row, [call], Number(row['sections']));
    });
  }

  /** Within a scope, name and type of an entity come from the mentions in visible sections. */
  private async visibleEntities(node: string, values: CypherValues): Promise<FoundNode[]> {
    const seen = `MATCH (n)<-[r:MENTIONS]-(p:Place) WHERE ${this.visible.of('p')}`;
    const [called, counted] = await Promise.all([
      this.run(
        `${node} WHERE n:Entity ${seen} UNWIND r.calls AS call
          RETURN n.no AS no, n.id AS id, call, count(*) AS places`,
        values,
      ),
      this.run(
        `${node} WHERE n:Entity WITH n, ${this.visible.owns('n')} AS owned ${seen} AND (owned OR r.own > 0)
          RETURN n.no AS no, count(*) AS sections`,
        values,
      ),
    ]);
    const sections = new Map(counted.map((row) => [row['no'], Number(row['sections'])]));
    return [...rowsByKey(called, (row) => row['no'])].flatMap(([no, rows]) => {
      const calls = rows.map((row) => readCall(String(row['call']), Number(row['places'])));
      return rows[0] ? [toEntity(rows[0], calls, sections.get(no) ?? 0)] : [];
    });
  }
}

function toEntity(row: Neo4jRow, calls: readonly EntityCall[], sections: number): FoundNode {
  const key = readNodeId(asEntityId(String(row['id']))).name;
  return { number: { kind: 'entity', no: Number(row['no']) }, node: entityNode(key, calls, sections) };
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);
