/** Tools whose retrievals can be replayed from a diagnostic. */
export const RETRIEVAL_TOOLS = [
  'kb.search',
  'kb.retrieve_evidence',
  'search_docs',
  'search_sections',
] as const;
export type RetrievalToolName = (typeof RETRIEVAL_TOOLS)[number];

/** Narrows a tool's name; null if the tool can't be replayed. */
export function retrievalToolNamed(name: string): RetrievalToolName | null {
  return RETRIEVAL_TOOLS.find((known) => known === name) ?? null;
}
