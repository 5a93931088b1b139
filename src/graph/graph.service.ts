import { Inject, Injectable } from '@nestjs/common';
import type { Call } from '../core/call.js';
import { featureDisabled } from '../core/errors.js';
import { RELATIONS } from '../core/graph-model.js';
import { isPathAlone } from '../core/node-id.js';
import {
  type DescribedNodes,
  type GraphEdge,
  type GraphNode,
  type GraphQuery,
  GraphStore,
  type Subgraph,
} from '../core/ports/graph-store.port.js';
import { type Scope, scopeAllows } from '../core/scope.js';
import { noteOrigin } from '../mcp/rendering/cautious-text.js';
import { shownAnchor, shownTitle } from '../text/untrusted-text.js';
import { findPaths } from './find-paths.js';
import type {
  Children,
  Described,
  FoundPaths,
  LinkedNodes,
  LinkedTo,
  Neighbourhood,
  Page,
  Telling,
  Walking,
} from './graph-results.js';
import { indexChanged } from './index-changed.js';

/** Maximum headings to check for the first with text. */
const MAX_HEADINGS = 50;

/** Describes sections; a document's path stands for its first section. @throws BackendUnavailableError `index_busy` */
async function describeSections(
  store: GraphStore,
  scope: Scope,
  ids: readonly string[],
): Promise<DescribedNodes> {
  const { generation, nodes } = await store.describe(scope, ids, false);
  const described = nodes.map(async (node, i) => {
    const isPath = node?.label === 'Document' && isPathAlone(ids[i] ?? '', node.id);
    return isPath ? firstSection(store, scope, { document: node, generation }) : node;
  });
  return { generation, nodes: await Promise.all(described) };
}

/** The first section of a document, or the document if it has none. */
async function firstSection(
  store: GraphStore,
  scope: Scope,
  { document, generation }: { readonly document: GraphNode; readonly generation: string },
): Promise<GraphNode> {
  const walk = await store.walk({
    scope,
    seeds: [document.id],
    relations: ['HAS_CHUNK'],
    direction: 'out',
    maxHops: 1,
    fanOut: MAX_HEADINGS,
    limit: MAX_HEADINGS,
  });
  const ids = walk.nodes.filter(({ distance }) => distance > 0).map(({ id }) => id);
  const headings = await store.describe(scope, ids, false);
  if (walk.generation !== generation || headings.generation !== generation) throw indexChanged();
  return headings.nodes.find((node) => node?.label === 'Section') ?? document;
}

/** Maximum neighbours of one node by one relation and direction. */
const FAN_OUT = 50;
/** Maximum nodes of a walk: eight pages of the default size. */
const MAX_REACHED = 200;
/** Maximum neighbours and nodes of a list that should be complete. */
export const MAX_LISTED_NODES = 500;
/** Maximum children of one node, on all pages. */
const MAX_CHILDREN = 2_000;
/** Maximum number of ancestors: six levels of headings and the document. */
const MAX_LEVELS = 7;
const MAX_PATHS = 200;

/** Walks the graph within a call's scope, and checks every node against it once more. */
@Injectable()
export class GraphService {
  /** @param store  null if the graph is switched off; the graph tools are then disabled */
  constructor(@Inject(GraphStore) private readonly store: GraphStore | null) {}

  /** @throws BackendUnavailableError `index_busy` if the index is not of the expected generation */
  async describe(
    call: Call,
    ids: readonly string[],
    { withSnippet = false, generation }: Telling = {},
  ): Promise<Described> {
    const found = await this.read(call, generation, (store) => store.describe(call.scope, ids, withSnippet));
    return this.visible(call, ids, found);
  }

  /** A page of the nodes around others. Edges connect nodes of this page or of earlier pages. */
  async expand(call: Call, ids: readonly string[], walking: Walking & Partial<Page>): Promise<Neighbourhood> {
    const { offset = 0, size = MAX_LISTED_NODES, withSnippet = false, generation } = walking;
    const found = await this.read(call, generation, (store) =>
      store.expand(queryOf(call, ids, walking), { offset, size, withSnippet }),
    );
    const leaked = new Set(ids.filter((_, i) => isLeaked(call, found.seeds[i])));
    if (leaked.size > 0) {
      // Nodes that were reached through a hidden seed must not appear.
      const allowed = ids.filter((id) => !leaked.has(id));
      const rest = await this.expand(call, allowed, walking);
      return { ...rest, notFound: ids.filter((id) => leaked.has(id) || rest.notFound.includes(id)) };
    }
    const visible = found.nodes.filter((node) => isVisible(call, node)).map((node) => shownNode(call, node));
    const nodeOf = new Map(visible.map((node) => [node.id, node]));
    return {
      generation: found.generation,
      nodes: found.listed.flatMap(({ id, distance }, i) => {
        const node = nodeOf.get(id);
        return node ? [{ node, distance, position: offset + i }] : [];
      }),
      edges: found.edges.filter((edge) => endsOf(edge).every((id) => nodeOf.has(id))),
      total: found.total,
      notFound: ids.filter((_, i) => !found.seeds[i]),
      isCut: found.isCut,
    };
  }

  /** The ids that a walk reaches. Unknown and hidden seeds are skipped; `describe` checks what the ids stand for. */
  walk(call: Call, seeds: readonly string[], walking: Walking): Promise<Subgraph> {
    return this.read(call, walking.generation, (store) => store.walk(queryOf(call, seeds, walking)));
  }

  /** Shortest paths, found by walking from both ends. */
  async paths(
    call: Call,
    [from, to]: readonly [readonly string[], readonly string[]],
    { relations, maxHops }: Pick<Walking, 'relations' | 'maxHops'>,
  ): Promise<FoundPaths> {
    const far = Math.ceil(maxHops / 2);
    const walking = { relations, direction: 'both' } as const;
    const start = await this.walkFrom(call, from, { ...walking, maxHops: far });
    const { generation } = start.walk;
    const near = { ...walking, maxHops: Math.max(1, maxHops - far), generation };
    const end = await this.walkFrom(call, to, near);
    const ends = [start, end].map(({ seeds }) => seeds.map(({ id }) => id)) as [string[], string[]];
    const edges = [...start.walk.edges, ...end.walk.edges];
    const found = findPaths(ends, edges, { maxHops, maxPaths: MAX_PATHS + 1 });
    const paths = found.slice(0, MAX_PATHS);
    const ids = paths.flatMap(({ nodes }) => nodes);
    const nodeOf = await this.nodesById(call, ids, { generation });
    return {
      generation,
      paths: paths.filter(({ nodes }) => nodes.every((id) => nodeOf.has(id))),
      notFound: [...start.notFound, ...end.notFound],
      isCut: start.walk.isCut || end.walk.isCut || found.length > MAX_PATHS,
    };
  }

  /** The headings above each section up to its document, nearest first. */
  async parents(call: Call, ids: readonly string[]): Promise<LinkedNodes> {
    const { generation, nodes, notFound } = await this.describeSections(call, ids);
    const found: LinkedTo[] = [];
    for (const of of nodes) {
      const up = { relations: ['PARENT_OF'], direction: 'in', maxHops: MAX_LEVELS, generation } as const;
      const { nodes: above } = await this.expand(call, [of.id], up);
      found.push({ of, linked: above.map(({ node }) => ({ node, weight: 1 })) });
    }
    return { found, notFound };
  }

  /** A page of the headings and steps directly below a node: steps first, in document order. */
  async children(call: Call, id: string, page: Page): Promise<Children> {
    const { notFound, walk } = await this.walkFrom(call, [id], {
      relations: ['PARENT_OF', 'CONTAINS_STEP'],
      direction: 'out',
      maxHops: 1,
      fanOut: MAX_CHILDREN,
      generation: page.generation ?? null,
    });
    const { generation, edges } = walk;
    const steps = edges.filter(({ type }) => type === 'CONTAINS_STEP').map(({ target }) => target);
    const below = new Set([...steps, ...walk.nodes.flatMap((node) => (node.distance > 0 ? node.id : []))]);
    const listed = [...below].slice(page.offset, page.offset + page.size);
    const nodeOf = await this.nodesById(call, listed, { generation });
    const nodes = listed.flatMap((child, i) => {
      const node = nodeOf.get(child);
      return node ? [{ node, position: page.offset + i }] : [];
    });
    const isCut = walk.isCut || below.size >= MAX_CHILDREN;
    return { generation, nodes, total: below.size, notFound, isCut };
  }

  /** Describes sections: the path of a document stands for its first section. */
  async describeSections(
    call: Call,
    ids: readonly string[],
    { generation }: Telling = {},
  ): Promise<Described> {
    const found = await this.read(call, generation, (store) => describeSections(store, call.scope, ids));
    return this.visible(call, ids, found);
  }

  /** @param expected  the generation to read; the current one if null or undefined */
  private async read<T extends { readonly generation: string }>(
    call: Call,
    expected: Telling['generation'],
    look: (store: GraphStore) => Promise<T>,
  ): Promise<T> {
    call.signal.throwIfAborted();
    if (!this.store) throw featureDisabled('The graph');
    const found = await look(this.store);
    if ((expected ?? found.generation) !== found.generation) throw indexChanged();
    return found;
  }

  private visible(call: Call, ids: readonly string[], { generation, nodes }: DescribedNodes): Described {
    const visible = nodes.map((node) => (node && isVisible(call, node) ? shownNode(call, node) : null));
    const distinct = new Map(visible.flatMap((node) => (node ? [[node.id, node]] : [])));
    return {
      generation,
      each: visible,
      nodes: [...distinct.values()],
      notFound: ids.filter((_, i) => !visible[i]),
    };
  }

  private async walkFrom(call: Call, ids: readonly string[], walking: Walking) {
    const expected = walking.generation ?? null;
    const { nodes: seeds, notFound, generation } = await this.describe(call, ids, { generation: expected });
    const known = seeds.map(({ id }) => id);
    return { seeds, notFound, walk: await this.walk(call, known, { ...walking, generation }) };
  }

  /** Visible nodes by id, in the order given, each once. */
  async nodesById(
    call: Call,
    ids: readonly string[],
    telling: Telling,
  ): Promise<ReadonlyMap<string, GraphNode>> {
    const { nodes } = await this.describe(call, [...new Set(ids)], telling);
    return new Map(nodes.map((node) => [node.id, node]));
  }
}

function queryOf(
  { scope }: Call,
  seeds: readonly string[],
  { relations, direction, maxHops, fanOut = FAN_OUT, limit = Math.max(fanOut, MAX_REACHED) }: Walking,
): GraphQuery {
  return { direction, maxHops, scope, seeds, relations: relations ?? RELATIONS, fanOut, limit };
}

/** A node for replies: title and anchor are shortened, and the repository is noted if it is not trusted. */
function shownNode(call: Call, node: GraphNode): GraphNode {
  noteOrigin(call, node, [node.id]);
  return { ...node, title: shownTitle(node.title), anchor: shownAnchor(node.anchor) };
}

const endsOf = ({ source, target }: GraphEdge): readonly string[] => [source, target];

/** True if the store returned a node that the call must not see. */
function isLeaked(call: Call, node: GraphNode | null | undefined): boolean {
  return node ? !isVisible(call, node) : false;
}

function isVisible({ scope, trace }: Call, { docTag, repository, allow, sections }: GraphNode): boolean {
  const isIn =
    docTag === null || repository === null
      ? sections !== 0
      : scopeAllows(scope, { docTag, repository, allow });
  if (!isIn) trace.drops['scope_mismatch'] = (trace.drops['scope_mismatch'] ?? 0) + 1;
  return isIn;
}
