import { isPathAlone } from '../core/node-id.js';
import type { DescribedNodes, GraphNode, GraphStore } from '../core/ports/graph-store.port.js';
import type { Scope } from '../core/scope.js';
import { indexChanged } from './index-changed.js';

/** Maximum headings to check for the first with text. */
const MOST_HEADINGS = 50;

/** Describes sections; a document's path stands for its first section. @throws BackendUnavailableError `index_busy` */
export async function describeSections(
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
    fanOut: MOST_HEADINGS,
    limit: MOST_HEADINGS,
  });
  const ids = walk.nodes.filter(({ distance }) => distance > 0).map(({ id }) => id);
  const headings = await store.describe(scope, ids, false);
  if (walk.generation !== generation || headings.generation !== generation) throw indexChanged();
  return headings.nodes.find((node) => node?.label === 'Section') ?? document;
}
