import type { Relation } from '../../core/graph-model.js';
import { nodeId, type NodeKind } from '../../core/node-id.js';
import type {
  Bridges,
  DescribedNodes,
  Expansion,
  GraphPage,
  GraphQuery,
  GraphStore,
  Subgraph,
} from '../../core/ports/graph-store.port.js';
import { NO_FILTER } from '../../core/ports/section-index.port.js';
import type { Scope, SeenScope } from '../../core/scope.js';
import { MAX_OF_SEED, mostPairsOf, mostRowsOf, withoutHubs } from '../../graph/hubs.js';
import { MAX_MENTIONED_BY } from '../../graph/title-concepts.js';
import { type Neighbour, pageOfWalk, walkGraph } from '../../graph/walk-graph.js';
import { type Database, type Statement, text } from '../driver.js';
import { type Visibility, visibleRows } from '../index/find-rows.js';
import type { IndexFile } from '../index-file.js';
import type { Synchronous } from '../reader-ports.js';
import { GraphNodes, type NodeRow } from './graph-nodes.js';
import { OWNED, type Way, WAYS } from './graph-ways.js';

const bridgesAmong = (visible: string): string => `
  WITH own AS MATERIALIZED (
    SELECT s.id, s.section_id, s.document_id FROM section s JOIN document d ON d.id = s.document_id WHERE ${visible}),
  owned AS MATERIALIZED (
    SELECT own.id, own.section_id, own.document_id, c.entity_id
    FROM own JOIN graph_title t ON t.document_id = own.document_id AND t.place_id IN (0, own.id)
      JOIN graph_concept c ON c.terms = t.key
    WHERE c.mentioned_by <= ?)
  SELECT DISTINCT own.section_id AS source, owned.section_id AS target
  FROM owned JOIN own ON own.document_id <> owned.document_id
    JOIN graph_mention m ON m.entity_id = owned.entity_id AND m.place_id = own.id AND m.source = 1
  ORDER BY 1, 2`;

/** Walks the graph in one index file, synchronously. */
export class SqliteGraphReader implements Synchronous<GraphStore> {
  constructor(private readonly file: IndexFile) {}

  describe(scope: Scope, ids: readonly string[], withSnippet: boolean): DescribedNodes {
    return this.file.read(scope, (database, { generation }, seen) => {
      const nodes = new GraphNodes((sql) => database.prepare(sql), visibleRows(seen), withSnippet);
      return { generation, nodes: ids.map((id) => nodes.find(id)?.node ?? null) };
    });
  }

  walk(query: GraphQuery): Subgraph {
    return this.file.read(query.scope, (database, { generation }, seen) => {
      const { walk } = this.walked(database, { ...query, scope: seen }, false);
      return { generation, ...walk };
    });
  }

  expand(query: GraphQuery, page: GraphPage): Expansion {
    return this.file.read(query.scope, (database, { generation }, seen) => {
      const { walk, seeds, nodes, walker } = this.walked(
        database,
        { ...query, scope: seen },
        page.withSnippet,
      );
      const { listed, edges, total } = pageOfWalk(walk, page);
      const ends = edges.flatMap(({ source, target }) => [source, target]);
      const ids = new Set([...listed.map(({ id }) => id), ...ends]);
      const keys = [...ids].flatMap((id) => walker.keyOf(id) ?? []);
      return { generation, seeds, listed, edges, nodes: nodes.at(keys), total, isCut: walk.isCut };
    });
  }

  private walked(
    database: Database,
    query: GraphQuery & { readonly scope: SeenScope },
    withSnippet: boolean,
  ) {
    const prepare = (sql: string): Statement => database.prepare(sql);
    const visible = visibleRows(query.scope);
    const nodes = new GraphNodes(prepare, visible, withSnippet);
    const walker = new GraphWalker(prepare, query, visible);
    const found = query.seeds.map((id) => nodes.find(id));
    const ids = found.flatMap((seed) => (seed ? walker.meet(seed.node.id, seed.key) : []));
    const walk = walkGraph([...new Set(ids)], query, (id, isSeed) => walker.neighboursOf(id, isSeed));
    return { walk, nodes, walker, seeds: found.map((seed) => seed?.node ?? null) };
  }

  bridges(scope: Scope, sectionIds: readonly string[]): Bridges {
    return this.file.read(scope, (database, { generation }, seen) => {
      const { conditions, values } = visibleRows(seen, { ...NO_FILTER, sectionIds });
      const sql = bridgesAmong(conditions.join(' AND '));
      const rows = database.prepare(sql).all(...values, MAX_MENTIONED_BY);
      const bridges = rows.map((row) => ({ source: text(row['source']), target: text(row['target']) }));
      return { generation, bridges };
    });
  }
}

const NO_ROWS = 'SELECT 0 AS way, 0 AS id, 0 AS name, 0 AS position, 0 AS weight, 0 AS tells WHERE 0 = ?1';

/** The index of a way, the row at its end, and the values of that row. */
type Found = [way: number, id: number, name: string, position: number, weight: number, tells: unknown];

/** A query along all ways from one kind of node, and its parameters other than the node. */
interface Look {
  readonly statement: Statement;
  readonly values: Visibility['values'];
}

/** Looks up neighbours in one transaction. One statement per node returns all rows as one value. */
class GraphWalker {
  private readonly keys = new Map<string, NodeRow>();
  private readonly ids = {
    document: new Map<number, string>(),
    place: new Map<number, string>(),
    step: new Map<number, string>(),
    entity: new Map<number, string>(),
  } satisfies Record<NodeKind, Map<number, string>>;
  private readonly looks = new Map<string, Look>();
  private readonly ways: readonly Way[];
  private readonly wanted: ReadonlySet<Relation>;
  private readonly visible: string;
  private readonly values: Visibility['values'];

  constructor(
    private readonly prepare: (sql: string) => Statement,
    { relations, direction }: Pick<GraphQuery, 'relations' | 'direction'>,
    { conditions, values }: Visibility,
  ) {
    this.wanted = new Set(relations);
    this.ways = WAYS.filter(
      (way) =>
        (direction === 'both' || way.isOutward === (direction === 'out')) &&
        way.relations.some((relation) => this.wanted.has(relation)),
    );
    // All ways share the same parameters, so they are numbered; `?1` is the node.
    let next = 2;
    const numbered = conditions.map((sql) => sql.replaceAll('?', () => `?${next++}`));
    this.visible = numbered.map((sql) => ` AND ${sql}`).join('');
    this.values = values;
  }

  meet(id: string, key: NodeRow): string {
    this.keys.set(id, key);
    return id;
  }

  keyOf(id: string): NodeRow | undefined {
    return this.keys.get(id);
  }

  neighboursOf(id: string, isSeed: boolean): Neighbour[] {
    const key = this.keys.get(id);
    if (!key) return [];
    const { statement, values } = this.look(key.kind, isSeed);
    // The statement builds an array of this form.
    const found = JSON.parse(String(statement.get(key.row, ...values)?.['found'])) as Found[];
    const rows = this.ways.map((): Found[] => []);
    for (const row of found) rows[row[0]]?.push(row);
    return this.ways.flatMap((way, i) => {
      const ofWay = rows[i] ?? [];
      if (isSeed) return this.merge(way, ofWay);
      return ofWay.length === mostRowsOf(way) ? [] : withoutHubs(this.merge(way, ofWay));
    });
  }

  private look(kind: NodeKind, isSeed: boolean): Look {
    const name = `${kind} ${isSeed}`;
    const known = this.looks.get(name);
    if (known) return known;
    const parts = this.ways.flatMap((way, i) => (way.from === kind ? [this.sqlOf(way, i, isSeed)] : []));
    const rows = parts.length > 0 ? parts.join(' UNION ALL ') : NO_ROWS;
    const statement = this.prepare(
      `SELECT json_group_array(json_array(way, id, name, position, weight, tells)) AS found FROM (${rows})`,
    );
    // Ways within one document have no scope check, so the statement may have no parameters for it.
    const made = { statement, values: rows.includes('?2') ? this.values : [] };
    this.looks.set(name, made);
    return made;
  }

  private sqlOf(way: Way, index: number, isSeed: boolean): string {
    const isOpen = this.visible === '';
    const sql = way.sql
      .replaceAll('{ofDocument}', isOpen ? '' : ' JOIN document d ON d.id = p.document_id')
      .replaceAll('{owned}', isOpen ? '' : OWNED)
      .replaceAll('{visible}', this.visible);
    // With a scope, only visible neighbours count, so each one must be checked.
    const most = mostPairsOf(way);
    const few =
      way.crowd && isOpen && !isSeed
        ? ` AND (SELECT count(*) FROM (${way.crowd} LIMIT ${most + 1})) <= ${most}`
        : '';
    return `SELECT ${index} AS way, * FROM (SELECT * FROM (${sql}${few}) LIMIT ${isSeed ? MAX_OF_SEED : mostRowsOf(way)})`;
  }

  /** Merges all rows of the same node and relation into one neighbour. */
  private merge(way: Way, rows: readonly Found[]): Neighbour[] {
    const { relations, isOutward } = way;
    const found = new Map<number, Neighbour>();
    for (const row of rows) {
      const [, id, , position, weight, tells] = row;
      for (const relation of relationsOf(way, tells)) {
        if (!this.wanted.has(relation)) continue;
        const place = id * relations.length + relations.indexOf(relation);
        const known = found.get(place)?.weight ?? 0;
        const neighbour = { id: this.idOf(way, row), relation, isOutward, weight: known + weight, position };
        found.set(place, neighbour);
      }
    }
    return [...found.values()];
  }

  /** A walk meets most nodes several times, and looking an id up is faster than building it. */
  private idOf({ to }: Way, [, row, name, position]: Found): string {
    const known = this.ids[to].get(row);
    if (known !== undefined) return known;
    const id = this.meet(nodeId(to, name, position), { kind: to, row });
    this.ids[to].set(row, id);
    return id;
  }
}

/** A definition is also a mention. */
function relationsOf({ relations }: Way, tells: unknown): readonly Relation[] {
  if (relations.length === 1) return relations;
  if (typeof tells === 'string') return relations.filter((relation) => relation === tells);
  return Number(tells) > 0 ? relations : ['MENTIONS'];
}
