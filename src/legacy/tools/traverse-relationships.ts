import { z } from 'zod';
import type { Call } from '../../core/call.js';
import { PithError } from '../../core/errors.js';
import type { GraphEdge, GraphNode } from '../../core/ports/graph-store.port.js';
import { type Fit, keptOf, listReply } from '../../core/reply.js';
import { indexChanged } from '../../graph/index-changed.js';
import { DOCUMENT_TEXT } from '../../mcp/tool-class.js';
import { clipText } from '../../text/span.js';
import { labelOf } from '../graph/legacy-node.js';
import { readRelations } from '../graph/legacy-relations.js';
import { type GraphReads, nodesById, pathTo, type Reached, walkNamed } from '../graph/named-walk.js';
import { anyInt, legacyIdsSchema, relTypesSchema } from '../legacy.schemas.js';
import type { LegacyService } from '../legacy.service.js';
import { GRAPH_OFF } from '../legacy-envelope.js';
import { legacyTool } from '../legacy-tool.js';

const input = z.object({
  start_ids: legacyIdsSchema,
  rel_types: relTypesSchema,
  max_depth: anyInt.default(2),
  include_text: z.boolean().default(false),
});
type Input = z.output<typeof input>;

const nodeSchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  properties: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  distance: z.int(),
});
type TraversedNode = z.output<typeof nodeSchema>;

interface Traversed {
  readonly nodes: readonly TraversedNode[];
  readonly edges: readonly GraphEdge[];
  readonly reached: ReadonlyMap<string, Reached>;
}

const ALLOWED = ['MENTIONS', 'HAS_CHUNK', 'CONTAINS_STEP'];
const MAX_TRAVERSED = 100;
const MAX_TEXT = 1_000;
const MAX_STRING = 500;

/** The message that invalid arguments always got; null for valid ones. */
function problemWith({ start_ids, max_depth, rel_types }: Input): string | null {
  if (start_ids.length === 0) return 'start_ids is required and cannot be empty';
  if (max_depth < 1 || max_depth > 3) return 'Validation error: max_depth must be between 1 and 3';
  const unknown = (rel_types ?? []).filter((name) => !ALLOWED.includes(name)).slice(0, 5);
  if (unknown.length === 0) return null;
  return `Validation error: relationship types not allowed: ${unknown.join(', ')}; allowed: ${ALLOWED.join(', ')}`;
}

function propertiesOf(node: GraphNode, text: string | undefined): TraversedNode['properties'] {
  const title = clipText(node.title, MAX_STRING);
  const isChunk = labelOf(node) === 'Chunk';
  return {
    title,
    heading: isChunk ? title : null,
    name: node.sections === null ? null : title,
    doc_tag: node.docTag,
    level: node.level,
    tokens: node.tokens,
    anchor: node.anchor,
    ...(text === undefined ? {} : { text: clipText(text, MAX_TEXT) }),
  };
}

async function textsOf(from: LegacyService, call: Call, ids: readonly string[]) {
  const { generation, sections } = await from.sectionsInScope(call, ids);
  return { generation, texts: new Map(sections.map(({ section }) => [section.id, section.text])) };
}

async function traverse(
  from: LegacyService,
  reads: GraphReads,
  { start_ids, rel_types, max_depth, include_text }: Input,
): Promise<Traversed> {
  const rules = readRelations(rel_types ?? ALLOWED);
  const limits = { direction: 'both', maxHops: max_depth, limit: MAX_TRAVERSED } as const;
  const { generation, seeds, edges, reached } = await walkNamed(reads, {
    ...limits,
    seeds: start_ids,
    rules,
  });
  const ids = [...reached.keys()].slice(0, Math.max(seeds.length, MAX_TRAVERSED));
  const described = await nodesById(reads, ids, { generation });
  const read = include_text ? await textsOf(from, reads.call, ids) : null;
  if (read && generation !== null && read.generation !== generation) throw indexChanged();
  const nodes = [...described.values()].map((node) => ({
    id: node.id,
    label: labelOf(node),
    properties: propertiesOf(node, read?.texts.get(node.id)),
    distance: reached.get(node.id)?.distance ?? 0,
  }));
  return { nodes, edges, reached };
}

function build({ nodes, edges, reached }: Traversed, fit: Fit) {
  const kept = keptOf(nodes, fit);
  const ids = new Set(kept.map(({ id }) => id));
  const links = edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
  return {
    nodes: kept,
    relationships: links.map(({ source, target, type, weight }) => ({
      from_id: source,
      to_id: target,
      type,
      properties: { weight },
    })),
    paths: kept
      .filter(({ distance }) => distance > 0)
      .map(({ id, distance }) => ({ nodes: pathTo(id, reached).nodes, length: distance })),
  };
}

function failed(error: string, more: { neo4j_disabled?: true } = {}) {
  const output = { error, nodes: [], relationships: [], paths: [], ...more };
  return listReply({ count: 0, maxChars: 0 }, () => output);
}

/** Errors are part of the result, and there is no envelope. */
export const legacyTraverse = legacyTool({
  name: 'traverse_relationships',
  title: 'Traverse relationships (older name)',
  description:
    'Legacy name of graph.expand; prefer graph.expand. ' +
    'Returns up to 100 nodes within max_depth (2; 1 to 3) over MENTIONS, HAS_CHUNK and CONTAINS_STEP, both ways, with edges and paths. ' +
    'Problems come as error in a result.',
  input,
  output: z.strictObject({
    error: z.string().optional(),
    nodes: z.array(nodeSchema),
    relationships: z.array(
      z.strictObject({
        from_id: z.string(),
        to_id: z.string(),
        type: z.string(),
        properties: z.record(z.string(), z.number()),
      }),
    ),
    paths: z.array(z.strictObject({ nodes: z.array(z.string()), length: z.int() })),
    neo4j_disabled: z.literal(true).optional(),
  }),
  mounts: ['documents', 'graph'],
  standsFor: [...DOCUMENT_TEXT, 'graph.expand'],
  counted: [({ nodes }) => nodes.length, 'nodes'],

  answer: async (from, call, asked) => {
    const problem = problemWith(asked);
    if (problem !== null) return failed(problem);
    const { graph } = from;
    if (!graph) return failed(GRAPH_OFF, { neo4j_disabled: true });
    try {
      const traversed = await traverse(from, { graph, call }, asked);
      return listReply({ count: traversed.nodes.length, maxChars: 0 }, (fit) => build(traversed, fit));
    } catch (error) {
      if (error instanceof PithError) return failed(`Traversal failed: ${error.message}`);
      throw error;
    }
  },
});
