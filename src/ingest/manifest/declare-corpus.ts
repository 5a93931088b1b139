import type { CorpusDeclaration, DeclaredKey } from '../../core/corpus-declaration.js';
import type { CorpusPrompt } from '../../core/corpus-facts.js';
import { plainValue } from '../reading/metadata-entry.js';
import type { Manifest } from './manifest.js';
import type { DeclaredPrompt, DeclaredTaxonomy } from './manifest-parts.js';

function declaredKey({ description, collapse, resource, values }: DeclaredTaxonomy[string]): DeclaredKey {
  const resourceValues = Object.entries(values ?? {}).flatMap(([value, { resource: isOffered }]) =>
    isOffered ? [plainValue(value)] : [],
  );
  return {
    description: description ?? null,
    collapse: collapse ?? null,
    isResource: resource ?? false,
    resourceValues: resourceValues.sort(),
  };
}

/** Converts a declared taxonomy, sorted by key. */
function declaredKeys(taxonomy: DeclaredTaxonomy): Readonly<Record<string, DeclaredKey>> {
  const keys = Object.keys(taxonomy).sort();
  return Object.fromEntries(keys.map((key) => [key, declaredKey(taxonomy[key] ?? {})]));
}

/** Adds its messages to a declared prompt. */
export function toPrompt(
  { name, title, description, arguments: own = [] }: Omit<DeclaredPrompt, 'template' | 'messages'>,
  messages: CorpusPrompt['messages'],
): CorpusPrompt {
  return {
    name,
    title: title ?? null,
    description: description ?? null,
    arguments: own.map((argument) => ({
      name: argument.name,
      description: argument.description ?? argument.title ?? null,
      isRequired: argument.required ?? false,
    })),
    messages,
  };
}

/** Collects the manifest settings of the corpus as a whole. */
export function declareCorpus(
  { description, instructions, taxonomy }: Manifest,
  prompts: readonly CorpusPrompt[],
): CorpusDeclaration {
  return {
    description: description ?? null,
    instructions: instructions ?? null,
    taxonomy: declaredKeys(taxonomy ?? {}),
    prompts,
  };
}

/** Merges taxonomies: the first description is used; collapse and resource apply if any taxonomy sets them. */
export function mergeTaxonomies(
  taxonomies: readonly CorpusDeclaration['taxonomy'][],
): CorpusDeclaration['taxonomy'] {
  const keys = [...new Set(taxonomies.flatMap((taxonomy) => Object.keys(taxonomy)))].sort();
  return Object.fromEntries(
    keys.map((key) => {
      const declared = taxonomies.flatMap((taxonomy) =>
        Object.hasOwn(taxonomy, key) ? (taxonomy[key] ?? []) : [],
      );
      const collapse = declared.flatMap((each) => each.collapse ?? []);
      const merged: DeclaredKey = {
        description: declared.find(({ description }) => description !== null)?.description ?? null,
        collapse: collapse.length === 0 ? null : collapse.includes(true),
        isResource: declared.some(({ isResource }) => isResource),
        resourceValues: [...new Set(declared.flatMap(({ resourceValues }) => resourceValues))].sort(),
      };
      return [key, merged];
    }),
  );
}
