import { limitsDocuments, type Scope, type ScopeLimit } from './scope.js';

/** Keys with more values are not listed, since nobody could choose from them. Filters still accept them. */
export const MAX_TAXONOMY_VALUES = 512;
/** Largest number of keys in a taxonomy. */
export const MAX_TAXONOMY_KEYS = 64;

/** Longest description of a corpus or key, in characters. Tool descriptions contain it. */
export const MAX_DESCRIPTION = 300;
/** Longest instructions of a corpus, in characters. Every session reads them. */
export const MAX_INSTRUCTIONS = 4_000;

/** A metadata key that distinguishes documents, with its values. */
export interface TaxonomyKey {
  readonly key: string;
  /** From the manifest; null if it has none. */
  readonly description: string | null;
  /** Distinct values of the visible documents, sorted by code point; at most 512. */
  readonly values: readonly string[];
}

/** A prompt that belongs to the documents. */
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
    /** A Mustache template. */
    readonly template: string;
  }[];
}

/** Facts about a corpus; the taxonomy contains only values that the scope can see. */
export interface CorpusFacts {
  readonly generation: string;
  /** From the manifest; null if it has none. The same applies to the instructions. */
  readonly description: string | null;
  readonly instructions: string | null;
  /** Sorted by key; only keys with a visible value; at most 64, keys of the manifest first. */
  readonly taxonomy: readonly TaxonomyKey[];
  readonly prompts: readonly CorpusPrompt[];
}

/**
 * The facts for a caller. The texts of a manifest are about all documents, so a caller that may see only some or none
 * gets no texts.
 * @param scope  of its lists or calls
 */
export function factsWithin(facts: CorpusFacts, limit: ScopeLimit, scope: Scope): CorpusFacts {
  const seesNothing = scope.docTags?.length === 0;
  if (!limitsDocuments(limit) && !seesNothing) return facts;
  const taxonomy = facts.taxonomy.map((key) => ({ ...key, description: null }));
  return { ...facts, taxonomy, description: null, instructions: null, prompts: [] };
}
