import type { CorpusDeclaration } from '../core/corpus-declaration.js';
import { MAX_TAXONOMY_KEYS, MAX_TAXONOMY_VALUES, type TaxonomyKey } from '../core/corpus-facts.js';

/** The taxonomy of a scope; declared keys have priority. @param keys  of visible documents, in order */
export function shapeTaxonomy(
  declared: CorpusDeclaration['taxonomy'],
  keys: readonly string[],
  values: (key: string, limit: number) => readonly string[],
): TaxonomyKey[] {
  const isDeclared = (key: string): boolean => Object.hasOwn(declared, key);
  const shown = new Set(
    [...keys.filter(isDeclared), ...keys.filter((key) => !isDeclared(key))].slice(0, MAX_TAXONOMY_KEYS),
  );
  return keys
    .filter((key) => shown.has(key))
    .map((key) => ({
      key,
      description: (isDeclared(key) ? declared[key]?.description : null) ?? null,
      values: values(key, MAX_TAXONOMY_VALUES),
    }));
}
