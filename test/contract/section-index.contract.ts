import type { CorpusDeclaration } from '../../src/core/corpus-declaration.js';
import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { SectionIndex } from '../../src/core/ports/section-index.port.js';
import { sectionFactsContract } from './section-facts.contract.js';
import { sectionRankingContract } from './section-ranking.contract.js';
import { sectionScopeContract } from './section-scope.contract.js';
import { sectionWordsContract } from './section-words.contract.js';

/** An index of one adapter that a test can fill, damage and read. */
export interface SectionIndexSubject {
  /** Reads it; stays open until the subject is disposed. */
  readonly index: SectionIndex;
  /** Publishes exactly these documents as the next generation. */
  readonly publish: (...documents: readonly IndexedDocument[]) => Promise<void>;
  /** The same, with a declaration of the corpus. */
  readonly declare: (corpus: CorpusDeclaration, ...documents: readonly IndexedDocument[]) => Promise<void>;
  /** Replaces it with another index of these documents. */
  readonly replace: (...documents: readonly IndexedDocument[]) => Promise<void>;
  /** Replaces it with something that is not an index. */
  readonly putGarbage: () => void | Promise<void>;
  /** Changes its version to an unknown one. */
  readonly ageIdentity: () => void | Promise<void>;
  /** Reads it as a server with another embedder; the test closes it. */
  readonly openWithOtherEmbedder: () => SectionIndex;
  /** Deletes the index. */
  readonly remove: () => void | Promise<void>;
  readonly dispose: () => Promise<void>;
}

/** The behaviour of every `SectionIndex`, on any engine. */
export function sectionIndexContract(name: string, make: () => Promise<SectionIndexSubject>): void {
  sectionRankingContract(name, make);
  sectionWordsContract(name, make);
  sectionScopeContract(name, make);
  sectionFactsContract(name, make);
}
