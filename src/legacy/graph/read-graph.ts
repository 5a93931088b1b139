import type { Call } from '../../core/call.js';
import type { Direction, GraphEdge, GraphNode, GraphStore } from '../../core/ports/graph-store.port.js';
import { describeSections } from '../../graph/describe-sections.js';
import { indexChanged } from '../../graph/index-changed.js';
import { shownNode } from '../../graph/shown-node.js';
import { scopeAllows } from '../../core/scope.js';
import type { RelationRule } from './legacy-relations.js';

/** A walk from some nodes under older names. */
export interface LegacyWalk {
  readonly seeds: readonly string[];
  readonly rules: readonly RelationRule[];
  readonly direction: Direction;
  readonly maxHops: number;
  /** Most neighbours of a node by one relation; 500 unless told. */
  readonly fanOut?: number;
  /** Most nodes besides the seeds; 2,000 unless told. */
  readonly limit?: number;
}

export interface Walked {
  /** Seeds that exist and may be seen, as asked for. */
  readonly seeds: readonly string[];
  readonly edges: readonly GraphEdge[];
  /** Whether there was more than a walk may reach. */
  readonly isCut: boolean;
}

/** What the port allows. */
export const MAX_FAN_OUT = 500;
export const MAX_NODES = 2_000;

const isOutward = ({ isReversed }: RelationRule, direction: Direction): boolean =>
  (direction === 'out') !== isReversed;

/** The one direction in which all rules walk; `both` where they differ. */
function directionOf(rules: readonly RelationRule[], direction: Direction): Direction {
  if (direction === 'both') return 'both';
  const outward = rules.filter((rule) => isOutward(rule, direction)).length;
  if (outward === rules.length) return 'out';
  return outward === 0 ? 'in' : 'both';
}

/** The reads of one call. All of them see one state of the index, or the call fails. */
export class GraphReads {
  private generation: string | null = null;

  constructor(
    private readonly store: GraphStore,
    private readonly call: Call,
  ) {}

  /**
   * Walks the graph. Where rules read relations both ways, more is walked than is wanted: `neighboursOf` sorts that out.
   * @throws BackendUnavailableError
   */
  async walk(walk: LegacyWalk): Promise<Walked> {
    const { seeds, rules, direction, maxHops, fanOut = MAX_FAN_OUT, limit = MAX_NODES } = walk;
    if (seeds.length === 0 || rules.length === 0) return { seeds: [], edges: [], isCut: false };
    this.call.signal.throwIfAborted();
    const { generation, nodes, edges, isCut } = await this.store.walk({
      scope: this.call.scope,
      seeds,
      relations: [...new Set(rules.map(({ relation }) => relation))],
      direction: directionOf(rules, direction),
      maxHops,
      fanOut,
      limit,
    });
    this.expect(generation);
    return { seeds: nodes.filter(({ distance }) => distance === 0).map(({ id }) => id), edges, isCut };
  }

  /** Nodes by id, in the order asked for, each once; unknown ones are left out. @throws BackendUnavailableError */
  async describe(ids: readonly string[], withSnippet = false): Promise<readonly GraphNode[]> {
    if (ids.length === 0) return [];
    this.call.signal.throwIfAborted();
    const { generation, nodes } = await this.store.describe(this.call.scope, [...new Set(ids)], withSnippet);
    this.expect(generation);
    const known = new Map(nodes.flatMap((node) => (node ? [[node.id, node] as const] : [])));
    return [...known.values()].filter((node) => this.isVisible(node)).map(shownNode);
  }

  /** The same by id. */
  async byId(ids: readonly string[]): Promise<ReadonlyMap<string, GraphNode>> {
    return new Map((await this.describe(ids)).map((node) => [node.id, node]));
  }

  /** One for each id, null for unknown ones. @param isSection  whether a document's path means its first section */
  async each(ids: readonly string[], isSection: boolean): Promise<readonly (GraphNode | null)[]> {
    this.call.signal.throwIfAborted();
    const { store, call } = this;
    const found = isSection
      ? await describeSections(store, call.scope, ids)
      : await store.describe(call.scope, ids, false);
    this.expect(found.generation);
    return found.nodes.map((node) => (node && this.isVisible(node) ? shownNode(node) : null));
  }

  /** Takes note of the state that something else was read from. @throws BackendUnavailableError `index_busy` */
  expect(generation: string): void {
    this.generation ??= generation;
    if (this.generation !== generation) throw indexChanged();
  }

  /** Once more, as for every row; what has no tag is an entity, and visible through visible sections only. */
  private isVisible({ docTag, repository }: GraphNode): boolean {
    return docTag === null || scopeAllows(this.call.scope, { docTag, repository: repository ?? '' });
  }
}
