import type { CorpusDeclaration } from '../../src/core/corpus-declaration.js';
import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { SectionIndex } from '../../src/core/ports/section-index.port.js';
import { sectionFactsContract } from './section-facts.contract.js';
import { sectionRankingContract } from './section-ranking.contract.js';
import { sectionScopeContract } from './section-scope.contract.js';
import { sectionWordsContract } from './section-words.contract.js';

/** An index of one adapter that a test can fill, damage and read. */
export interface SectionIndexSubject {
  /** Reads it; stays open until the subject is disposed of. */
  readonly index: SectionIndex;
  /** Publishes exactly these documents as the next generation. */
  readonly publish: (...documents: readonly IndexedDocument[]) => Promise<void>;
  /** The same, of a corpus that says something of itself. */
  readonly declare: (corpus: CorpusDeclaration, ...documents: readonly IndexedDocument[]) => Promise<void>;
  /** Puts another index, with these documents, in its place. */
  readonly replace: (...documents: readonly IndexedDocument[]) => Promise<void>;
  /** Puts something there that is no index. */
  readonly putGarbage: () => void | Promise<void>;
  /** Makes it the index of another version. */
  readonly ageIdentity: () => void | Promise<void>;
  /** Reads it as a server with another embedder would; to be closed by the test. */
  readonly openWithOtherEmbedder: () => SectionIndex;
  /** Takes the index away. */
  readonly remove: () => void | Promise<void>;
  readonly dispose: () => Promise<void>;
}

/** What every `SectionIndex` does, whichever engine it reads. */
export function sectionIndexContract(name: string, make: () => Promise<SectionIndexSubject>): void {
  sectionRankingContract(name, make);
  sectionWordsContract(name, make);
  sectionScopeContract(name, make);
  sectionFactsContract(name, make);
}
