/** Tools whose retrieval can be run again from what a diagnostic keeps. */
export const RETRIEVAL_TOOLS = [
  'kb.search',
  'kb.retrieve_evidence',
  'search_docs',
  'search_sections',
] as const;
export type RetrievalToolName = (typeof RETRIEVAL_TOOLS)[number];

/** A tool's name, where it is one of them; else null. */
export function retrievalToolNamed(name: string): RetrievalToolName | null {
  return RETRIEVAL_TOOLS.find((known) => known === name) ?? null;
}
