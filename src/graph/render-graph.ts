import { rowsByKey } from '../core/collections/group-rows.js';
import { restLines } from '../core/reply.js';
import type { Rendering } from '../mcp/define-tool.js';
import { NO_FENCE } from '../text/untrusted-text.js';
import type {
  ChildrenOutput,
  DescribedNode,
  DescribeOutput,
  EntitiesOutput,
  ExpandOutput,
  GraphStatus,
  NodeOutput,
  ParentsOutput,
  PathsOutput,
  SectionsOutput,
} from './graph.schemas.js';

const idsOf = (nodes: readonly { readonly id: string }[]): string[] => nodes.map(({ id }) => id);

type Paged = GraphStatus & { readonly next_cursor?: string | null };

/** The items, then the status of the list. @param items  may be empty */
function withStatus(items: string, none: string, status: Paged): string {
  const { hint, not_found: missing } = status;
  return [
    items === '' ? none : items,
    ...(missing ? [`Not found: ${missing.join(', ')}. ${hint ?? ''}`] : []),
    ...restLines(status),
  ].join('\n');
}

function counted(count: number, what: string, { partial, hint }: GraphStatus): string {
  return [`${count} ${what}${partial ? ', more available' : ''}.`, ...(hint ? [hint] : [])].join(' ');
}

function describedLine(node: DescribedNode): string {
  const { id, label, title, level, tokens, doc_tag: tag, anchor, sections, snippet } = node;
  const named = [label, title].filter((part) => part !== undefined).join(': ');
  const place = [id, ...(sections === undefined ? [] : [`in ${sections} sections`])].join(', ');
  const facts = [
    ...(level === undefined ? [] : [`level ${level}`]),
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
    ...(tag === undefined ? [] : [`doc_tag ${tag}`]),
    ...(anchor === undefined ? [] : [`anchor ${anchor}`]),
  ];
  const line = [named === '' ? place : `${named} (${place})`, ...facts].join(', ');
  return snippet ? `${line}\n   ${snippet}` : line;
}

function nodeLine({ id, label, title, sections, distance, snippet }: NodeOutput): string {
  const far = distance === undefined ? '' : `hop ${distance} `;
  const often = sections === undefined ? '' : `, in ${sections} sections`;
  return `${far}${label}: ${title} (${id}${often})${snippet ? `\n   ${snippet}` : ''}`;
}

export const renderNodes: Rendering<DescribeOutput> = {
  full: (output, fence = NO_FENCE) => {
    const items = fence(idsOf(output.nodes), output.nodes.map(describedLine).join('\n'));
    return withStatus(items, 'Node not found.', output);
  },
  summary: (output) => counted(output.nodes.length, 'nodes', output),
};

/** One line for each linked pair and direction, with all relations, in the order of their first edges. */
function edgeLines(edges: ExpandOutput['edges'], nameOf: ReadonlyMap<string, string>): string[] {
  const byEnds = rowsByKey(edges, ({ src, dst }) => `${nameOf.get(src)}\n${nameOf.get(dst)}`);
  return [...byEnds].map(([ends, all]) =>
    ends.replace('\n', ` -${all.map(({ type }) => type).join(',')}-> `),
  );
}

/** Numbered nodes with their distance, then the edges between them and to nodes that are not listed here. */
export const renderNeighbours: Rendering<ExpandOutput> = {
  full: (output, fence = NO_FENCE) => {
    const listed = new Set(output.nodes.map(({ id }) => id));
    const ends = output.edges.flatMap(({ src, dst }) => [src, dst]);
    const others = [...new Set(ends)].filter((id) => !listed.has(id));
    const nameOf = new Map([...listed, ...others].map((id, i) => [id, `[${i + 1}]`]));
    const nodes = output.nodes.map((node) => `${nameOf.get(node.id)} ${nodeLine(node)}`);
    const elsewhere = others.map((id) => `${nameOf.get(id)} ${id}`);
    const shown = nodes.length === 0 ? [] : [fence(idsOf(output.nodes), nodes.join('\n'))];
    const lines = [...shown, ...elsewhere, ...edgeLines(output.edges, nameOf)];
    return withStatus(lines.join('\n'), 'No linked nodes.', output);
  },
  summary: (output) => counted(output.nodes.length, `nodes, ${output.edges.length} edges`, output),
};

export const renderPaths: Rendering<PathsOutput> = {
  full: (output) => {
    const lines = output.paths.map(({ nodes, types }) =>
      nodes.map((node, i) => (i === 0 ? node : `${types[i - 1]} ${node}`)).join(' - '),
    );
    return withStatus(lines.join('\n'), 'No path within the hop limit.', output);
  },
  summary: (output) => counted(output.paths.length, 'paths', output),
};

export const renderParents: Rendering<ParentsOutput> = {
  full: (output, fence = NO_FENCE) => {
    const ids = output.results.flatMap(({ section_id, ancestors }) => [section_id, ...idsOf(ancestors)]);
    const lines = output.results.map(({ section_id, ancestors }) =>
      [section_id, ...ancestors.map(({ id, title }) => `${title} (${id})`)].join(' < '),
    );
    return withStatus(fence(ids, lines.join('\n')), 'Section not found.', output);
  },
  summary: (output) => counted(output.results.length, 'sections', output),
};

export const renderChildren: Rendering<ChildrenOutput> = {
  full: (output, fence = NO_FENCE) => {
    const items = fence(idsOf(output.children), output.children.map(nodeLine).join('\n'));
    return withStatus(items, 'No children.', output);
  },
  summary: (output) => counted(output.children.length, 'children', output),
};

export const renderEntities: Rendering<EntitiesOutput> = {
  full: (output, fence = NO_FENCE) => {
    const ids = output.results.map(({ section_id }) => section_id);
    const lines = output.results.map(({ section_id, entities }) => {
      const named = entities.map(({ id, label, name, mentions, sections }) => {
        return `  ${label}: ${name} (${id}), ${mentions} mentions here, in ${sections} sections in total`;
      });
      return [section_id, ...named].join('\n');
    });
    return withStatus(fence(ids, lines.join('\n')), 'Section not found.', output);
  },
  summary: (output) => {
    const count = output.results.reduce((sum, { entities }) => sum + entities.length, 0);
    return counted(count, `entities in ${output.results.length} sections`, output);
  },
};

export const renderSections: Rendering<SectionsOutput> = {
  full: (output, fence = NO_FENCE) => {
    const ids = output.results.flatMap(({ sections }) => sections.map(({ section_id }) => section_id));
    const lines = output.results.map(({ entity_id, name, total, sections }) => {
      const named = sections.map(
        ({ section_id, title, mentions }) => `  ${title} (${section_id}), ${mentions} mentions`,
      );
      return [`${name} (${entity_id}), in ${total} sections`, ...named].join('\n');
    });
    return withStatus(fence(ids, lines.join('\n')), 'Entity not found.', output);
  },
  summary: (output) => {
    const count = output.results.reduce((sum, { sections }) => sum + sections.length, 0);
    return counted(count, `sections for ${output.results.length} entities`, output);
  },
};
