import { Inject, Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { GraphStore } from '../../core/ports/graph-store.port.js';
import type { Direction, GraphNode } from '../../core/ports/graph-store.port.js';
import { keptOf, listReply } from '../../core/reply.js';
import type { Reply } from '../../core/reply.js';
import { graphOffReply } from './graph-off.js';
import type { GraphOff } from './graph-off.js';
import { withEnvelope } from '../legacy-envelope.js';
import type { LegacyEnvelope } from '../legacy-envelope.js';
import { labelOf } from './legacy-node.js';
import { readRelations } from './legacy-relations.js';
import { sessionName } from '../legacy-session.js';
import { GraphReads, MAX_FAN_OUT, MAX_NODES } from './read-graph.js';
import { neighboursOf, reach } from './ways.js';

export interface EntityRow {
  readonly section_id: string;
  readonly entities: readonly { readonly id: string; readonly label: string; readonly name: string }[];
}

export interface EntitiesOutput extends GraphOff, LegacyEnvelope {
  readonly results: readonly EntityRow[];
}

export interface SectionsRow {
  readonly entity_id: string;
  readonly sections: readonly { readonly section_id: string; readonly title: string }[];
}

export interface SectionsOutput extends GraphOff, LegacyEnvelope {
  readonly results: readonly SectionsRow[];
}

/** A node that was asked for, with those at the other end of its mentions. */
interface Linked {
  readonly asked: string;
  readonly nodes: readonly GraphNode[];
}

interface Wanted {
  readonly ids: readonly string[];
  readonly direction: Direction;
  /** Most of each. */
  readonly fanOut: number;
}

const RULES = readRelations(['MENTIONS', 'DEFINES']);

/** Tells which sections mention which things, as it was done under the older names. */
@Injectable()
export class LegacyMentionsService {
  constructor(@Inject(GraphStore) private readonly store: GraphStore | null) {}

  /** A row for each id, empty ones too. @throws BackendUnavailableError */
  async entities(
    call: Call,
    input: {
      sectionIds: readonly string[];
      labels: readonly string[] | null;
      max: number;
      sessionId: string | null;
    },
  ): Promise<Reply<EntitiesOutput>> {
    const sessionId = sessionName(call, input.sessionId);
    if (!this.store) return graphOffReply(sessionId, { results: [] });
    const { labels } = input;
    const max = Math.max(0, input.max);
    // Labels are chosen from what the walk brings, so it has to bring more.
    const fanOut = labels ? MAX_FAN_OUT : max;
    const wanted = { ids: input.sectionIds, direction: 'out' as const, fanOut };
    const linked = await linkedWith(new GraphReads(this.store, call), wanted);
    const rows = linked.map(({ asked, nodes }) => ({
      section_id: asked,
      entities: nodes
        .map((node) => ({ id: node.id, label: labelOf(node), name: node.title }))
        .filter(({ label }) => !labels || labels.includes(label))
        .slice(0, max),
    }));
    return this.reply(sessionId, rows);
  }

  /** A row for each id, empty ones too. @throws BackendUnavailableError */
  async sections(
    call: Call,
    input: { entityIds: readonly string[]; max: number; sessionId: string | null },
  ): Promise<Reply<SectionsOutput>> {
    const sessionId = sessionName(call, input.sessionId);
    if (!this.store) return graphOffReply(sessionId, { results: [] });
    const fanOut = Math.max(0, input.max);
    const wanted = { ids: input.entityIds, direction: 'in' as const, fanOut };
    const linked = await linkedWith(new GraphReads(this.store, call), wanted);
    const rows = linked.map(({ asked, nodes }) => ({
      entity_id: asked,
      sections: nodes.slice(0, fanOut).map(({ id, title }) => ({ section_id: id, title })),
    }));
    return this.reply(sessionId, rows);
  }

  private reply<T>(sessionId: string, rows: readonly T[]): Reply<{ results: readonly T[] } & LegacyEnvelope> {
    return listReply({ count: rows.length, maxChars: 0 }, (fit) => {
      const payload = { results: keptOf(rows, fit) };
      return withEnvelope({ sessionId, payload, phase: 'neighbors', reason: fit.reason });
    });
  }
}

/** Few enough at a time that no walk ends early. */
async function linkedWith(reads: GraphReads, wanted: Wanted): Promise<readonly Linked[]> {
  const ids = [...new Set(wanted.ids)];
  const fanOut = Math.min(MAX_FAN_OUT, Math.max(1, wanted.fanOut));
  const atOnce = Math.max(1, Math.floor(MAX_NODES / (fanOut * RULES.length)));
  const linked: Linked[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = { ...wanted, ids: ids.slice(from, from + atOnce), fanOut };
    linked.push(...(await linkedAtOnce(reads, some)));
  }
  return linked;
}

async function linkedAtOnce(
  reads: GraphReads,
  { ids, direction, fanOut }: Wanted,
): Promise<readonly Linked[]> {
  const asked = await reads.each(ids, direction === 'out');
  const seeds = [...new Set(asked.flatMap((node) => node?.id ?? []))];
  const { edges } = await reads.walk({ seeds, rules: RULES, direction, maxHops: 1, fanOut });
  const neighbours = neighboursOf(edges, RULES, direction);
  const ends = (seed: string): string[] => [...reach(neighbours, [seed], 1).keys()].slice(1);
  const nodes = await reads.byId(seeds.flatMap(ends));
  return ids.map((id, i) => {
    const seed = asked[i]?.id;
    const found = seed === undefined ? [] : ends(seed).flatMap((end) => nodes.get(end) ?? []);
    return { asked: id, nodes: found };
  });
}
