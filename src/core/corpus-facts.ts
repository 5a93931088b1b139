/** A key with more values would be no list to choose from any more; documents keep theirs, and can be filtered by them. */
export const MAX_TAXONOMY_VALUES = 512;
/** Keys that a taxonomy lists, at most. */
export const MAX_TAXONOMY_KEYS = 64;

/** Characters of the description of a corpus or key: lists of tools show it. */
export const MAX_DESCRIPTION = 300;
/** Characters of a corpus's instructions: every session reads them, so they stay a page. */
export const MAX_INSTRUCTIONS = 4_000;

/** Something that documents can be told apart by. */
export interface TaxonomyKey {
  readonly key: string;
  /** In the manifest's words; null when it has none. */
  readonly description: string | null;
  /** Of visible documents, by code point, each once; at most 512. */
  readonly values: readonly string[];
}

/** A prompt that comes with the documents. */
export interface CorpusPrompt {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string | null;
    readonly isRequired: boolean;
  }[];
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    /** Mustache. */
    readonly template: string;
  }[];
}

/** What a corpus says of itself; the taxonomy as far as the scope sees. */
export interface CorpusFacts {
  readonly generation: string;
  /** In the manifest's words, as are the instructions; null when it has none. */
  readonly description: string | null;
  readonly instructions: string | null;
  /** By key; only keys with a visible value; at most 64, those that the manifest declares before others. */
  readonly taxonomy: readonly TaxonomyKey[];
  readonly prompts: readonly CorpusPrompt[];
}
