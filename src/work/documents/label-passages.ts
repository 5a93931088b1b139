import type { Section } from '../../core/section.js';
import type { Span } from '../../text/span.js';
import { isStopTerm } from '../../text/terms/languages.js';
import { queryTerms } from '../../text/terms/search-terms.js';
import { unpackUnits } from '../../text/units.js';

interface GivenLabel {
  readonly label: string;
  readonly description?: string | undefined;
}

/** A label with the terms that speak for it. */
export interface ScoredLabel {
  readonly facet: string | null;
  readonly label: string;
  /** 0 to 1. */
  readonly score: number;
  readonly weights: ReadonlyMap<string, number>;
  /** Paths of similar documents, not encoded. */
  readonly similar: readonly string[];
}

const distinctTerms = (text: string): string[] => {
  const terms = [...new Set(queryTerms(text))];
  const telling = terms.filter((term) => !isStopTerm(term));
  return telling.length > 0 ? telling : terms;
};

/**
 * Scores labels by their words. A word counts 1 if it is in a title or heading, else tf / (tf + 1) for tf occurrences in
 * the text. The score is the mean of the label's words; with a description, the mean of that and of the description's.
 */
function scoreLabels(
  { titles, sections }: { readonly titles: readonly string[]; readonly sections: readonly Section[] },
  labels: readonly GivenLabel[],
): ScoredLabel[] {
  const inTitles = new Set(queryTerms(titles.join('\n')));
  const times = new Map<string, number>();
  for (const term of sections.flatMap(({ text }) => queryTerms(text))) {
    times.set(term, (times.get(term) ?? 0) + 1);
  }
  const strength = (term: string): number => {
    const count = times.get(term) ?? 0;
    return inTitles.has(term) ? 1 : count / (count + 1);
  };
  const mean = (terms: readonly string[]): number =>
    terms.reduce((sum, term) => sum + strength(term), 0) / Math.max(1, terms.length);
  return labels
    .map(({ label, description }) => {
      const own = distinctTerms(label);
      const described = distinctTerms(description ?? '');
      return {
        facet: null,
        label,
        score: described.length > 0 ? (mean(own) + mean(described)) / 2 : mean(own),
        weights: new Map([
          ...described.map((term) => [term, 1] as const),
          ...own.map((term) => [term, 2] as const),
        ]),
        similar: [],
      };
    })
    .sort((a, b) => b.score - a.score || (a.label < b.label ? -1 : 1));
}

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
    unpackUnits(section.structure).map(({ start, end }) => ({
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
