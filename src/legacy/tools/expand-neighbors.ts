import { z } from 'zod';
import type { Direction, GraphNode } from '../../core/ports/graph-store.port.js';
import { type Fit, keptOf, listReply } from '../../core/reply.js';
import { steadyNow } from '../../core/turns/clock.js';
import { DOCUMENT_TEXT } from '../../mcp/tool-class.js';
import { toLegacyNode } from '../graph/legacy-node.js';
import { readRelations, type RelationRule } from '../graph/legacy-relations.js';
import {
  type GraphReads,
  type LegacyEdge,
  MAX_NODES,
  nodesById,
  pathTo,
  walkNamed,
} from '../graph/named-walk.js';
import {
  anyInt,
  cursorShape,
  envelopeShape,
  graphOffShape,
  legacyCursorSchema,
  legacyIdsSchema,
  legacyNodeSchema,
  relTypesSchema,
  sessionIdSchema,
} from '../legacy.schemas.js';
import {
  decodeOffset,
  encodeOffset,
  graphOffReply,
  pageLength,
  rowsReply,
  sessionName,
  withEnvelope,
} from '../legacy-envelope.js';
import { legacyTool } from '../legacy-tool.js';

const input = z.object({
  node_ids: legacyIdsSchema,
  rel_types: relTypesSchema,
  direction: z.string().max(64).default('both').describe('in, out; anything else is both.'),
  max_hops: anyInt.default(1),
  include_snippet: z.boolean().default(false),
  cursor: legacyCursorSchema,
  page_size: anyInt.default(25),
  session_id: sessionIdSchema,
});
type Input = z.output<typeof input>;

/** A node of a page, and the edges of the path to it. */
interface ListedNode {
  readonly node: GraphNode;
  readonly edges: readonly LegacyEdge[];
  /** Position in the whole list. */
  readonly at: number;
}

/** One page, and what its session already has. */
interface NeighbourPage {
  readonly listed: readonly ListedNode[];
  /** Where the next page begins; null at the end. */
  readonly next: number | null;
  readonly asked: Input;
  readonly sessionId: string;
  readonly sent: ReadonlySet<string>;
}

const DEFAULT_PAGE = 25;
const MAX_HOPS = 3;

const nodeItem = (id: string): string => `node\n${id}`;
const edgeItem = ({ src, dst, type }: LegacyEdge): string => `edge\n${src}\n${type}\n${dst}`;
const readDirection = (word: string): Direction => (word === 'in' || word === 'out' ? word : 'both');

async function readPage(
  reads: GraphReads,
  asked: Input,
  rules: readonly RelationRule[],
): Promise<Pick<NeighbourPage, 'listed' | 'next'>> {
  const direction = readDirection(asked.direction);
  const maxHops = Math.min(MAX_HOPS, asked.max_hops);
  if (maxHops < 1) return { listed: [], next: null };
  const offset = decodeOffset(asked.cursor);
  const end = offset + pageLength(asked.page_size, DEFAULT_PAGE);
  // A walk in both directions needs no filter, so it can end one node after this page.
  const limit = direction === 'both' ? Math.min(MAX_NODES, end + 1) : MAX_NODES;
  const walk = { seeds: asked.node_ids, rules, direction, maxHops, limit };
  const { generation, seeds, reached } = await walkNamed(reads, walk);
  const ids = [...reached.keys()].slice(seeds.length);
  const places = new Map(ids.map((id, at) => [id, at]));
  const telling = { generation, withSnippet: asked.include_snippet };
  const nodes = await nodesById(reads, ids.slice(offset, end), telling);
  const listed = [...nodes.values()].map((node) => {
    const at = places.get(node.id) ?? offset;
    return { node, edges: pathTo(node.id, reached).edges, at };
  });
  return { listed, next: end < ids.length ? end : null };
}

function distinct(edges: readonly LegacyEdge[]): LegacyEdge[] {
  return [...new Map(edges.map((edge) => [edgeItem(edge), edge])).values()];
}

function build({ asked, sessionId, listed, sent, next }: NeighbourPage, fit: Fit) {
  const { count, reason } = fit;
  const fresh = listed.filter(({ node }) => !sent.has(nodeItem(node.id)));
  // If the budget removed some nodes, the next page begins with the first of them.
  const from = fresh[count]?.at ?? next;
  const shown = keptOf(fresh, fit);
  const isSkipped = (item: ListedNode): boolean => fresh.includes(item) && !shown.includes(item);
  const kept = listed.filter((item) => (from === null || item.at < from) && !isSkipped(item));
  const edges = distinct(kept.flatMap((item) => item.edges));
  const freshEdges = edges.filter((edge) => !sent.has(edgeItem(edge)));
  const nodes = shown.map(({ node }) => ({
    ...toLegacyNode(node),
    ...(asked.include_snippet ? { snippet: node.snippet } : {}),
  }));
  const payload = {
    nodes,
    edges: freshEdges,
    cursor: asked.cursor,
    next_cursor: from === null ? null : encodeOffset(from),
    dedupe_applied: true,
  };
  const duplicates = kept.length - nodes.length + edges.length - freshEdges.length;
  const hasMore = from !== null;
  return withEnvelope({ sessionId, payload, phase: 'neighbors', hasMore, reason, duplicates });
}

export const legacyExpandNeighbors = legacyTool({
  name: 'expand_neighbors',
  title: 'Expand neighbours (older name)',
  description:
    'Legacy name of graph.expand; prefer graph.expand. ' +
    'Returns nodes up to max_hops (1, at most 3) away, with the edges that lead there; page_size 25, at most 100. ' +
    'What this session_id was sent in the last 15 minutes is left out.',
  input,
  output: z.strictObject({
    nodes: z.array(legacyNodeSchema.extend({ snippet: z.string().nullable().optional() })),
    edges: z.array(z.strictObject({ src: z.string(), dst: z.string(), type: z.string() })),
    ...cursorShape,
    dedupe_applied: z.boolean().optional(),
    ...graphOffShape,
    ...envelopeShape,
  }),
  mounts: ['graph'],
  standsFor: ['graph.expand'],
  standsForIf: { include_snippet: DOCUMENT_TEXT },
  // Leaves out what the session was sent.
  isRepeatable: false,
  counted: [({ nodes }) => nodes.length, 'new nodes'],

  answer: async ({ graph, sent }, call, asked) => {
    const { cursor } = asked;
    const sessionId = sessionName(call, asked.session_id);
    const rules = readRelations(asked.rel_types);
    const nothing = { nodes: [], edges: [], cursor, next_cursor: null };
    if (!graph) return graphOffReply(sessionId, nothing);
    if (asked.node_ids.length === 0) {
      return rowsReply({ sessionId, phase: 'neighbors', rows: [] }, () => nothing);
    }
    // Another caller's session of the same name is a different session.
    const session = JSON.stringify([call.caller.principal, sessionId]);
    const found = await readPage({ graph, call }, asked, rules);
    const page = { ...found, asked, sessionId, sent: sent.of(session, steadyNow()) };
    const count = page.listed.filter(({ node }) => !page.sent.has(nodeItem(node.id))).length;
    const isPage = cursor !== null || page.next !== null;
    return listReply(
      { count, maxChars: 0, isPage },
      (fit) => build(page, fit),
      ({ nodes, edges }) => {
        const items = [...nodes.map(({ id }) => nodeItem(id)), ...edges.map(edgeItem)];
        sent.add(session, items, steadyNow());
      },
    );
  },
});
