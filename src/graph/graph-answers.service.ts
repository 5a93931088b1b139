import { Injectable } from '@nestjs/common';
import type { Call } from '../core/call.js';
import { decodeCursor, encodeCursor } from '../core/cursor.js';
import { type Fit, keptOf, listReply, type Reply, shownSkipped } from '../core/reply.js';
import { PassageNaming } from '../scratch/passages.service.js';
import { clipText } from '../text/span.js';
import {
  type ChildrenInput,
  type ChildrenOutput,
  type DescribeInput,
  type DescribeOutput,
  type EntitiesInput,
  type EntitiesOutput,
  type ExpandInput,
  type ExpandOutput,
  type GraphStatus,
  type ParentsInput,
  type ParentsOutput,
  type PathsInput,
  type PathsOutput,
  project,
  type SectionsInput,
  type SectionsOutput,
  toOutput,
} from './graph.schemas.js';
import { GraphService } from './graph.service.js';
import { GraphMentionsService } from './graph-mentions.service.js';
import type { LinkedNodes, LinkedTo, Neighbourhood, ReachedProjection } from './graph-results.js';

/** Maximum length of a snippet; shorter if a reply is over its budget. */
const MAX_SNIPPET_CHARS = 200;
/** Maximum length of an unknown id in a reply. */
const MAX_ECHO_CHARS = 40;
/** Maximum edges from one node to earlier ones. */
const MAX_EDGES = 2;
const TOO_MANY = 'The list is truncated. Use fewer relations or hops, or start from another node.';
const NO_NODE = 'Use section_ids from kb.search or entity ids from graph.entities_for_sections.';

@Injectable()
export class GraphAnswersService {
  constructor(
    private readonly graph: GraphService,
    private readonly mentions: GraphMentionsService,
    private readonly naming: PassageNaming,
  ) {}

  async describe(call: Call, input: DescribeInput): Promise<Reply<DescribeOutput>> {
    const { node_ids: ids, include_snippet: withSnippet, fields } = input;
    const { nodes, notFound } = await this.graph.describe(call, ids, { withSnippet });
    const maxChars = withSnippet ? MAX_SNIPPET_CHARS : 0;
    return listReply({ count: nodes.length, maxChars }, (fit) => ({
      nodes: keptOf(nodes, fit).map((node) => project(toOutput(node, fit.maxChars), fields)),
      ...shownStatus(fit, notFound),
    }));
  }

  async expand(call: Call, input: ExpandInput): Promise<Reply<ExpandOutput>> {
    const { node_ids: ids, cursor = null, page_size: size, include_snippet: withSnippet } = input;
    const walking = {
      relations: input.rel_types ?? null,
      direction: input.direction,
      maxHops: input.max_hops,
    };
    const question = ['graph.expand', ids, walking, withSnippet, call.scope];
    const { offset, generation } = await this.startOf(call, question, cursor);
    const found = await this.graph.expand(call, ids, { ...walking, offset, size, withSnippet, generation });
    const { principal } = call.caller;
    const binding = { question, principal, generation: found.generation };
    const maxChars = withSnippet ? MAX_SNIPPET_CHARS : 0;
    const isPage = cursor !== null || offset + size < found.total;
    return listReply({ count: found.nodes.length, maxChars, isPage }, (fit) => {
      const next = found.nodes[fit.count]?.position ?? offset + size;
      const hasMore = next < found.total;
      const nodes = keptOf(found.nodes, fit);
      return {
        nodes: nodes.map(({ node, distance }) => ({ ...toOutput(node, fit.maxChars), distance })),
        edges: edgesTo(nodes, found),
        next_cursor: hasMore ? encodeCursor(next, binding, this.naming.secret) : null,
        ...shownStatus(fit, found.notFound, { hasMore, isCut: found.isCut }),
      };
    });
  }

  /** The start of a page and the generation of its index; null for the first page. */
  private async startOf(call: Call, question: unknown, cursor: string | null) {
    if (cursor === null) return { offset: 0, generation: null };
    const { generation } = await this.graph.describe(call, []);
    const { principal } = call.caller;
    const binding = { question, principal, generation };
    return { offset: decodeCursor(cursor, binding, this.naming.secret), generation };
  }

  async paths(call: Call, input: PathsInput): Promise<Reply<PathsOutput>> {
    const { a_ids: from, b_ids: to, max_paths: maxPaths, cursor = null } = input;
    const limits = { relations: input.rel_types ?? null, maxHops: input.max_hops };
    const { generation, paths, notFound, isCut } = await this.graph.paths(call, [from, to], limits);
    const { principal } = call.caller;
    const binding = { question: ['graph.paths', from, to, limits, call.scope], principal, generation };
    const offset = cursor === null ? 0 : decodeCursor(cursor, binding, this.naming.secret);
    const page = paths.slice(offset, offset + maxPaths);
    const isPage = page.length < paths.length;
    return listReply({ count: page.length, maxChars: 0, isPage }, (fit) => {
      const next = offset + fit.count;
      const hasMore = next < paths.length;
      return {
        paths: keptOf(page, fit),
        next_cursor: hasMore ? encodeCursor(next, binding, this.naming.secret) : null,
        ...shownStatus(fit, notFound, { hasMore, isCut }),
      };
    });
  }

  async parents(call: Call, { section_ids: ids }: ParentsInput): Promise<Reply<ParentsOutput>> {
    const { found, notFound } = await this.graph.parents(call, ids);
    return listReply({ count: found.length, maxChars: 0 }, (fit) => ({
      results: keptOf(found, fit).map(({ of, linked }) => ({
        section_id: of.id,
        parent_id: linked[0]?.node.id ?? null,
        parent_title: linked[0]?.node.title ?? null,
        ancestors: linked.map(({ node: { id, title } }) => ({ id, title })),
      })),
      ...shownStatus(fit, notFound),
    }));
  }

  async children(call: Call, input: ChildrenInput): Promise<Reply<ChildrenOutput>> {
    const { parent_id: id, cursor = null, page_size: size } = input;
    const { generation } = await this.graph.describe(call, []);
    const { principal } = call.caller;
    const binding = { question: ['graph.children', id, call.scope], principal, generation };
    const offset = cursor === null ? 0 : decodeCursor(cursor, binding, this.naming.secret);
    const found = await this.graph.children(call, id, { offset, size, generation });
    const isPage = cursor !== null || offset + size < found.total;
    return listReply({ count: found.nodes.length, maxChars: 0, isPage }, (fit) => {
      const next = found.nodes[fit.count]?.position ?? offset + size;
      const hasMore = next < found.total;
      return {
        children: keptOf(found.nodes, fit).map(({ node }) => toOutput(node)),
        next_cursor: hasMore ? encodeCursor(next, binding, this.naming.secret) : null,
        ...shownStatus(fit, found.notFound, { hasMore, isCut: found.isCut }),
      };
    });
  }

  async entities(call: Call, input: EntitiesInput): Promise<Reply<EntitiesOutput>> {
    const { section_ids: ids, labels = null, max_per_section: most } = input;
    const found = await this.mentions.entitiesOf(call, ids, labels);
    return linkedReply(found, most, ({ of, linked }) => ({
      section_id: of.id,
      entities: linked.map(({ node, weight }) => ({
        id: node.id,
        label: node.label,
        name: node.title,
        mentions: weight,
        sections: node.sections ?? 0,
      })),
    }));
  }

  async sections(call: Call, input: SectionsInput): Promise<Reply<SectionsOutput>> {
    const { entity_ids: ids, max_per: most } = input;
    const found = await this.mentions.sectionsOf(call, ids);
    return linkedReply(found, most, ({ of, linked }) => ({
      entity_id: of.id,
      name: of.title,
      total: of.sections ?? linked.length,
      sections: linked.map(({ node, weight }) => ({
        section_id: node.id,
        title: node.title,
        mentions: weight,
      })),
    }));
  }
}

/** A reply with one list per requested node. Over the budget, each list gets shorter. */
function linkedReply<T>(
  { found, notFound }: LinkedNodes,
  most: number,
  tell: (each: LinkedTo) => T,
): Reply<{ results: T[] } & GraphStatus> {
  const longest = Math.max(0, ...found.map(({ linked }) => linked.length));
  const hasMore = longest > most;
  // Round-robin: the first item of each list, then the second. An empty list counts as one item.
  const items = Array.from({ length: Math.max(1, Math.min(longest, most)) }, (_, at) =>
    found.filter(({ linked }) => at < Math.max(1, linked.length)).map((each) => ({ each, at })),
  ).flat();
  return listReply({ count: items.length, maxChars: 0 }, (fit) => {
    const kept = keptOf(items, fit);
    const results = found.flatMap((each) => {
      const own = kept.filter((item) => item.each === each);
      return own.length > 0
        ? [tell({ ...each, linked: own.flatMap(({ at }) => each.linked[at] ?? []) })]
        : [];
    });
    return { results, ...shownStatus(fit, notFound, { hasMore }) };
  });
}

/**
 * The first edges between each listed node and earlier nodes, which show how the walk reached the node. The number is
 * limited because a node can have edges to all others.
 */
function edgesTo(nodes: readonly ReachedProjection[], found: Neighbourhood): ExpandOutput['edges'] {
  const placeOf = new Map(found.nodes.map(({ node, position }) => [node.id, position]));
  const listed = new Set(nodes.map(({ node }) => node.id));
  const taken = new Map<string, number>();
  return found.edges.flatMap(({ source, type, target }) => {
    // A node that is not on this page was on an earlier one or is a seed.
    const later = (placeOf.get(source) ?? -1) > (placeOf.get(target) ?? -1) ? source : target;
    const count = (taken.get(later) ?? 0) + 1;
    taken.set(later, count);
    return listed.has(later) && count <= MAX_EDGES ? [{ src: source, dst: target, type }] : [];
  });
}

/** The status fields of a reply. `isCut`: there are nodes that no page shows. */
function shownStatus(
  fit: Fit,
  notFound: readonly string[],
  { hasMore = false, isCut = false }: { hasMore?: boolean; isCut?: boolean } = {},
): GraphStatus {
  const hints = [...(notFound.length > 0 ? [NO_NODE] : []), ...(isCut ? [TOO_MANY] : [])];
  return {
    partial: hasMore || isCut || fit.reason !== null,
    limit_reason: fit.reason ?? (hasMore || isCut ? 'page_size' : 'none'),
    ...shownSkipped(fit),
    ...(notFound.length > 0 ? { not_found: notFound.map((id) => clipText(id, MAX_ECHO_CHARS)) } : {}),
    ...(hints.length > 0 ? { hint: hints.join(' ') } : {}),
  };
}
