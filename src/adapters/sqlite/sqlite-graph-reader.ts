import { MAX_MENTIONED_BY } from '../../graph/title-concepts.js';
import type { Bridges, DescribedNodes, GraphQuery, Subgraph } from '../../graph/graph-store.port.js';
import { nodeId } from '../../graph/node-id.js';
import { walkGraph } from '../../graph/walk-graph.js';
import type { Neighbour } from '../../graph/walk-graph.js';
import type { Relation } from '../../graph/graph-model.js';
import { NO_FILTER } from '../../kb/section-index.port.js';
import type { Scope } from '../../scope/scope.js';
import type { Database, Statement } from './driver.js';
import { GraphNodes } from './graph-nodes.js';
import type { NodeRow } from './graph-nodes.js';
import { OWNED, WAYS } from './graph-ways.js';
import type { Way } from './graph-ways.js';
import type { IndexFile } from './index-file.js';
import { text } from './stored-sections.js';
import type { Row } from './stored-sections.js';
import { visibleRows } from './visible-rows.js';

/** What has more neighbours by one relation and direction says nothing of any of them, and is not walked through. */
const HUB = 100;
/** Neighbours of a seed that are looked at; the best of them count. */
const MOST = 20_000;

const bridgesAmong = (visible: string): string => `
  WITH own AS MATERIALIZED (
    SELECT s.id, s.section_id, s.document_id FROM section s JOIN document d ON d.id = s.document_id WHERE ${visible}),
  owned AS MATERIALIZED (
    SELECT own.id, own.section_id, own.document_id, o.entity_id FROM own JOIN graph_owner o ON o.document_id = own.document_id
      AND (o.place_id IS NULL OR o.place_id = own.id))
  SELECT DISTINCT own.section_id AS source, owned.section_id AS target
  FROM owned JOIN own ON own.document_id <> owned.document_id
    JOIN graph_mention m ON m.entity_id = owned.entity_id AND m.place_id = own.id AND m.source = 1
    JOIN graph_concept c ON c.entity_id = owned.entity_id
  WHERE c.mentioned_by <= ? ORDER BY 1, 2`;

/** Walks the graph in one index file, synchronously. */
export class SqliteGraphReader {
  constructor(private readonly file: IndexFile) {}

  describe(scope: Scope, ids: readonly string[], withSnippet: boolean): DescribedNodes {
    return this.file.read(scope, (database, { generation }) => {
      const nodes = new GraphNodes(this.preparing(database), visibleRows(scope, NO_FILTER));
      const found = ids.map((id) => nodes.find(id)?.node ?? null);
      return {
        generation,
        nodes: withSnippet ? found : found.map((node) => node && { ...node, snippet: null }),
      };
    });
  }

  walk(query: GraphQuery): Subgraph {
    return this.file.read(query.scope, (database, { generation }) => {
      const prepare = this.preparing(database);
      const nodes = new GraphNodes(prepare, visibleRows(query.scope, NO_FILTER));
      const walker = new Walker(prepare, query);
      const seeds = query.seeds.flatMap((id) => {
        const found = nodes.find(id);
        return found ? walker.meet(found.node.id, found.key) : [];
      });
      const walk = walkGraph([...new Set(seeds)], query, (id, isSeed) => walker.neighboursOf(id, isSeed));
      return { generation, ...walk };
    });
  }

  bridges(scope: Scope, sectionIds: readonly string[]): Bridges {
    return this.file.read(scope, (database, { generation }) => {
      const conditions = visibleRows(scope, { ...NO_FILTER, sectionIds });
      const visible = conditions.map(({ sql }) => sql).join(' AND ');
      const values = conditions.flatMap((condition) => [...condition.values]);
      const rows = this.file.prepare(database, bridgesAmong(visible)).all(...values, MAX_MENTIONED_BY);
      return {
        generation,
        bridges: rows.map((row) => ({ source: text(row['source']), target: text(row['target']) })),
      };
    });
  }

  private preparing(database: Database): (sql: string) => Statement {
    return (sql) => this.file.prepare(database, sql);
  }
}

/** Looks up neighbours in one transaction, each statement prepared once. */
class Walker {
  private readonly keys = new Map<string, NodeRow>();
  private readonly ways;

  constructor(prepare: (sql: string) => Statement, { scope, relations, direction }: GraphQuery) {
    const conditions = visibleRows(scope, NO_FILTER);
    const visible = conditions.map(({ sql }) => ` AND ${sql}`).join('');
    const isOpen = visible === '';
    const filled = (sql: string): string =>
      sql
        .replaceAll('{ofDocument}', isOpen ? '' : ' JOIN document d ON d.id = p.document_id')
        .replaceAll('{owned}', isOpen ? '' : OWNED);
    const values = conditions.flatMap((condition) => [...condition.values]);
    this.ways = WAYS.filter(
      (way) =>
        (direction === 'both' || way.isOutward === (direction === 'out')) &&
        way.relations.some((relation) => relations.includes(relation)),
    ).map((way) => ({
      way,
      wanted: way.relations.filter((relation) => relations.includes(relation)),
      values: filled(way.sql)
        .split('{visible}')
        .slice(1)
        .flatMap(() => values),
      // Within a scope only what is visible counts, and that has to be looked at.
      crowd:
        way.crowd && isOpen
          ? prepare(`SELECT count(*) AS n FROM (${way.crowd} LIMIT ${HUB * way.relations.length + 1})`)
          : null,
      statement: prepare(`SELECT * FROM (${filled(way.sql).replaceAll('{visible}', visible)}) LIMIT ?`),
    }));
  }

  /** Remembers which row an id stands for. */
  meet(id: string, key: NodeRow): string {
    this.keys.set(id, key);
    return id;
  }

  neighboursOf(id: string, isSeed: boolean): Neighbour[] {
    const key = this.keys.get(id);
    if (!key) return [];
    return this.ways
      .filter(({ way }) => way.from === key.kind)
      .flatMap(({ way, wanted, values, statement, crowd }) => {
        if (!isSeed && crowd && Number(crowd.get(key.row)?.['n']) > HUB * way.relations.length) return [];
        const most = isSeed ? MOST : HUB * way.rowsEach * way.relations.length + 1;
        const rows = statement.all(key.row, ...values, most);
        const found = this.merge(way, wanted, rows);
        if (isSeed) return found;
        return rows.length === most ? [] : withoutHubs(found);
      });
  }

  /** One neighbour for all rows of the same node and relation. */
  private merge(way: Way, wanted: readonly Relation[], rows: readonly Row[]): Neighbour[] {
    const found = new Map<string, Neighbour>();
    for (const row of rows) {
      const position = Number(row['position']);
      const id = this.meet(nodeId(way.to, text(row['name']), position), {
        kind: way.to,
        row: Number(row['id']),
      });
      for (const relation of relationsOf(way, row)) {
        if (!wanted.includes(relation)) continue;
        const known = found.get(`${id}\n${relation}`)?.weight ?? 0;
        const weight = known + Number(row['weight']);
        found.set(`${id}\n${relation}`, { id, relation, isOutward: way.isOutward, weight, position });
      }
    }
    return [...found.values()];
  }
}

/** Leaves out the relations by which there are too many neighbours. */
function withoutHubs(neighbours: readonly Neighbour[]): Neighbour[] {
  const counts = new Map<Relation, number>();
  for (const { relation } of neighbours) counts.set(relation, (counts.get(relation) ?? 0) + 1);
  return neighbours.filter(({ relation }) => (counts.get(relation) ?? 0) <= HUB);
}

/** What defines a thing mentions it, too. */
function relationsOf({ relation }: Way, row: Row): readonly Relation[] {
  if (relation) return [relation];
  if (typeof row['relation'] === 'string') return [row['relation'] as Relation];
  return Number(row['is_defined']) > 0 ? ['MENTIONS', 'DEFINES'] : ['MENTIONS'];
}
