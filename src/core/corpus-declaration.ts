import type { CorpusPrompt } from './corpus-facts.js';

/** The manifest settings of a taxonomy key. */
export interface DeclaredKey {
  readonly description: string | null;
  /**
   * Controls whether a section that exists under several values is returned once: `true` always, `false` never,
   * `null` only if the texts are nearly equal.
   */
  readonly collapse: boolean | null;
  /** The value that stands for equal sections; without it, the newest version does. */
  readonly current?: string;
  /** True when documents with any value are available as resources. */
  readonly isResource: boolean;
  /** Values whose documents are available as resources. */
  readonly resourceValues: readonly string[];
}

/** The manifest settings of the corpus as a whole; stored in the index. */
export interface CorpusDeclaration {
  readonly description: string | null;
  readonly instructions: string | null;
  readonly taxonomy: Readonly<Record<string, DeclaredKey>>;
  readonly prompts: readonly CorpusPrompt[];
  /** By term of a word that people use: terms that are searched for if no visible section contains it. */
  readonly synonyms?: Readonly<Record<string, readonly string[]>>;
}

/** True if the manifest chooses which documents are resources. Otherwise all are. */
export function choosesResources({ taxonomy }: Pick<CorpusDeclaration, 'taxonomy'>): boolean {
  return Object.values(taxonomy).some((key) => key.isResource || key.resourceValues.length > 0);
}

/** The declaration of a corpus without manifest. */
export const NOTHING_DECLARED: CorpusDeclaration = {
  description: null,
  instructions: null,
  taxonomy: {},
  prompts: [],
};
