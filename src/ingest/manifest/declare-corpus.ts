import { posix } from 'node:path';
import type { CorpusDeclaration, DeclaredKey } from '../../core/corpus-declaration.js';
import type { CorpusPrompt } from '../../core/corpus-facts.js';
import type { GroupRules } from '../../core/ports/index-writer.port.js';
import { type DocumentRules, plainValue } from '../reading/document-metadata.js';
import type { DeclaredTaxonomy, Manifest } from './manifest.js';
import { extensionMatcher, pathMatcher } from './path-matcher.js';
import { declareSynonyms } from './synonyms.js';

type WrittenMetadata = Readonly<Record<string, string | number | boolean>> | undefined;

/** Merges metadata; later entries win. Sorted by key, so that the order of entries doesn't change the document hash. */
export function mergeMetadata(entries: readonly WrittenMetadata[]): Readonly<Record<string, string>> {
  const pairs = entries.flatMap((entry) => Object.entries(entry ?? {}));
  const values = new Map(pairs.map(([key, value]) => [key, plainValue(String(value))]));
  const named = [...values].filter(([, value]) => value !== '');
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The compiled manifest settings, by path. */
export interface CorpusRules {
  readonly isWanted: (path: string) => boolean;
  /** True if a glob of `include` names the extension of a file. Files of code are read only then. */
  readonly isNamed: (path: string) => boolean;
  readonly rulesFor: (path: string) => DocumentRules;
  /** Not part of the rules above: a change of groups does not read documents again. */
  readonly groups: GroupRules;
}

/** True if a manifest trusts the documents of a repository. */
function isTrusted({ trusted = true, repositories = {} }: Manifest, repository: string): boolean {
  return (Object.hasOwn(repositories, repository) ? repositories[repository]?.trusted : undefined) ?? trusted;
}

/** A manifest that trusts nothing, and has no texts that agents would take for those of the server. */
export function withoutTrust({ taxonomy = {}, ...manifest }: Manifest): Manifest {
  const plain = Object.entries(taxonomy).map(([key, declared]) => [
    key,
    { ...declared, description: undefined },
  ]);
  const silent = { description: undefined, instructions: undefined, prompts: undefined };
  return { ...manifest, ...silent, taxonomy: Object.fromEntries(plain), trusted: false, repositories: {} };
}

/** The repositories that a manifest does not trust, by name, sorted. @param repository  default of documents */
export function untrustedIn(manifest: Manifest, repository: string): string[] {
  const ofEntries = (manifest.documents ?? []).flatMap((entry) => entry.repository ?? []);
  const names = [repository, ...ofEntries, ...Object.keys(manifest.repositories ?? {})];
  return [...new Set(names)].filter((name) => !isTrusted(manifest, name)).sort();
}

/** Compiles the globs of a manifest. @param repository  default of documents @param forced  overrides the manifest */
export function corpusRules(
  manifest: Manifest,
  repository: string,
  forced?: string,
): Omit<CorpusRules, 'groups'> {
  const isIncluded = manifest.include ? pathMatcher(manifest.include) : () => true;
  const isIgnored = manifest.ignore ? pathMatcher(manifest.ignore) : () => false;
  const entries = (manifest.documents ?? []).map((entry) => ({
    ...entry,
    matches: pathMatcher(entry.match),
  }));
  const templates = new Set(
    (manifest.prompts ?? []).map(({ template }) => template && posix.normalize(template)),
  );
  const declaredKeys = Object.keys(manifest.taxonomy ?? {}).sort();
  return {
    isWanted: (path) => isIncluded(path) && !isIgnored(path) && !templates.has(path),
    isNamed: extensionMatcher(manifest.include),
    rulesFor: (path) => {
      const own = entries.filter((entry) => entry.matches(path));
      const entered = own.findLast((entry) => entry.repository !== undefined)?.repository;
      // An option of the command line does not make documents trusted.
      const isForced = forced !== undefined && (entered === undefined || isTrusted(manifest, entered));
      const name = isForced ? forced : (entered ?? repository);
      return {
        docTag: own.findLast((entry) => entry.doc_tag !== undefined)?.doc_tag,
        metadata: mergeMetadata([manifest.metadata, ...own.map((entry) => entry.metadata)]),
        declaredKeys,
        repository: name,
        ...(isTrusted(manifest, name) ? {} : { isUntrusted: true }),
      };
    },
  };
}

function declaredKey({
  description,
  collapse,
  current,
  resource,
  values,
}: DeclaredTaxonomy[string]): DeclaredKey {
  const resourceValues = Object.entries(values ?? {}).flatMap(([value, { resource: isOffered }]) =>
    isOffered ? [plainValue(value)] : [],
  );
  return {
    description: description ?? null,
    collapse: collapse ?? null,
    ...(current === undefined ? {} : { current: plainValue(current) }),
    isResource: resource ?? false,
    resourceValues: resourceValues.sort(),
  };
}

/** Collects the manifest settings of the corpus as a whole. */
export function declareCorpus(
  { description, instructions, taxonomy = {}, synonyms = {} }: Manifest,
  prompts: readonly CorpusPrompt[],
): CorpusDeclaration {
  const keys = Object.keys(taxonomy).sort();
  return {
    description: description ?? null,
    instructions: instructions ?? null,
    taxonomy: Object.fromEntries(keys.map((key) => [key, declaredKey(taxonomy[key] ?? {})])),
    prompts,
    ...declareSynonyms(synonyms),
  };
}

/** Merges taxonomies: the first description and current value are used; collapse and resource apply if any taxonomy sets them. */
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
      const current = declared.find((each) => each.current !== undefined)?.current;
      const merged: DeclaredKey = {
        description: declared.find(({ description }) => description !== null)?.description ?? null,
        collapse: collapse.length === 0 ? null : collapse.includes(true),
        ...(current === undefined ? {} : { current }),
        isResource: declared.some(({ isResource }) => isResource),
        resourceValues: [...new Set(declared.flatMap(({ resourceValues }) => resourceValues))].sort(),
      };
      return [key, merged];
    }),
  );
}
