import { z } from 'zod';
import { estimateTokens } from '../../text/estimate-tokens.js';
import { labelOf, projectNode, readFields } from '../graph/legacy-node.js';
import { readRelations } from '../graph/legacy-relations.js';
import { nodesById, walkNamed } from '../graph/named-walk.js';
import {
  anyInt,
  envelopeShape,
  graphOffShape,
  legacyIdsSchema,
  legacyNodeSchema,
  sessionIdSchema,
} from '../legacy.schemas.js';
import { graphOffError, graphOffReply, rowsReply, sessionName } from '../legacy-envelope.js';
import { legacyTool } from '../legacy-tool.js';

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
