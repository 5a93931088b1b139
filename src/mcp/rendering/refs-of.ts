import type { Call, TextCaution } from '../../core/call.js';
import { nodeId, nodeKindOf } from '../../core/node-id.js';
import type { Ref } from '../../core/ref.js';
import type { DocumentFacts } from '../../core/section.js';
import { decodePath } from '../../core/section-id.js';
import type { AnyTool } from '../define-tool.js';

/** The facts about a text that decide how it is shown, and what it was read from. */
interface Origin extends Pick<DocumentFacts, 'caution' | 'artifact'> {
  readonly repository: string | null;
}

/**
 * Records if the text of a document has to be fenced, or has lost invisible characters, and its artifact. Renderers find
 * it by these ids.
 * @param ids  of the section, passage or document; the first is named
 */
export function noteOrigin(
  { trace }: Pick<Call, 'trace'>,
  { repository, caution, artifact }: Origin,
  ids: readonly string[],
): void {
  if (artifact !== undefined) for (const id of ids) trace.artifacts.set(id, artifact);
  const untrusted = repository !== null && trace.untrusted.has(repository) ? repository : null;
  const changed = caution && caution.removed > 0 ? (ids[0] ?? null) : null;
  if (untrusted === null && changed === null) return;
  for (const id of ids) trace.cautions.set(id, { untrusted, changed });
}

/** The note for an id. A section that is not known by its id is known by its path. */
function notedFor<T>(noted: ReadonlyMap<string, T>, id: string): T | undefined {
  const at = id.lastIndexOf('#');
  return noted.get(id) ?? (at > 0 ? noted.get(id.slice(0, at)) : undefined);
}

/** The caution about a section, passage or document. */
export function cautionAbout({ trace }: Pick<Call, 'trace'>, id: string): TextCaution | undefined {
  return notedFor(trace.cautions, id);
}

/** Adds to each reference to a section, passage or document the artifact that it was read from. */
export function withArtifacts({ trace }: Pick<Call, 'trace'>, refs: readonly Ref[]): readonly Ref[] {
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
export function refsOf(call: Pick<Call, 'id' | 'trace'>, tool: AnyTool, output: unknown): Ref[] {
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
export function refsOfResource(call: Pick<Call, 'trace'>, uri: string): Ref[] {
  return distinct(withArtifacts(call, refsOfUri(uri)));
}

function refsOfUri(uri: string): Ref[] {
  const document = /^docs:\/\/\/(.+)$/i.exec(uri)?.[1];
  if (document !== undefined) return [{ type: 'document', id: nodeId('document', decodePath(document)) }];
  const [, host, id] = /^[a-z][a-z0-9+.-]*:\/\/(scratch|diagnostics)\/[^/]+\/([^/?#]+)$/i.exec(uri) ?? [];
  if (id === undefined) return [];
  return [{ type: host?.toLowerCase() === 'scratch' ? 'passage' : 'diagnostic', id }];
}
