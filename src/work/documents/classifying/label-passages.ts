import type { Section } from '../../../core/section.js';
import type { Span } from '../../../text/span.js';
import { splitUnits } from '../../../text/split-units.js';
import { queryTerms } from '../../../text/terms/search-terms.js';
import { type GivenLabel, type ScoredLabel, scoreLabels } from './score-labels.js';

/** A part of a section. */
interface FoundPassage extends Span {
  readonly section: Section;
}

interface TermUnit extends FoundPassage {
  readonly terms: ReadonlySet<string>;
}

/** The sentences, rows and code lines of a document with their terms, for several searches. */
function unitsOf(sections: readonly Section[]): readonly TermUnit[] {
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
function findPassages(
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

/** The labels of a document: given ones, which have no score yet, or those that have one. */
export type LabelTask = {
  /** The title of the document and its headings. */
  readonly titles: readonly string[];
  readonly sections: readonly Section[];
  /** Passages of each label. */
  readonly passages: number;
} & ({ readonly given: readonly GivenLabel[] } | { readonly scored: readonly ScoredLabel[] });

export interface LabelledPassages extends Omit<ScoredLabel, 'weights'> {
  readonly passages: readonly FoundPassage[];
}

/** Scores given labels, and finds the passages that speak for each label. */
export function labelPassages(task: LabelTask): LabelledPassages[] {
  const { sections, passages: most } = task;
  const scored = 'given' in task ? scoreLabels(task, task.given) : task.scored;
  const units = most > 0 ? unitsOf(sections) : [];
  return scored.map(({ weights, ...label }) => ({ ...label, passages: findPassages(units, weights, most) }));
}
