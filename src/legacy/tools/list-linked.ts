import { z } from 'zod';
import type { GraphNode } from '../../core/ports/graph-store.port.js';
import { keptOf, listReply } from '../../core/reply.js';
import { labelOf, toLegacyNode } from '../graph/legacy-node.js';
import { readRelations } from '../graph/legacy-relations.js';
import {
  endsOf,
  type GraphReads,
  MAX_FAN_OUT,
  MAX_NODES,
  nodesById,
  walkNamed,
} from '../graph/named-walk.js';
import {
  anyInt,
  cursorShape,
  envelopeShape,
  graphOffShape,
  legacyCursorSchema,
  legacyIdSchema,
  legacyIdsSchema,
  legacyNodeSchema,
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

/** A node that was asked for, and the nodes at the other end of its mentions. */
interface LinkedNode {
  readonly asked: string;
  readonly nodes: readonly GraphNode[];
}

interface Wanted {
  readonly ids: readonly string[];
  /** `out` from sections to entities, `in` from entities to sections. */
  readonly direction: 'in' | 'out';
  /** Maximum for each id. */
  readonly fanOut: number;
}

const RULES = readRelations(['MENTIONS', 'DEFINES']);

async function linkedAtOnce(
  { graph, call }: GraphReads,
  { ids, direction, fanOut }: Wanted,
  generation: string | null,
) {
  const described = await (direction === 'out'
    ? graph.describeSections(call, ids, { generation })
    : graph.describe(call, ids, { generation }));
  const seeds = described.nodes.map(({ id }) => id);
  const walk = { seeds, rules: RULES, direction, maxHops: 1, fanOut };
  const { neighbours } = await walkNamed({ graph, call }, walk, described.generation);
  const ends = (seed: string): string[] => endsOf(neighbours, seed);
  const telling = { generation: described.generation };
  const nodes = await nodesById({ graph, call }, seeds.flatMap(ends), telling);
  const linked = described.each.map((node, i): LinkedNode => {
    const found = node ? ends(node.id).flatMap((end) => nodes.get(end) ?? []) : [];
    return { asked: ids[i] ?? '', nodes: found };
  });
  return { generation: described.generation, linked };
}

/** A row for each id, empty ones included. Reads in batches that are small enough for no walk to be cut. */
async function linkedWith(reads: GraphReads, wanted: Wanted): Promise<readonly LinkedNode[]> {
  const ids = [...new Set(wanted.ids)];
  const fanOut = Math.min(MAX_FAN_OUT, Math.max(1, wanted.fanOut));
  const batch = Math.max(1, Math.floor(MAX_NODES / (fanOut * RULES.length)));
  const linked: LinkedNode[] = [];
  let generation: string | null = null;
  for (let from = 0; from < ids.length; from += batch) {
    const some = { ...wanted, ids: ids.slice(from, from + batch), fanOut };
    const found = await linkedAtOnce(reads, some, generation);
    generation = found.generation;
    linked.push(...found.linked);
  }
  return linked;
}

export const legacyEntitiesForSections = legacyTool({
  name: 'get_entities_for_sections',
  title: 'Entities of sections (older name)',
  description:
    'Legacy name of graph.entities_for_sections; prefer graph.entities_for_sections. ' +
    'Returns for each section the entities that it mentions, max_per_section (20) of them, of these labels if labels are given.',
  input: z.object({
    section_ids: legacyIdsSchema,
    labels: z.array(z.string().max(64)).max(64).nullable().default(null),
    max_per_section: anyInt.default(20),
    session_id: sessionIdSchema,
  }),
  output: z.strictObject({
    results: z.array(
      z.strictObject({
        section_id: z.string(),
        entities: z.array(z.strictObject({ id: z.string(), label: z.string(), name: z.string() })),
      }),
    ),
    ...graphOffShape,
    ...envelopeShape,
  }),
  mounts: ['graph'],
  standsFor: ['graph.entities_for_sections'],
  counted: [({ results }) => results.length, 'sections with their entities'],

  answer: async ({ graph }, call, { section_ids, labels, max_per_section, session_id }) => {
    const sessionId = sessionName(call, session_id);
    if (!graph) return graphOffReply(sessionId, { results: [] });
    const max = Math.max(0, max_per_section);
    // Labels are filtered after the walk, so the walk has to return more.
    const wanted = { ids: section_ids, direction: 'out', fanOut: labels ? MAX_FAN_OUT : max } as const;
    const rows = (await linkedWith({ graph, call }, wanted)).map(({ asked, nodes }) => ({
      section_id: asked,
      entities: nodes
        .map((node) => ({ id: node.id, label: labelOf(node), name: node.title }))
        .filter(({ label }) => !labels || labels.includes(label))
        .slice(0, max),
    }));
    return rowsReply({ sessionId, phase: 'neighbors', rows }, (results) => ({ results }));
  },
});

export const legacySectionsForEntities = legacyTool({
  name: 'get_sections_for_entities',
  title: 'Sections of entities (older name)',
  description:
    'Legacy name of graph.sections_for_entities; prefer graph.sections_for_entities. ' +
    'Returns for each entity the sections that mention it, max_per (20) of them.',
  input: z.object({ entity_ids: legacyIdsSchema, max_per: anyInt.default(20), session_id: sessionIdSchema }),
  output: z.strictObject({
    results: z.array(
      z.strictObject({
        entity_id: z.string(),
        sections: z.array(z.strictObject({ section_id: z.string(), title: z.string() })),
      }),
    ),
    ...graphOffShape,
    ...envelopeShape,
  }),
  mounts: ['graph'],
  standsFor: ['graph.sections_for_entities'],
  counted: [({ results }) => results.length, 'entities with their sections'],

  answer: async ({ graph }, call, { entity_ids, max_per, session_id }) => {
    const sessionId = sessionName(call, session_id);
    if (!graph) return graphOffReply(sessionId, { results: [] });
    const max = Math.max(0, max_per);
    const wanted = { ids: entity_ids, direction: 'in', fanOut: max } as const;
    const rows = (await linkedWith({ graph, call }, wanted)).map(({ asked, nodes }) => ({
      entity_id: asked,
      sections: nodes.slice(0, max).map(({ id, title }) => ({ section_id: id, title })),
    }));
    return rowsReply({ sessionId, phase: 'neighbors', rows }, (results) => ({ results }));
  },
});

const DEFAULT_CHILDREN = 50;
const DOWN = {
  rules: readRelations(['PARENT_OF', 'HAS_CHUNK', 'CONTAINS_STEP']),
  direction: 'out',
  maxHops: 1,
  fanOut: MAX_NODES,
} as const;
const UP = { rules: readRelations(['PARENT_OF']), direction: 'in', maxHops: 1 } as const;

const childSchema = legacyNodeSchema.pick({ id: true, label: true, title: true, level: true });

export const legacyListChildren = legacyTool({
  name: 'list_children',
  title: 'List children (older name)',
  description:
    'Legacy name of graph.children; prefer graph.children. ' +
    'Returns what stands right below a document or heading, in its order; page_size 50, at most 100.',
  input: z.object({
    parent_id: legacyIdSchema,
    cursor: legacyCursorSchema,
    page_size: anyInt.default(50),
    session_id: sessionIdSchema,
  }),
  output: z.strictObject({
    children: z.array(childSchema),
    ...cursorShape,
    ...graphOffShape,
    ...envelopeShape,
  }),
  mounts: ['graph'],
  standsFor: ['graph.children'],
  counted: [({ children }) => children.length, 'children'],

  answer: async ({ graph }, call, { parent_id, cursor, page_size, session_id }) => {
    const sessionId = sessionName(call, session_id);
    if (!graph) return graphOffReply(sessionId, { children: [], cursor, next_cursor: null });
    const reads = { graph, call };
    const page = pageLength(page_size, DEFAULT_CHILDREN);
    const offset = decodeOffset(cursor);
    const { generation, seeds, reached, isCut } = await walkNamed(reads, { ...DOWN, seeds: [parent_id] });
    const ids = [...reached.keys()].slice(seeds.length);
    const isAnyCut = isCut || ids.length >= MAX_NODES;
    const found = await nodesById(reads, ids.slice(offset, offset + page), { generation });
    const nodes = [...found.values()];
    return listReply({ count: nodes.length, maxChars: 0, isPage: nodes.length < ids.length }, (fit) => {
      const { count, reason } = fit;
      const next = offset + (count === nodes.length ? page : count);
      const hasMore = next < ids.length;
      const children = keptOf(nodes, fit).map((node) => {
        const { id, label, title, level } = toLegacyNode(node);
        return { id, label, title, level };
      });
      const payload = { children, cursor, next_cursor: hasMore ? encodeOffset(next) : null };
      return withEnvelope({ sessionId, payload, phase: 'neighbors', hasMore: hasMore || isAnyCut, reason });
    });
  },
});

export const legacyListParents = legacyTool({
  name: 'list_parents',
  title: 'List parents (older name)',
  description:
    'Legacy name of graph.parents; prefer graph.parents. ' +
    'Returns for each section the heading or document right above it.',
  input: z.object({ section_ids: legacyIdsSchema, session_id: sessionIdSchema }),
  output: z.strictObject({
    results: z.array(
      z.strictObject({ section_id: z.string(), parent_id: z.string(), parent_title: z.string() }),
    ),
    ...graphOffShape,
    ...envelopeShape,
  }),
  mounts: ['graph'],
  standsFor: ['graph.parents'],
  counted: [({ results }) => results.length, 'parents'],

  answer: async ({ graph }, call, { section_ids, session_id }) => {
    const sessionId = sessionName(call, session_id);
    if (!graph) return graphOffReply(sessionId, { results: [] });
    const reads = { graph, call };
    const sections = await graph.describeSections(call, section_ids);
    const from = sections.nodes.map(({ id }) => id);
    const { generation, seeds, edges } = await walkNamed(reads, { ...UP, seeds: from }, sections.generation);
    const sources = edges.map(({ source }) => source);
    const titles = await nodesById(reads, sources, { generation });
    const rows = seeds.flatMap((id) =>
      edges
        .filter(({ target }) => target === id)
        .map(({ source }) => ({
          section_id: id,
          parent_id: source,
          parent_title: titles.get(source)?.title ?? '',
        })),
    );
    return rowsReply({ sessionId, phase: 'neighbors', rows }, (results) => ({ results }));
  },
});
