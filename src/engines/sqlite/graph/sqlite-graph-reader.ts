import type {
  Bridges,
  DescribedNodes,
  Expansion,
  GraphEdge,
  GraphPage,
  GraphQuery,
  GraphStore,
  Subgraph,
} from '../../../core/ports/graph-store.port.js';
import { NO_FILTER } from '../../../core/ports/section-index.port.js';
import type { Scope } from '../../../core/scope.js';
import { pageOfWalk } from '../../../graph/page-of-walk.js';
import { MAX_MENTIONED_BY } from '../../../graph/title-concepts.js';
import { walkGraph } from '../../../graph/walk-graph.js';
import type { Database, Statement } from '../driver.js';
import { text } from '../index/stored-sections.js';
import { visibleRows } from '../index/visible-rows.js';
import type { IndexFile } from '../index-file.js';
import type { Synchronous } from '../reader-ports.js';
import { GraphNodes } from './graph-nodes.js';
import { GraphWalker } from './graph-walker.js';

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

const endsOf = ({ source, target }: GraphEdge): readonly string[] => [source, target];

/** Walks the graph in one index file, synchronously. */
export class SqliteGraphReader implements Synchronous<GraphStore> {
  constructor(private readonly file: IndexFile) {}

  describe(scope: Scope, ids: readonly string[], withSnippet: boolean): DescribedNodes {
    return this.file.read(scope, (database, { generation }) => {
      const nodes = new GraphNodes(this.preparing(database), visibleRows(scope, NO_FILTER), withSnippet);
      return { generation, nodes: ids.map((id) => nodes.find(id)?.node ?? null) };
    });
  }

  walk(query: GraphQuery): Subgraph {
    return this.file.read(query.scope, (database, { generation }) => {
      const { walk } = this.walked(database, query, false);
      return { generation, ...walk };
    });
  }

  expand(query: GraphQuery, page: GraphPage): Expansion {
    return this.file.read(query.scope, (database, { generation }) => {
      const { walk, seeds, nodes, walker } = this.walked(database, query, page.withSnippet);
      const { listed, edges, total } = pageOfWalk(walk, page);
      const ids = new Set([...listed.map(({ id }) => id), ...edges.flatMap(endsOf)]);
      const keys = [...ids].flatMap((id) => walker.keyOf(id) ?? []);
      return { generation, seeds, listed, edges, nodes: nodes.at(keys), total, isCut: walk.isCut };
    });
  }

  private walked(database: Database, query: GraphQuery, withSnippet: boolean) {
    const prepare = this.preparing(database);
    const conditions = visibleRows(query.scope, NO_FILTER);
    const nodes = new GraphNodes(prepare, conditions, withSnippet);
    const walker = new GraphWalker(prepare, query, conditions);
    const found = query.seeds.map((id) => nodes.find(id));
    const ids = found.flatMap((seed) => (seed ? walker.meet(seed.node.id, seed.key) : []));
    const walk = walkGraph([...new Set(ids)], query, (id, isSeed) => walker.neighboursOf(id, isSeed));
    return { walk, nodes, walker, seeds: found.map((seed) => seed?.node ?? null) };
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
