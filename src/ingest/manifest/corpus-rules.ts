import { posix } from 'node:path';
import picomatch from 'picomatch';
import type { Manifest } from './manifest.js';
import { plainValue } from '../reading/metadata-entry.js';

/** What the manifest says about one document. */
export interface DocumentRules {
  readonly docTag: string | undefined;
  readonly repository: string;
  /** What it can be told apart by, unless its front matter says otherwise. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Keys that count as metadata at the top of front matter, too. */
  readonly declaredKeys: readonly string[];
}

type WrittenMetadata = Readonly<Record<string, string | number | boolean>> | undefined;

/** Metadata of several entries, of which later ones win; sorted, so that the order of entries changes no document. */
export function mergeMetadata(entries: readonly WrittenMetadata[]): Readonly<Record<string, string>> {
  const pairs = entries.flatMap((entry) => Object.entries(entry ?? {}));
  const values = new Map(pairs.map(([key, value]) => [key, plainValue(String(value))]));
  const named = [...values].filter(([, value]) => value !== '');
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What the manifest says, ready to be asked for each path. */
export interface CorpusRules {
  readonly isWanted: (path: string) => boolean;
  readonly rulesFor: (path: string) => DocumentRules;
}

/**
 * Compiles the globs of a manifest.
 * @param repository  of documents for which nothing else names one
 * @param forced  what the command line says, which wins over the manifest; undefined when it says nothing
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
