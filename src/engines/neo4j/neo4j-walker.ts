import { rowsByKey } from '../../core/collections/group-rows.js';
import type { Relation } from '../../core/graph-model.js';
import type { NodeKind } from '../../core/node-id.js';
import type { GraphQuery } from '../../core/ports/graph-store.port.js';
import { scopeAllows } from '../../core/scope.js';
import { mostRowsOf, withoutHubs } from '../../graph/hubs.js';
import { type AskedNodes, type Neighbour, type Walk, walkByLevels } from '../../graph/walk-graph.js';
import {
  CYPHER_FAMILIES,
  CYPHER_WAYS,
  type CypherWay,
  type NeighbourRequest,
  neighboursStatement,
} from './cypher-ways.js';
import type { Neo4jRow, RunCypher } from './neo4j-connection.js';
import type { VisibleNodes } from './visible-nodes.js';

/** Nodes of a level requested at once; the walk usually ends before it needs more. */
const AT_ONCE = 50;

/** A node's kind and number. */
export interface NodeNumber {
  readonly kind: NodeKind;
  readonly no: number;
}

/** A neighbour as Neo4j returns it; within a scope also with doc tag, repository and lists of groups, null for entities. */
type FoundNeighbour = readonly [
  no: number,
  id: string,
  position: number,
  weight: number,
  docTag?: string | null,
  repository?: string | null,
  allow?: string | null,
];

/** The neighbours of a node by one way and relation. */
interface FoundByWay {
  readonly way: CypherWay;
  readonly relation: Relation;
  readonly rows: number;
  readonly found: readonly FoundNeighbour[];
}

/** Walks the graph in one transaction, with one or two round trips per level. */
export class Neo4jWalker {
  private readonly numbers = new Map<string, NodeNumber>();
  private readonly ways: readonly CypherWay[];
  private readonly wanted: ReadonlySet<Relation>;

  constructor(
    private readonly run: RunCypher,
    private readonly query: GraphQuery,
    private readonly visible: VisibleNodes,
  ) {
    const { relations, direction } = query;
    this.wanted = new Set(relations);
    this.ways = CYPHER_WAYS.filter(
      (way) =>
        (direction === 'both' || way.isOutward === (direction === 'out')) &&
        way.relations.some((relation) => this.wanted.has(relation)),
    );
  }

  /** Stores the number of a node id. @returns the id */
  meet(id: string, number: NodeNumber): string {
    this.numbers.set(id, number);
    return id;
  }

  numberOf(id: string): NodeNumber | undefined {
    return this.numbers.get(id);
  }

  /** @param seeds  unique ids whose numbers are stored */
  async walk(seeds: readonly string[]): Promise<Walk> {
    const walk = walkByLevels(seeds, this.query);
    let step = walk.next(() => null);
    while (!step.done) {
      const known = await this.neighbours(step.value);
      step = walk.next((id) => known.get(id) ?? null);
    }
    return step.value;
  }

  private async neighbours(asked: AskedNodes): Promise<ReadonlyMap<string, readonly Neighbour[]>> {
    const { areSeeds } = asked;
    const batch = asked.ids.slice(0, AT_ONCE);
    const byKind = rowsByKey(batch, (id) => this.numbers.get(id)?.kind ?? 'document');
    const found = await Promise.all([...byKind].map(([kind, of]) => this.ofKind(kind, of, areSeeds)));
    const known = new Map(found.flatMap((each) => [...each]));
    return new Map(batch.map((id) => [id, this.withinLimits(known.get(id) ?? [], areSeeds)]));
  }

  /** The neighbours of some nodes of one kind, by node id. */
  private async ofKind(
    kind: NodeKind,
    ids: readonly string[],
    areSeeds: boolean,
  ): Promise<ReadonlyMap<string, FoundByWay[]>> {
    const idOf = new Map(ids.map((id) => [this.numbers.get(id)?.no ?? -1, id]));
    const rows = await Promise.all(
      CYPHER_FAMILIES.map((family) => this.byFamily(family, kind, { nodes: [...idOf.keys()], areSeeds })),
    );
    const found = new Map<string, FoundByWay[]>();
    for (const row of rows.flat()) {
      const way = CYPHER_WAYS[Number(row['way'])];
      const id = idOf.get(Number(row['no'])) ?? '';
      if (!way) continue;
      // The statement returns these types.
      const relation = row['relation'] as Relation;
      const neighbours = row['found'] as FoundNeighbour[];
      const byWay = { way, relation, rows: Number(row['rows']), found: neighbours };
      found.set(id, [...(found.get(id) ?? []), byWay]);
    }
    return found;
  }

  private async byFamily(
    family: readonly CypherWay[],
    kind: NodeKind,
    start: Pick<NeighbourRequest, 'nodes' | 'areSeeds'>,
  ): Promise<readonly Neo4jRow[]> {
    const [first, ...others] = family.filter((way) => way.from === kind && this.ways.includes(way));
    if (!first) return [];
    const request = { ...start, ways: [first, ...others] } as const;
    const { cypher, values } = neighboursStatement(family, request, this.visible);
    return this.run(cypher, values);
  }

  private withinLimits(found: readonly FoundByWay[], isSeed: boolean): Neighbour[] {
    return [...rowsByKey(found, ({ way }) => way)].flatMap(([way, ofWay]) => {
      const rows = ofWay.reduce((sum, each) => sum + each.rows, 0);
      if (!isSeed && rows >= mostRowsOf(way)) return [];
      const neighbours = ofWay
        .filter(({ relation }) => this.wanted.has(relation))
        .flatMap(({ relation, found: all }) => all.flatMap((each) => this.neighbour(way, relation, each)));
      return isSeed ? neighbours : withoutHubs(neighbours);
    });
  }

  private neighbour({ to, isOutward }: CypherWay, relation: Relation, found: FoundNeighbour): Neighbour[] {
    const [no, id, position, weight, docTag, repository, allow] = found;
    // The statement already filters by scope; this is a second check.
    const home = { repository: repository ?? '', allow: this.visible.listsOf(allow) };
    const isSeen = docTag == null || scopeAllows(this.query.scope, { docTag, ...home });
    if (!isSeen) return [];
    this.numbers.set(id, { kind: to, no });
    return [{ id, relation, isOutward, weight, position }];
  }
}
