import { posix } from 'node:path';
import picomatch from 'picomatch';
import { plainValue } from '../reading/metadata-entry.js';
import type { Manifest } from './manifest.js';

/** The manifest settings for one document. */
export interface DocumentRules {
  readonly docTag: string | undefined;
  readonly repository: string;
  /** Metadata of the document; its front matter takes precedence. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Keys that also count as metadata at the top level of front matter. */
  readonly declaredKeys: readonly string[];
}

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
  readonly rulesFor: (path: string) => DocumentRules;
}

/**
 * Compiles the globs of a manifest.
 * @param repository  default repository of documents
 * @param forced  repository from the command line, which overrides the manifest; undefined if not given
 */
export function corpusRules(manifest: Manifest, repository: string, forced?: string): CorpusRules {
  const isIncluded = manifest.include ? picomatch(manifest.include) : () => true;
  const isIgnored = manifest.ignore ? picomatch(manifest.ignore) : () => false;
  const entries = (manifest.documents ?? []).map((entry) => ({ ...entry, matches: picomatch(entry.match) }));
  const templates = new Set(
    (manifest.prompts ?? []).map(({ template }) => template && posix.normalize(template)),
  );
  const declaredKeys = Object.keys(manifest.taxonomy ?? {}).sort();
  return {
    isWanted: (path) => isIncluded(path) && !isIgnored(path) && !templates.has(path),
    rulesFor: (path) => {
      const own = entries.filter((entry) => entry.matches(path));
      return {
        docTag: own.findLast((entry) => entry.doc_tag !== undefined)?.doc_tag,
        metadata: mergeMetadata([manifest.metadata, ...own.map((entry) => entry.metadata)]),
        declaredKeys,
        repository:
          forced ?? own.findLast((entry) => entry.repository !== undefined)?.repository ?? repository,
      };
    },
  };
}
