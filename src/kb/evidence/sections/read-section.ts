import { searchTerms, type StemMemo } from '../../../text/terms/search-terms.js';
import { type Unit, unpackUnits } from '../../../text/units.js';
import { B, inverseFrequency, K1 } from '../../search/bm25.js';

/** A unit with its terms. */
export interface AnalysedUnit {
  readonly unit: Unit;
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
  const labelTerms = unit.label === undefined ? [] : searchTerms(unit.label, stems);
  return { unit, terms, labelTerms };
}

/** Reads the units of texts with their terms. Keeps the units of the texts that were used last, and the stems of words. */
export class UnitMemo {
  // A Map keeps insertion order: the first text is the one used longest ago.
  private readonly unitsOfText = new Map<string, readonly AnalysedUnit[]>();
  private readonly stems: StemMemo = new Map();
  private chars = 0;

  /** @param maxChars  of the texts to keep, at least 0 */
  constructor(private readonly maxChars = MAX_CHARS) {}

  unitsOf({ text, structure }: Pick<FoundSection, 'text' | 'structure'>): readonly AnalysedUnit[] {
    const known = this.unitsOfText.get(text);
    const units = known ?? unpackUnits(structure).map((unit) => analyse(text, unit, this.knownStems()));
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

/** The inverse document frequency of each term of a question. */
export interface TermWeights {
  /** Only terms that are in the index. */
  readonly weightOf: ReadonlyMap<string, number>;
  /** Sum of all weights; 0 only without terms. */
  readonly total: number;
}

/** A unit, with the question's terms in it. */
export interface ReadUnit extends Unit {
  /** The number of occurrences of each of the question's terms. */
  readonly counts: ReadonlyMap<string, number>;
  /** Weight of the terms in the unit as a share of all the question's terms, 0 to 1. */
  readonly coverage: number;
  /** The same share, including terms in the headings above the unit and in its labels. */
  readonly coverageWithHeadings: number;
  /** BM25 score of the unit, normalised with the average length of a sentence; 0 to 1. */
  readonly strength: number;
  /** True if it is to be left out, because the caller was shown it before. Absent otherwise. */
  readonly isSeen?: boolean;
}

/** A section before it is read. */
export interface FoundSection {
  readonly id: string;
  readonly text: string;
  /** Its units, as `packUnits` writes them. */
  readonly structure: string;
  /** Titles above the page; none if they are not known. */
  readonly trail?: readonly string[];
  readonly headingPath: readonly string[];
  /** Its score divided by the best section's score, 0 to 1. */
  readonly share: number;
  /** True if only the section's vector matched. Its quotes then need no word of the question. */
  readonly isRecalled?: boolean;
}

/** A section whose units can be quoted. */
export interface ReadSection extends Omit<FoundSection, 'headingPath' | 'trail' | 'structure'> {
  /** True if the section has a heading of its own, below the title of its document. */
  readonly isBelowTitle: boolean;
  /** The question's terms in the headings above it. */
  readonly headingTerms: ReadonlySet<string>;
  readonly units: readonly ReadUnit[];
}

/** True if the headings or the units of a section contain a word of the question, or its vector matched. */
export function matchesQuestion({ units, headingTerms, isRecalled }: ReadSection): boolean {
  return isRecalled === true || headingTerms.size > 0 || units.some(({ counts }) => counts.size > 0);
}

/** Number of terms in an average sentence of documentation. */
const AVERAGE_LENGTH = 14;

/** @param frequencyOf  number of sections with each term; terms with 0 are left out */
export function weighQuestion(
  terms: readonly string[],
  frequencyOf: Readonly<Record<string, number>>,
  sectionCount: number,
): TermWeights {
  const weightOf = new Map<string, number>();
  for (const term of terms) {
    const found = frequencyOf[term] ?? 0;
    if (found > 0) weightOf.set(term, inverseFrequency(found, sectionCount));
  }
  return { weightOf, total: [...weightOf.values()].reduce((sum, weight) => sum + weight, 0) };
}

/** Total weight of some terms, as a share of the weight of all the question's terms. */
export function massOf(terms: Iterable<string>, { weightOf, total }: TermWeights): number {
  let mass = 0;
  for (const term of terms) mass += weightOf.get(term) ?? 0;
  return total === 0 ? 0 : mass / total;
}

function strengthOf(counts: ReadonlyMap<string, number>, length: number, weights: TermWeights): number {
  const norm = K1 * (1 - B + (B * length) / AVERAGE_LENGTH);
  let sum = 0;
  for (const [term, count] of counts)
    sum += ((weights.weightOf.get(term) ?? 0) * count * (K1 + 1)) / (count + norm);
  return weights.total === 0 ? 0 : sum / ((K1 + 1) * weights.total);
}

const NO_COUNTS: ReadonlyMap<string, number> = new Map();

function countTerms(terms: readonly string[], { weightOf }: TermWeights): ReadonlyMap<string, number> {
  let counts: Map<string, number> | undefined;
  for (const term of terms) {
    if (!weightOf.has(term)) continue;
    counts ??= new Map();
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts ?? NO_COUNTS;
}

/** The question's terms in the headings above a section, and `massOf` them. */
interface Headings {
  readonly terms: ReadonlySet<string>;
  readonly mass: number;
}

function readUnit(
  { unit, terms, labelTerms }: AnalysedUnit,
  headings: Headings,
  weights: TermWeights,
): ReadUnit {
  const counts = countTerms(terms, weights);
  // Most units have no word of the question.
  if (counts.size === 0 && labelTerms.length === 0)
    return { ...unit, counts, coverage: 0, coverageWithHeadings: headings.mass, strength: 0 };
  const strength = strengthOf(counts, terms.length, weights);
  const coverage = massOf(counts.keys(), weights);
  const coverageWithHeadings = massOf(new Set([...headings.terms, ...labelTerms, ...counts.keys()]), weights);
  return { ...unit, counts, coverage, coverageWithHeadings, strength };
}

/** Reads the units of a section and finds the question's terms in each. */
export function readSection(section: FoundSection, weights: TermWeights, memo: UnitMemo): ReadSection {
  const { headingPath, trail = [], structure, ...found } = section;
  const above = [...trail, ...headingPath].join('\n');
  const inHeadings = memo.termsOf(above).filter((term) => weights.weightOf.has(term));
  const headingTerms = new Set(inHeadings);
  const headings = { terms: headingTerms, mass: massOf(headingTerms, weights) };
  const units = memo
    .unitsOf({ text: found.text, structure })
    .map((unit) => readUnit(unit, headings, weights));
  return { ...found, isBelowTitle: headingPath.length > 1, headingTerms, units };
}
