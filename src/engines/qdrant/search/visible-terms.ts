import { nearestTerm } from '../../../kb/search/nearest-term.js';
import { resolveWords } from '../../../kb/search/resolve-words.js';
import type { ResolvedWords } from '../../../kb/search/resolve-words.js';
import type { AskedWords } from '../../../core/ports/section-index.port.js';
import type { View } from '../writing/live-collection.js';
import type { Filter } from '../qdrant-connection.js';
import { askForTerms } from './sparse-terms.js';
import type { Vocabulary } from '../vocabulary.js';

/** Tells which terms any section holds that may be seen; without a restriction that is every term of the index. */
export class VisibleTerms {
  private readonly known = new Map<string, boolean>();
  private readonly wanted = new Set<string>();

  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly filter: Filter,
    private readonly isRestricted: boolean,
  ) {}

  isHeld(term: string): boolean {
    if (this.vocabulary.sectionsWith(term) === 0) return false;
    if (!this.isRestricted) return true;
    const isKnown = this.known.get(term);
    if (isKnown === undefined) this.wanted.add(term);
    return isKnown ?? false;
  }

  /** In how many sections of the whole index a term occurs; 0 where no visible one holds it. */
  frequencyOf(term: string): number {
    return this.isHeld(term) ? this.vocabulary.sectionsWith(term) : 0;
  }

  /** Reads words as terms of the index: once with every term in doubt noted, then with all of them looked up. */
  async resolve(view: View, asked: AskedWords, withParts: boolean): Promise<ResolvedWords> {
    const isHeld = (term: string): boolean => this.isHeld(term);
    const lookup = {
      isHeld,
      nearestTo: (term: string) => nearestTerm(term, this.vocabulary.near(term), isHeld),
    };
    let resolved = resolveWords(asked, lookup, withParts);
    while (await this.lookUp(view)) resolved = resolveWords(asked, lookup, withParts);
    return resolved;
  }

  /** @returns whether there was anything to look up */
  private async lookUp(view: View): Promise<boolean> {
    const terms = [...this.wanted];
    this.wanted.clear();
    if (terms.length === 0) return false;
    const { found } = await view.batch(
      terms.map((term) => ({ query: askForTerms([term]), using: 'bm25', filter: this.filter, limit: 1 })),
    );
    terms.forEach((term, i) => this.known.set(term, (found[i] ?? []).length > 0));
    return true;
  }
}
