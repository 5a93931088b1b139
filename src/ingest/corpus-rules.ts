import picomatch from 'picomatch';
import type { Manifest } from './manifest.js';

/** What the manifest says about one document. */
export interface DocumentRules {
  readonly docTag: string | undefined;
  readonly repository: string;
}

/** What the manifest says, ready to be asked for each path. */
export interface CorpusRules {
  readonly isWanted: (path: string) => boolean;
  readonly rulesFor: (path: string) => DocumentRules;
}

/** Compiles the globs of a manifest. */
export function corpusRules(manifest: Manifest, repository: string): CorpusRules {
  const isIncluded = manifest.include ? picomatch(manifest.include) : () => true;
  const isIgnored = manifest.ignore ? picomatch(manifest.ignore) : () => false;
  const entries = (manifest.documents ?? []).map((entry) => ({ ...entry, matches: picomatch(entry.match) }));
  return {
    isWanted: (path) => isIncluded(path) && !isIgnored(path),
    rulesFor: (path) => {
      const own = entries.filter((entry) => entry.matches(path));
      return {
        docTag: own.findLast((entry) => entry.doc_tag !== undefined)?.doc_tag,
        repository: own.findLast((entry) => entry.repository !== undefined)?.repository ?? repository,
      };
    },
  };
}
