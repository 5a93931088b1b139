import type { Section } from '../../../core/section.js';
import { findPassages, type FoundPassage, unitsOf } from './find-passages.js';
import { type GivenLabel, type ScoredLabel, scoreLabels } from './score-labels.js';

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
