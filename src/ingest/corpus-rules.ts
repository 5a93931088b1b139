import picomatch from 'picomatch';
import type { Manifest } from './manifest.js';

/** What the manifest says about one document. */
export interface DocumentRules {
  readonly docTag: string | undefined;
  readonly repository: string;
  /** Further properties, kept with the document. */
  readonly metadata: Readonly<Record<string, string | number | boolean>>;
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
  return {
    isWanted: (path) => isIncluded(path) && !isIgnored(path),
    rulesFor: (path) => {
      const own = entries.filter((entry) => entry.matches(path));
      return {
        docTag: own.findLast((entry) => entry.doc_tag !== undefined)?.doc_tag,
        metadata: Object.assign({}, ...own.map((entry) => entry.metadata ?? {})),
        repository:
          forced ?? own.findLast((entry) => entry.repository !== undefined)?.repository ?? repository,
      };
    },
  };
}
