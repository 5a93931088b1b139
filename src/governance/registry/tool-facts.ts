import type { SafetyClass } from '../policy/policy-rule.js';

/** Parts of the server that an agent may be given. */
export const MOUNTS = ['documents', 'graph', 'memory', 'scratch', 'diagnostics'] as const;
export type Mount = (typeof MOUNTS)[number];

/** The facts of a tool that governance needs. */
export interface ToolFacts {
  readonly name: string;
  readonly safety: SafetyClass;
  readonly permission: 'read' | 'operator';
  /** The parts of the server that it works on. */
  readonly mounts: readonly Mount[];
  /** Tools that return the same content. What is denied for one of them is denied for this tool, too. */
  readonly standsFor: readonly string[];
}

const DOCUMENT_TEXT = [
  'kb.search',
  'kb.retrieve_evidence',
  'kb.read_excerpt',
  'kb.expand_excerpt',
  'kb.extract_evidence',
] as const;

/** The tools that another tool stands for. */
const STANDS_FOR: Readonly<Record<string, readonly string[]>> = {
  'kb.expand_excerpt': ['kb.read_excerpt'],
  'kb.extract_evidence': ['kb.read_excerpt'],
  search_docs: DOCUMENT_TEXT,
  get_doc: DOCUMENT_TEXT,
  search_sections: DOCUMENT_TEXT,
  search_documentation: DOCUMENT_TEXT,
  get_section_text: DOCUMENT_TEXT,
  compute_context_bundle: [...DOCUMENT_TEXT, 'graph.expand'],
  traverse_relationships: [...DOCUMENT_TEXT, 'graph.expand'],
  describe_nodes: ['graph.describe'],
  summarize_neighborhood: ['graph.describe', 'graph.expand'],
  expand_neighbors: ['graph.expand'],
  get_paths_between: ['graph.paths'],
  list_children: ['graph.children'],
  list_parents: ['graph.parents'],
  get_entities_for_sections: ['graph.entities_for_sections'],
  get_sections_for_entities: ['graph.sections_for_entities'],
};

const MOUNT_OF_NAMESPACE: Readonly<Record<string, Mount>> = {
  kb: 'documents',
  search_docs: 'documents',
  get_doc: 'documents',
  scope: 'documents',
  graph: 'graph',
  inner_voice: 'memory',
  scratch: 'scratch',
  diagnostics: 'diagnostics',
};

/** The part of a tool's name before the first dot; the whole name if it has none. */
export const namespaceOf = (name: string): string => name.split('.', 1)[0] ?? name;

const ownValue = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/**
 * The facts of one of Pith's own tools. All of them only read.
 * @param input  the arguments; graph tools stand for document text if they are asked for snippets
 */
export function toolFacts(name: string, input: Readonly<Record<string, unknown>> | null = null): ToolFacts {
  const known = ownValue(STANDS_FOR, name) ?? [];
  const mounts = [name, ...known].flatMap((each) => ownValue(MOUNT_OF_NAMESPACE, namespaceOf(each)) ?? []);
  const standsFor = input?.['include_snippet'] === true ? [...new Set([...known, ...DOCUMENT_TEXT])] : known;
  const permission = namespaceOf(name) === 'diagnostics' ? 'operator' : 'read';
  return { name, safety: 'read', permission, mounts: [...new Set(mounts)], standsFor };
}

/** The tool that decides about resources with a URI and about prompts; null for URIs that Pith does not know. */
export function toolBehind(method: string, uri: string): string | null {
  if (method === 'prompts/get') return 'get_doc';
  if (/^docs:\/\/\//i.test(uri)) return 'get_doc';
  const host = /^[a-z][a-z0-9+.-]*:\/\/([^/]*)/i.exec(uri)?.[1]?.toLowerCase();
  if (host === 'scratch') return 'kb.read_excerpt';
  return host === 'diagnostics' ? 'diagnostics.get' : null;
}
