import { z } from 'zod';
import { indexChanged } from '../../graph/index-changed.js';
import { estimateTokens } from '../../text/estimate-tokens.js';
import { labelOf, projectNode, readFields } from '../graph/legacy-node.js';
import { readRelations, type RelationRule } from '../graph/legacy-relations.js';
import { type GraphReads, neighboursOf, nodesById, pathTo, reach, walkNamed } from '../graph/named-walk.js';
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
  graphOffError,
  graphOffReply,
  pageReply,
  rowsReply,
  sessionName,
} from '../legacy-envelope.js';
import { legacyTool } from '../legacy-tool.js';

const MAX_HOPS = 5;
const MAX_PATHS = 50;
const DEFAULT_PATHS = 10;

const input = z.object({
  a_ids: legacyIdsSchema,
  b_ids: legacyIdsSchema,
  rel_types: relTypesSchema,
  max_hops: anyInt.default(3),
  max_paths: anyInt.default(10),
  cursor: legacyCursorSchema,
  session_id: sessionIdSchema,
});

const pathSchema = z.strictObject({
  nodes: z.array(z.string()),
  types: z.array(z.string()),
  length: z.int(),
});

/** One shortest path for each pair, shortest first. Two short walks, one from each end, meet in the middle. */
async function shortestPaths(
  reads: GraphReads,
  { a_ids, b_ids, max_hops }: z.output<typeof input>,
  rules: readonly RelationRule[],
): Promise<z.output<typeof pathSchema>[]> {
  const hops = Math.min(MAX_HOPS, max_hops);
  if (hops < 1 || a_ids.length === 0 || b_ids.length === 0) return [];
  const walk = { rules, direction: 'both' } as const;
  const [a, b] = await Promise.all([
    walkNamed(reads, { ...walk, seeds: a_ids, maxHops: Math.ceil(hops / 2) }),
    walkNamed(reads, { ...walk, seeds: b_ids, maxHops: Math.max(1, Math.floor(hops / 2)) }),
  ]);
  if (a.generation !== b.generation) throw indexChanged();
  const neighbours = neighboursOf([...a.edges, ...b.edges], walk);
  const paths = a.seeds.flatMap((from) => {
    const reached = reach(neighbours, [from], hops);
    return b.seeds
      .filter((to) => to !== from && reached.has(to))
      .map((to) => pathTo(to, reached))
      .map(({ nodes, edges }) => ({ nodes, types: edges.map(({ type }) => type), length: edges.length }));
  });
  return paths.sort((one, other) => one.length - other.length);
}

export const legacyPathsBetween = legacyTool({
  name: 'get_paths_between',
  title: 'Find paths (older name)',
  description:
    'Legacy name of graph.paths; prefer graph.paths. ' +
    'Returns one shortest path for each pair of a_ids and b_ids, shortest first, whatever way its edges point. ' +
    'Defaults: max_hops 3 (at most 5), max_paths 10 a page (at most 50).',
  input,
  output: z.strictObject({ paths: z.array(pathSchema), ...cursorShape, ...graphOffShape, ...envelopeShape }),
  mounts: ['graph'],
  standsFor: ['graph.paths'],
  counted: [({ paths }) => paths.length, 'paths'],

  answer: async ({ graph }, call, asked) => {
    const { cursor } = asked;
    const sessionId = sessionName(call, asked.session_id);
    const rules = readRelations(asked.rel_types);
    if (!graph) return graphOffReply(sessionId, { paths: [], cursor, next_cursor: null });
    const page = Math.min(MAX_PATHS, Math.max(1, asked.max_paths || DEFAULT_PATHS));
    const offset = decodeOffset(cursor);
    const all = await shortestPaths({ graph, call }, asked, rules);
    const found = { rows: all.slice(offset, offset + page), total: all.length };
    return pageReply({ sessionId, phase: 'neighbors', cursor, ...found }, (paths) => ({ paths }));
  },
});

const MAX_BULLETS = 5;

export const legacyDescribeNodes = legacyTool({
  name: 'describe_nodes',
  title: 'Describe nodes (older name)',
  description:
    'Legacy name of graph.describe; prefer graph.describe. ' +
    'Returns facts about documents, sections and entities by id, without text. ' +
    'fields: id, label, title, level, tokens, doc_tag, anchor; all but level and anchor unless told.',
  input: z.object({
    node_ids: legacyIdsSchema,
    fields: z.array(z.string().max(64)).max(16).nullable().default(null),
    session_id: sessionIdSchema,
  }),
  output: z.strictObject({
    results: z.array(legacyNodeSchema.partial()),
    cursor: z.null(),
    next_cursor: z.null(),
    ...graphOffShape,
    ...envelopeShape,
  }),
  mounts: ['graph'],
  standsFor: ['graph.describe'],
  counted: [({ results }) => results.length, 'nodes'],

  answer: async ({ graph }, call, { node_ids, fields: names, session_id }) => {
    const sessionId = sessionName(call, session_id);
    const fields = readFields(names);
    const cursors = { cursor: null, next_cursor: null };
    if (!graph) return graphOffReply(sessionId, { results: [], ...cursors });
    const nodes = await nodesById({ graph, call }, node_ids);
    return rowsReply({ sessionId, phase: 'neighbors', rows: [...nodes.values()] }, (kept) => ({
      results: kept.map((node) => projectNode(node, fields)),
      ...cursors,
    }));
  },
});

/** The first bullets whose text is within the budget. */
function withinBudget<T extends { readonly bullet: string }>(bullets: readonly T[], maxTokens: number): T[] {
  return bullets.filter((_, i) => {
    const text = bullets.slice(0, i + 1).map(({ bullet }) => bullet);
    return estimateTokens(text.join('\n')) <= maxTokens;
  });
}

export const legacySummarizeNeighborhood = legacyTool({
  name: 'summarize_neighborhood',
  title: 'Summarize a neighbourhood (older name)',
  description:
    'Legacy name of graph.expand, in short; prefer graph.expand. ' +
    'Returns at most five lines about the nodes and what is linked with them, within token_budget (400) tokens, and their ids.',
  input: z.object({ node_ids: legacyIdsSchema, token_budget: anyInt.default(400) }),
  output: z.strictObject({ bullets: z.array(z.string()), citations: z.array(z.string()), ...envelopeShape }),
  mounts: ['graph'],
  standsFor: ['graph.describe', 'graph.expand'],
  counted: [({ bullets }) => bullets.length, 'bullets'],

  answer: async ({ graph }, call, { node_ids, token_budget }) => {
    if (!graph) throw graphOffError();
    const reads = { graph, call };
    const walk = { rules: readRelations(null), direction: 'both', maxHops: 1, limit: MAX_BULLETS } as const;
    const { generation, reached } = await walkNamed(reads, { ...walk, seeds: node_ids });
    const nodes = await nodesById(reads, [...reached.keys()].slice(0, MAX_BULLETS), { generation });
    const bullets = [...nodes.values()].map((node) => ({
      id: node.id,
      bullet: `${node.title} — ${labelOf(node)} (≈${node.tokens} tokens)`,
    }));
    const rows = withinBudget(bullets, token_budget);
    return rowsReply({ sessionId: sessionName(call), phase: null, rows }, (kept) => ({
      bullets: kept.map(({ bullet }) => bullet),
      citations: kept.map(({ id }) => id),
    }));
  },
});
