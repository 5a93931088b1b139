import { splitUnits, type Unit } from '../../../text/split-units.js';
import { searchTerms, type StemMemo } from '../../../text/terms/search-terms.js';

/** A unit with its terms. */
export interface AnalysedUnit extends Unit {
  /** In order of appearance, with repeats. */
  readonly terms: readonly string[];
  /** Terms of the titles of the tab or admonition that it is in. */
  readonly labelTerms: readonly string[];
}

/** About 5 MB; a corpus of a thousand pages has about this number of words. */
const MAX_STEMS = 30_000;
/** Characters of the texts whose units are kept; with their units, about 8 MB. */
const MAX_CHARS = 1_000_000;

function analyse(text: string, unit: Unit, stems: StemMemo): AnalysedUnit {
  const terms = searchTerms(text.slice(unit.start, unit.end), stems);
  return { ...unit, terms, labelTerms: searchTerms(unit.label ?? '', stems) };
}

/** Splits texts into units with their terms. Keeps the units of the texts that were used last, and the stems of words. */
export class UnitMemo {
  // A Map keeps insertion order: the first text is the one used longest ago.
  private readonly unitsOfText = new Map<string, readonly AnalysedUnit[]>();
  private readonly stems: StemMemo = new Map();
  private chars = 0;

  /** @param maxChars  of the texts to keep, at least 0 */
  constructor(private readonly maxChars = MAX_CHARS) {}

  unitsOf(text: string): readonly AnalysedUnit[] {
    const known = this.unitsOfText.get(text);
    const units = known ?? splitUnits(text).map((unit) => analyse(text, unit, this.knownStems()));
    this.unitsOfText.delete(text);
    this.unitsOfText.set(text, units);
    if (!known) this.makeRoom(text.length);
    return units;
  }

  termsOf(text: string): string[] {
    return searchTerms(text, this.knownStems());
  }

  private knownStems(): StemMemo {
    if (this.stems.size > MAX_STEMS) this.stems.clear();
    return this.stems;
  }

  private makeRoom(added: number): void {
    this.chars += added;
    for (const oldest of this.unitsOfText.keys()) {
      if (this.chars <= this.maxChars) return;
      this.unitsOfText.delete(oldest);
      this.chars -= oldest.length;
    }
  }
}
