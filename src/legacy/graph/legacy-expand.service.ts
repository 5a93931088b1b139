import { Inject, Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { GraphStore } from '../../core/ports/graph-store.port.js';
import type { Direction, GraphNode } from '../../core/ports/graph-store.port.js';
import { keptOf, listReply } from '../../core/reply.js';
import type { Fit, Reply } from '../../core/reply.js';
import { graphOffReply } from './graph-off.js';
import type { GraphOff } from './graph-off.js';
import { withEnvelope } from '../legacy-envelope.js';
import type { LegacyEnvelope } from '../legacy-envelope.js';
import { toLegacyNode } from './legacy-node.js';
import type { LegacyNode } from './legacy-node.js';
import { readRelations } from './legacy-relations.js';
import type { RelationRule } from './legacy-relations.js';
import { sessionName } from '../legacy-session.js';
import { decodeOffset, encodeOffset, pageLength } from '../page-offset.js';
import { GraphReads, MAX_NODES } from './read-graph.js';
import { SentItems } from '../sent-items.js';
import { neighboursOf, reach, wayTo } from './ways.js';
import type { LegacyEdge } from './ways.js';

export interface ExpandInput {
  readonly nodeIds: readonly string[];
  readonly relTypes: readonly string[] | null;
  readonly direction: string;
  readonly maxHops: number;
  readonly includeSnippet: boolean;
  readonly cursor: string | null;
  readonly pageSize: number;
  readonly sessionId: string | null;
}

export interface ExpandOutput extends GraphOff, LegacyEnvelope {
  readonly nodes: readonly (LegacyNode & { readonly snippet?: string | null | undefined })[];
  readonly edges: readonly LegacyEdge[];
  readonly cursor: string | null;
  readonly next_cursor: string | null;
  readonly dedupe_applied?: boolean | undefined;
}

/** A node of a page, the edges of the way to it, and where it stands. */
interface Listed {
  readonly node: GraphNode;
  readonly edges: readonly LegacyEdge[];
  /** Place in the whole list. */
  readonly at: number;
}

/** One page, and what its session has already. */
interface Page {
  readonly input: ExpandInput;
  readonly sessionId: string;
  readonly listed: readonly Listed[];
  readonly sent: ReadonlySet<string>;
  /** Where the next page begins; null at the end. */
  readonly next: number | null;
}

const DEFAULT_PAGE = 25;
const MAX_HOPS = 3;
const SENT_LIMITS = { ttlMs: 900_000, maxSessions: 1_000, maxItems: 10_000 };

const nodeItem = (id: string): string => `node\n${id}`;
const edgeItem = ({ src, dst, type }: LegacyEdge): string => `edge\n${src}\n${type}\n${dst}`;
const readDirection = (word: string): Direction => (word === 'in' || word === 'out' ? word : 'both');

/** Lists what is linked with some nodes, and nothing twice in a session. */
@Injectable()
export class LegacyExpandService {
  private readonly sent = new SentItems(SENT_LIMITS);

  constructor(@Inject(GraphStore) private readonly store: GraphStore | null) {}

  /** @throws InvalidArgumentError for an unknown relation; BackendUnavailableError */
  async expand(call: Call, input: ExpandInput): Promise<Reply<ExpandOutput>> {
    const { cursor } = input;
    const sessionId = sessionName(call, input.sessionId);
    const rules = readRelations(input.relTypes);
    const nothing = { nodes: [], edges: [], cursor, next_cursor: null };
    if (!this.store) return graphOffReply(sessionId, nothing);
    if (input.nodeIds.length === 0) {
      return listReply({ count: 0, maxChars: 0 }, ({ reason }) =>
        withEnvelope({ sessionId, payload: nothing, phase: 'neighbors', reason }),
      );
    }
    // Somebody else's session of the same name is another one.
    const session = JSON.stringify([call.caller.principal, sessionId]);
    const found = await pageOf(new GraphReads(this.store, call), input, rules);
    const page: Page = { ...found, input, sessionId, sent: this.sent.of(session, call.now()) };
    const count = page.listed.filter(({ node }) => !page.sent.has(nodeItem(node.id))).length;
    return {
      ...listReply({ count, maxChars: 0, isPage: cursor !== null || page.next !== null }, (fit) =>
        build(page, fit),
      ),
      shown: ({ nodes, edges }) => {
        const items = [...nodes.map(({ id }) => nodeItem(id)), ...edges.map(edgeItem)];
        this.sent.add(session, items, call.now());
      },
    };
  }
}

async function pageOf(
  reads: GraphReads,
  input: ExpandInput,
  rules: readonly RelationRule[],
): Promise<Pick<Page, 'listed' | 'next'>> {
  const direction = readDirection(input.direction);
  const maxHops = Math.min(MAX_HOPS, input.maxHops);
  if (maxHops < 1) return { listed: [], next: null };
  const offset = decodeOffset(input.cursor);
  const end = offset + pageLength(input.pageSize, DEFAULT_PAGE);
  // Both ways, nothing of the walk is sorted out, so it need not go further than this page and one more.
  const limit = direction === 'both' ? Math.min(MAX_NODES, end + 1) : MAX_NODES;
  const walk = { seeds: input.nodeIds, rules, direction, maxHops, limit };
  const { seeds, edges } = await reads.walk(walk);
  const reached = reach(neighboursOf(edges, rules, direction), seeds, maxHops);
  const ids = [...reached.keys()].slice(seeds.length);
  const places = new Map(ids.map((id, at) => [id, at]));
  const nodes = await reads.describe(ids.slice(offset, end), input.includeSnippet);
  const listed = nodes.map((node) => {
    const at = places.get(node.id) ?? offset;
    return { node, edges: wayTo(node.id, reached).edges, at };
  });
  return { listed, next: end < ids.length ? end : null };
}

function distinct(edges: readonly LegacyEdge[]): LegacyEdge[] {
  return [...new Map(edges.map((edge) => [edgeItem(edge), edge])).values()];
}

function build({ input, sessionId, listed, sent, next }: Page, fit: Fit): ExpandOutput {
  const { count, reason } = fit;
  const fresh = listed.filter(({ node }) => !sent.has(nodeItem(node.id)));
  // Where the ceiling cost some nodes, the next page begins with the first of them.
  const from = fresh[count]?.at ?? next;
  const shown = keptOf(fresh, fit);
  const isSkipped = (item: Listed): boolean => fresh.includes(item) && !shown.includes(item);
  const kept = listed.filter((item) => (from === null || item.at < from) && !isSkipped(item));
  const edges = distinct(kept.flatMap((item) => item.edges));
  const freshEdges = edges.filter((edge) => !sent.has(edgeItem(edge)));
  const nodes = shown.map(({ node }) => ({
    ...toLegacyNode(node),
    ...(input.includeSnippet ? { snippet: node.snippet } : {}),
  }));
  const payload = {
    nodes,
    edges: freshEdges,
    cursor: input.cursor,
    next_cursor: from === null ? null : encodeOffset(from),
    dedupe_applied: true,
  };
  const duplicates = kept.length - nodes.length + edges.length - freshEdges.length;
  const hasMore = from !== null;
  return withEnvelope({ sessionId, payload, phase: 'neighbors', hasMore, reason, duplicates });
}
