import type { Section } from '../../../core/section.js';
import type { Span } from '../../../text/span.js';
import { splitUnits } from '../../../text/split-units.js';
import { queryTerms } from '../../../text/terms/search-terms.js';

/** A part of a section. */
export interface FoundPassage extends Span {
  readonly section: Section;
}

interface TermUnit extends FoundPassage {
  readonly terms: ReadonlySet<string>;
}

/** The sentences, rows and code lines of a document with their terms, for several searches. */
export function unitsOf(sections: readonly Section[]): readonly TermUnit[] {
  return sections.flatMap((section) =>
    splitUnits(section.text).map(({ start, end }) => ({
      section,
      start,
      end,
      terms: new Set(queryTerms(section.text.slice(start, end))),
    })),
  );
}

/** The units with the greatest weight of distinct terms, best first; ties in reading order; none without a term. */
export function findPassages(
  units: readonly TermUnit[],
  weights: ReadonlyMap<string, number>,
  most: number,
): FoundPassage[] {
  return units
    .map((unit, place) => ({
      unit,
      place,
      weight: [...unit.terms].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0),
    }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.place - b.place)
    .slice(0, most)
    .map(({ unit: { section, start, end } }) => ({ section, start, end }));
}
