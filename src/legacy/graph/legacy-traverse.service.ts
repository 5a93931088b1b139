import { Inject, Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { PithError } from '../../core/errors.js';
import { GraphStore } from '../../core/ports/graph-store.port.js';
import type { GraphEdge, GraphNode } from '../../core/ports/graph-store.port.js';
import { keptOf, listReply } from '../../core/reply.js';
import type { Fit, Reply } from '../../core/reply.js';
import { clipText } from '../../text/clip-text.js';
import { GRAPH_OFF } from './graph-off.js';
import type { GraphOff } from './graph-off.js';
import { labelOf } from './legacy-node.js';
import { readRelations } from './legacy-relations.js';
import { LegacyTextService } from '../legacy-text.service.js';
import { GraphReads } from './read-graph.js';
import { neighboursOf, reach, wayTo } from './ways.js';
import type { Reached } from './ways.js';

export interface TraverseInput {
  readonly startIds: readonly string[];
  readonly relTypes: readonly string[] | null;
  readonly maxDepth: number;
  readonly includeText: boolean;
}

export interface TraversedNode {
  readonly id: string;
  readonly label: string;
  readonly properties: Readonly<Record<string, string | number | null>>;
  readonly distance: number;
}

export interface TraverseOutput extends GraphOff {
  readonly nodes: readonly TraversedNode[];
  readonly relationships: readonly {
    readonly from_id: string;
    readonly to_id: string;
    readonly type: string;
    readonly properties: Readonly<Record<string, number>>;
  }[];
  readonly paths: readonly { readonly nodes: readonly string[]; readonly length: number }[];
}

/** What a traversal came to. */
interface Traversed {
  readonly nodes: readonly TraversedNode[];
  readonly edges: readonly GraphEdge[];
  readonly reached: ReadonlyMap<string, Reached>;
}

const ALLOWED = ['MENTIONS', 'HAS_CHUNK', 'CONTAINS_STEP'];
const MAX_NODES = 100;
const MAX_TEXT = 1_000;
const MAX_STRING = 500;

/** Walks a few relations, as it was done under the older name: errors are part of the result, and there is no envelope. */
@Injectable()
export class LegacyTraverseService {
  constructor(
    @Inject(GraphStore) private readonly store: GraphStore | null,
    private readonly texts: LegacyTextService,
  ) {}

  async traverse(call: Call, input: TraverseInput): Promise<Reply<TraverseOutput>> {
    const problem = problemWith(input);
    if (problem !== null) return failed({ error: problem });
    if (!this.store) return failed({ error: GRAPH_OFF, neo4j_disabled: true });
    try {
      const traversed = await this.walk(new GraphReads(this.store, call), call, input);
      return listReply({ count: traversed.nodes.length, maxChars: 0 }, (fit) => build(traversed, fit));
    } catch (error) {
      if (error instanceof PithError) return failed({ error: `Traversal failed: ${error.message}` });
      throw error;
    }
  }

  private async walk(reads: GraphReads, call: Call, input: TraverseInput): Promise<Traversed> {
    const rules = readRelations(input.relTypes ?? ALLOWED);
    const walk = { rules, direction: 'both' as const, maxHops: input.maxDepth, limit: MAX_NODES };
    const { seeds, edges } = await reads.walk({ ...walk, seeds: input.startIds });
    const reached = reach(neighboursOf(edges, rules, 'both'), seeds, input.maxDepth);
    const ids = [...reached.keys()].slice(0, Math.max(seeds.length, MAX_NODES));
    const described = await reads.describe(ids);
    const texts = input.includeText ? await this.textsOf(reads, call, ids) : new Map<string, string>();
    const nodes = described.map((node) => ({
      id: node.id,
      label: labelOf(node),
      properties: propertiesOf(node, texts.get(node.id)),
      distance: reached.get(node.id)?.distance ?? 0,
    }));
    return { nodes, edges, reached };
  }

  private async textsOf(
    reads: GraphReads,
    call: Call,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const { generation, sections } = await this.texts.sections(call, ids);
    reads.expect(generation);
    return new Map(sections.map(({ section }) => [section.id, section.text]));
  }
}

/** What was always answered to arguments that won't do; null for those that will. */
function problemWith({ startIds, maxDepth, relTypes }: TraverseInput): string | null {
  if (startIds.length === 0) return 'start_ids is required and cannot be empty';
  if (maxDepth < 1 || maxDepth > 3) return 'Validation error: max_depth must be between 1 and 3';
  const unknown = (relTypes ?? []).filter((name) => !ALLOWED.includes(name)).slice(0, 5);
  if (unknown.length === 0) return null;
  return `Validation error: relationship types not allowed: ${unknown.join(', ')}; allowed: ${ALLOWED.join(', ')}`;
}

function failed(why: GraphOff): Reply<TraverseOutput> {
  const { error, ...more } = why;
  const output = { error, nodes: [], relationships: [], paths: [], ...more };
  return listReply({ count: 0, maxChars: 0 }, () => output);
}

function propertiesOf(
  node: GraphNode,
  text: string | undefined,
): Readonly<Record<string, string | number | null>> {
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

function build({ nodes, edges, reached }: Traversed, fit: Fit): TraverseOutput {
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
      .map(({ id, distance }) => ({ nodes: wayTo(id, reached).nodes, length: distance })),
  };
}
