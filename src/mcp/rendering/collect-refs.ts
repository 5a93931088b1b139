import type { Call } from '../../core/call.js';
import { nodeId, nodeKindOf } from '../../core/node-id.js';
import type { Ref } from '../../core/reply.js';
import { decodePath } from '../../core/section-id.js';
import type { AnyTool } from '../define-tool.js';
import { notedFor } from './cautious-text.js';

/** Adds to each reference to a section, passage or document the artifact that it was read from. */
function withArtifacts({ trace }: Pick<Call, 'trace'>, refs: readonly Ref[]): readonly Ref[] {
  const { artifacts } = trace;
  if (artifacts.size === 0) return refs;
  return refs.flatMap((ref) => {
    const artifact = notedFor(artifacts, ref.id);
    return artifact === undefined ? [ref] : [ref, { type: 'artifact', id: artifact }];
  });
}

/** Fields with the id of a node of the graph, in the outputs of all tools. */
const NODE_FIELDS = ['section_id', 'chunk_id', 'parent_id', 'src', 'dst'];
/** Fields whose names or values come from documents, and the debug output. */
const FOREIGN = ['metadata', 'suggested_filters', 'debug'];
/** Fields with a list of such ids. */
const NODE_LISTS = ['nodes', 'citations'];

function refOfNode(id: string): Ref[] {
  const { kind, place } = nodeKindOf(id);
  if (kind === 'entity') return [];
  return [kind === 'document' ? { type: 'document', id } : { type: 'section', id: place }];
}

/** A field `id` is a node's id in objects that describe a node. */
const isNode = (parent: object): boolean => 'label' in parent || 'title' in parent;

function refsOfField(name: string, value: string, parent: object): Ref[] {
  if (NODE_FIELDS.includes(name) || (name === 'id' && isNode(parent))) return refOfNode(value);
  if (name === 'passage_id') return [{ type: 'passage', id: value }];
  return name === 'diagnostic_id' ? [{ type: 'diagnostic', id: value }] : [];
}

function collect(value: unknown, found: Ref[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    if (FOREIGN.includes(name)) continue;
    if (typeof field === 'string') found.push(...refsOfField(name, field, value));
    else if (Array.isArray(field)) collectList(name, field, found);
    else collect(field, found);
  }
}

function collectList(name: string, list: readonly unknown[], found: Ref[]): void {
  for (const item of list) {
    if (typeof item !== 'string') collect(item, found);
    else if (NODE_LISTS.includes(name)) found.push(...refOfNode(item));
  }
}

/**
 * The references in a tool's output, in their order, without repeats.
 * @returns [] for personal content
 */
export function collectRefs(call: Pick<Call, 'id' | 'trace'>, tool: AnyTool, output: unknown): Ref[] {
  if (tool.isPersonal) return [];
  const { id, trace } = call;
  const found: Ref[] = [...(tool.rendering.refs?.(output) ?? [])];
  if (!tool.rendering.refs) collect(output, found);
  // Every retrieval returns an id; only for some of them, a diagnostic is written.
  const others = found.filter((ref) => ref.type !== 'diagnostic' || ref.id !== id);
  const own: Ref[] = trace.isKept && trace.isWritable ? [{ type: 'diagnostic', id }] : [];
  return distinct([...withArtifacts(call, others), ...own]);
}

const distinct = (refs: readonly Ref[]): Ref[] => [
  ...new Map(refs.map((ref) => [`${ref.type} ${ref.id}`, ref])).values(),
];

/** The items that a resource contains or names, by its URI, after it was read. */
export function resourceRefs(call: Pick<Call, 'trace'>, uri: string): Ref[] {
  return distinct(withArtifacts(call, refsOfUri(uri)));
}

function refsOfUri(uri: string): Ref[] {
  const document = /^docs:\/\/\/(.+)$/i.exec(uri)?.[1];
  if (document !== undefined) return [{ type: 'document', id: nodeId('document', decodePath(document)) }];
  const [, host, id] = /^[a-z][a-z0-9+.-]*:\/\/(scratch|diagnostics)\/[^/]+\/([^/?#]+)$/i.exec(uri) ?? [];
  if (id === undefined) return [];
  return [{ type: host?.toLowerCase() === 'scratch' ? 'passage' : 'diagnostic', id }];
}
