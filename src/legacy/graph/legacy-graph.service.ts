import { Inject, Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { GraphStore } from '../../core/ports/graph-store.port.js';
import { keptOf, listReply } from '../../core/reply.js';
import type { Reply } from '../../core/reply.js';
import { estimateTokens } from '../../text/estimate-tokens.js';
import { graphOffError, graphOffReply } from './graph-off.js';
import type { GraphOff } from './graph-off.js';
import { withEnvelope } from '../legacy-envelope.js';
import type { LegacyEnvelope } from '../legacy-envelope.js';
import { labelOf, projectNode, readFields } from './legacy-node.js';
import type { LegacyNode } from './legacy-node.js';
import { readRelations } from './legacy-relations.js';
import { sessionName } from '../legacy-session.js';
import { decodeOffset, encodeOffset, pageLength } from '../page-offset.js';
import { GraphReads, MAX_NODES } from './read-graph.js';
import { neighboursOf, reach } from './ways.js';

export interface DescribedOutput extends GraphOff, LegacyEnvelope {
  readonly results: readonly Partial<LegacyNode>[];
  readonly cursor: null;
  readonly next_cursor: null;
}

export interface ChildrenInput {
  readonly parentId: string;
  readonly cursor: string | null;
  readonly pageSize: number;
  readonly sessionId: string | null;
}

export interface ChildrenOutput extends GraphOff, LegacyEnvelope {
  readonly children: readonly Pick<LegacyNode, 'id' | 'label' | 'title' | 'level'>[];
  readonly cursor: string | null;
  readonly next_cursor: string | null;
}

export interface ParentRow {
  readonly section_id: string;
  readonly parent_id: string;
  readonly parent_title: string;
}

export interface ParentsOutput extends GraphOff, LegacyEnvelope {
  readonly results: readonly ParentRow[];
}

export interface SummaryOutput extends LegacyEnvelope {
  readonly bullets: readonly string[];
  readonly citations: readonly string[];
}

const DEFAULT_CHILDREN = 50;
const MAX_BULLETS = 5;
const CHILD_RELATIONS = ['PARENT_OF', 'HAS_CHUNK', 'CONTAINS_STEP'];

/** Tells of nodes and what is above and below them, as it was done under the older names. */
@Injectable()
export class LegacyGraphService {
  constructor(@Inject(GraphStore) private readonly store: GraphStore | null) {}

  /** @throws InvalidArgumentError `projection_violation`; BackendUnavailableError */
  async describe(
    call: Call,
    input: {
      nodeIds: readonly string[];
      fields: readonly string[] | null;
      sessionId: string | null;
    },
  ): Promise<Reply<DescribedOutput>> {
    const sessionId = sessionName(call, input.sessionId);
    const fields = readFields(input.fields);
    const cursors = { cursor: null, next_cursor: null };
    if (!this.store) return graphOffReply(sessionId, { results: [], ...cursors });
    const nodes = await new GraphReads(this.store, call).describe(input.nodeIds);
    return listReply({ count: nodes.length, maxChars: 0 }, (fit) => {
      const { reason } = fit;
      const results = keptOf(nodes, fit).map((node) => projectNode(node, fields));
      return withEnvelope({ sessionId, payload: { results, ...cursors }, phase: 'neighbors', reason });
    });
  }

  /** In the order of the document. @throws BackendUnavailableError */
  async children(call: Call, input: ChildrenInput): Promise<Reply<ChildrenOutput>> {
    const { cursor } = input;
    const sessionId = sessionName(call, input.sessionId);
    if (!this.store) return graphOffReply(sessionId, { children: [], cursor, next_cursor: null });
    const page = pageLength(input.pageSize, DEFAULT_CHILDREN);
    const offset = decodeOffset(cursor);
    const reads = new GraphReads(this.store, call);
    const { ids, isCut } = await idsBelow(reads, input.parentId);
    const nodes = await reads.describe(ids.slice(offset, offset + page));
    const isPage = nodes.length < ids.length;
    return listReply({ count: nodes.length, maxChars: 0, isPage }, (fit) => {
      const { count, reason } = fit;
      const next = offset + (count === nodes.length ? page : count);
      const hasMore = next < ids.length;
      const children = keptOf(nodes, fit).map((node) => ({
        id: node.id,
        label: labelOf(node),
        title: node.title,
        level: node.level,
      }));
      const payload = { children, cursor, next_cursor: hasMore ? encodeOffset(next) : null };
      return withEnvelope({ sessionId, payload, phase: 'neighbors', hasMore: hasMore || isCut, reason });
    });
  }

  /** What stands right above; nodes that have nothing above them are left out. @throws BackendUnavailableError */
  async parents(
    call: Call,
    input: { sectionIds: readonly string[]; sessionId: string | null },
  ): Promise<Reply<ParentsOutput>> {
    const sessionId = sessionName(call, input.sessionId);
    if (!this.store) return graphOffReply(sessionId, { results: [] });
    const reads = new GraphReads(this.store, call);
    const sections = (await reads.each(input.sectionIds, true)).flatMap((node) => node?.id ?? []);
    const walk = { rules: readRelations(['PARENT_OF']), direction: 'in' as const, maxHops: 1 };
    const { seeds, edges } = await reads.walk({ ...walk, seeds: [...new Set(sections)] });
    const titles = await reads.byId(edges.map(({ source }) => source));
    const rows = seeds.flatMap((id) =>
      edges
        .filter(({ target }) => target === id)
        .map(({ source }) => ({
          section_id: id,
          parent_id: source,
          parent_title: titles.get(source)?.title ?? '',
        })),
    );
    return listReply({ count: rows.length, maxChars: 0 }, (fit) => {
      const payload = { results: keptOf(rows, fit) };
      return withEnvelope({ sessionId, payload, phase: 'neighbors', reason: fit.reason });
    });
  }

  /** The nodes and what is linked with them, in a few words. @throws BackendUnavailableError where there is no graph */
  async summarize(
    call: Call,
    input: { nodeIds: readonly string[]; tokenBudget: number },
  ): Promise<Reply<SummaryOutput>> {
    if (!this.store) throw graphOffError();
    const rules = readRelations(null);
    const walk = { rules, direction: 'both' as const, maxHops: 1, limit: MAX_BULLETS };
    const reads = new GraphReads(this.store, call);
    const { seeds, edges } = await reads.walk({ ...walk, seeds: input.nodeIds });
    const reached = reach(neighboursOf(edges, rules, walk.direction), seeds, 1);
    const nodes = await reads.describe([...reached.keys()].slice(0, MAX_BULLETS));
    const told = nodes.map((node) => ({
      id: node.id,
      bullet: `${node.title} — ${labelOf(node)} (≈${node.tokens} tokens)`,
    }));
    const affordable = told.filter((_, i) => {
      const text = told
        .slice(0, i + 1)
        .map(({ bullet }) => bullet)
        .join('\n');
      return estimateTokens(text) <= input.tokenBudget;
    });
    return listReply({ count: affordable.length, maxChars: 0 }, (fit) => {
      const kept = keptOf(affordable, fit);
      const payload = { bullets: kept.map(({ bullet }) => bullet), citations: kept.map(({ id }) => id) };
      return withEnvelope({ sessionId: sessionName(call), payload, phase: null, reason: fit.reason });
    });
  }
}

async function idsBelow(
  reads: GraphReads,
  parentId: string,
): Promise<{ readonly ids: readonly string[]; readonly isCut: boolean }> {
  const rules = readRelations(CHILD_RELATIONS);
  const walk = { rules, direction: 'out' as const, maxHops: 1, fanOut: MAX_NODES };
  const { seeds, edges, isCut } = await reads.walk({ ...walk, seeds: [parentId] });
  const ids = [...reach(neighboursOf(edges, rules, 'out'), seeds, 1).keys()].slice(seeds.length);
  return { ids, isCut: isCut || ids.length >= MAX_NODES };
}
