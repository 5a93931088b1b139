import { Inject, Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { GraphStore } from '../../core/ports/graph-store.port.js';
import { keptOf, listReply } from '../../core/reply.js';
import type { Reply } from '../../core/reply.js';
import { graphOffReply } from './graph-off.js';
import type { GraphOff } from './graph-off.js';
import { withEnvelope } from '../legacy-envelope.js';
import type { LegacyEnvelope } from '../legacy-envelope.js';
import { readRelations } from './legacy-relations.js';
import { sessionName } from '../legacy-session.js';
import { decodeOffset, encodeOffset } from '../page-offset.js';
import { GraphReads } from './read-graph.js';
import { neighboursOf, reach, wayTo } from './ways.js';

export interface PathsInput {
  readonly aIds: readonly string[];
  readonly bIds: readonly string[];
  readonly relTypes: readonly string[] | null;
  readonly maxHops: number;
  readonly maxPaths: number;
  readonly cursor: string | null;
  readonly sessionId: string | null;
}

export interface PathRow {
  readonly nodes: readonly string[];
  readonly types: readonly string[];
  readonly length: number;
}

export interface PathsOutput extends GraphOff, LegacyEnvelope {
  readonly paths: readonly PathRow[];
  readonly cursor: string | null;
  readonly next_cursor: string | null;
}

const MAX_HOPS = 5;
const MAX_PATHS = 50;
const DEFAULT_PATHS = 10;

/** Finds how nodes are linked, as it was done under the older name. */
@Injectable()
export class LegacyPathsService {
  constructor(@Inject(GraphStore) private readonly store: GraphStore | null) {}

  /** One shortest path for each pair, shortest first. @throws InvalidArgumentError; BackendUnavailableError */
  async between(call: Call, input: PathsInput): Promise<Reply<PathsOutput>> {
    const { cursor } = input;
    const sessionId = sessionName(call, input.sessionId);
    const rules = readRelations(input.relTypes);
    if (!this.store) return graphOffReply(sessionId, { paths: [], cursor, next_cursor: null });
    const page = Math.min(MAX_PATHS, Math.max(1, input.maxPaths || DEFAULT_PATHS));
    const offset = decodeOffset(cursor);
    const all = await shortest(new GraphReads(this.store, call), { ...input, rules });
    const listed = all.slice(offset, offset + page);
    const isPage = listed.length < all.length;
    return listReply({ count: listed.length, maxChars: 0, isPage }, (fit) => {
      const next = offset + fit.count;
      const hasMore = next < all.length;
      const paths = keptOf(listed, fit);
      const payload = { paths, cursor, next_cursor: hasMore ? encodeOffset(next) : null };
      return withEnvelope({ sessionId, payload, phase: 'neighbors', hasMore, reason: fit.reason });
    });
  }
}

/** Walks from both ends, which meet in the middle, so that neither goes far. */
async function shortest(
  reads: GraphReads,
  { aIds, bIds, rules, maxHops }: PathsInput & { rules: ReturnType<typeof readRelations> },
): Promise<readonly PathRow[]> {
  const hops = Math.min(MAX_HOPS, maxHops);
  if (hops < 1 || aIds.length === 0 || bIds.length === 0) return [];
  const walk = { rules, direction: 'both' as const };
  const [a, b] = await Promise.all([
    reads.walk({ ...walk, seeds: aIds, maxHops: Math.ceil(hops / 2) }),
    reads.walk({ ...walk, seeds: bIds, maxHops: Math.max(1, Math.floor(hops / 2)) }),
  ]);
  const neighbours = neighboursOf([...a.edges, ...b.edges], rules, 'both');
  const rows = a.seeds.flatMap((from) => {
    const reached = reach(neighbours, [from], hops);
    return b.seeds
      .filter((to) => to !== from && reached.has(to))
      .map((to) => wayTo(to, reached))
      .map(({ nodes, edges }) => ({ nodes, types: edges.map(({ type }) => type), length: edges.length }));
  });
  return rows.toSorted((one, other) => one.length - other.length);
}
