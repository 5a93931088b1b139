/** Risk classes of tools: `read` changes nothing, `write` changes data of this server, `external` acts elsewhere. */
export const SAFETY_CLASSES = ['read', 'write', 'external'] as const;
export type SafetyClass = (typeof SAFETY_CLASSES)[number];

/** Parts of the server that an agent may be given. Each provider is a further one, by its name. */
export const MOUNTS = ['documents', 'graph', 'memory', 'scratch', 'diagnostics', 'work', 'registry'] as const;
export type Mount = (typeof MOUNTS)[number];

/** The tools that return text of documents. Another tool that returns such text stands for them. */
export const DOCUMENT_TEXT = [
  'kb.search',
  'kb.retrieve_evidence',
  'kb.read_excerpt',
  'kb.expand_excerpt',
  'kb.extract_evidence',
] as const;

/** The tool that says if quotes still hold. Another tool that says it stands for it. */
export const QUOTE_STANDING = 'kb.verify';
/** The tool that returns a claim. Another tool that returns one stands for it, also if it changes the claim first. */
export const WHOLE_CLAIM = 'claim.get';

/** The tool with which a caller says if an answer helped. */
export const FEEDBACK = 'kb.feedback';

/** The hints about a tool that hosts are given. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** The hints that follow from a safety class. By default, a tool that changes something counts as destructive. */
export function annotationsFor(
  safety: SafetyClass,
  isRepeatable = safety === 'read',
  isAdditive = false,
): Annotations {
  return {
    readOnlyHint: safety === 'read',
    destructiveHint: safety !== 'read' && !isAdditive,
    idempotentHint: isRepeatable,
    openWorldHint: safety === 'external',
  };
}
