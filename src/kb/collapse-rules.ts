import type { CorpusDeclaration } from '../core/corpus-declaration.js';
import type { CollapseRules } from '../core/ports/section-index.port.js';

/** What the manifest says of the keys that documents differ in. */
export function collapseRules({ taxonomy }: CorpusDeclaration): CollapseRules {
  return Object.fromEntries(Object.entries(taxonomy).map(([key, { collapse }]) => [key, collapse]));
}
