import { z } from 'zod';
import { keptOf, listReply } from '../../core/reply.js';
import { toLegacyNode } from '../graph/legacy-node.js';
import { readRelations } from '../graph/legacy-relations.js';
import { MAX_NODES, nodesById, walkNamed } from '../graph/named-walk.js';
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
