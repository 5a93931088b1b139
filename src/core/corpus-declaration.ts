import type { CorpusPrompt } from './corpus-facts.js';

/** What is said of a key that documents are told apart by. */
export interface DeclaredKey {
  readonly description: string | null;
  /**
   * Whether the same section under several values is shown once: `true` always, `false` never, `null` where the texts
   * are much alike.
   */
  readonly collapse: boolean | null;
  /** Whether documents with any value are offered whole. */
  readonly isResource: boolean;
  /** Values whose documents are. */
  readonly resourceValues: readonly string[];
}

/** What a manifest says of the corpus as a whole; kept in the index. */
export interface CorpusDeclaration {
  readonly description: string | null;
  readonly instructions: string | null;
  readonly taxonomy: Readonly<Record<string, DeclaredKey>>;
  readonly prompts: readonly CorpusPrompt[];
}

/** Of a corpus that says nothing of itself. */
export const NOTHING_DECLARED: CorpusDeclaration = {
  description: null,
  instructions: null,
  taxonomy: {},
  prompts: [],
};
