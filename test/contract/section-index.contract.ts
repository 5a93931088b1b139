import type { CorpusDeclaration } from '../../src/core/corpus-declaration.js';
import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { SectionIndex } from '../../src/core/ports/section-index.port.js';
import { sectionFactsContract } from './section-facts.contract.js';
import { sectionQuotingContract } from './section-quoting.contract.js';
import { sectionRankingContract } from './section-ranking.contract.js';
import { sectionScopeContract } from './section-scope.contract.js';
import { sectionWordsContract } from './section-words.contract.js';

/** An index of one engine that a test can fill, damage and read. */
export interface SectionIndexSubject {
  /** Stays open until the subject is disposed of. */
  readonly index: SectionIndex;
  /** Publishes exactly these documents as the next generation. */
  readonly publish: (...documents: readonly IndexedDocument[]) => Promise<void>;
  /** The same, with a declaration of the corpus. */
  readonly declare: (corpus: CorpusDeclaration, ...documents: readonly IndexedDocument[]) => Promise<void>;
  /** Replaces it by another index, with these documents. */
  readonly replace: (...documents: readonly IndexedDocument[]) => Promise<void>;
  /** Replaces it by something that is not an index. */
  readonly putGarbage: () => void | Promise<void>;
  /** Turns it into an index of another version. */
  readonly ageIdentity: () => void | Promise<void>;
  /** Opens it as a server with another embedder does; the test closes it. */
  readonly openWithOtherEmbedder: () => SectionIndex;
  /** Removes the index. */
  readonly remove: () => void | Promise<void>;
  readonly dispose: () => Promise<void>;
}

/** The behaviour of every `SectionIndex`, on every engine. */
export function sectionIndexContract(name: string, make: () => Promise<SectionIndexSubject>): void {
  sectionRankingContract(name, make);
  sectionWordsContract(name, make);
  sectionScopeContract(name, make);
  sectionFactsContract(name, make);
  sectionQuotingContract(name, make);
}
