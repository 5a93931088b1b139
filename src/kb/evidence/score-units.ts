import { countInstructions, namesCode, type QuestionShape, statesConstraint } from './answer-cues.js';
import type { ReadSection, ReadUnit } from './sections/read-section.js';

/** Weight of each property of a unit, chosen by cross-validation; see docs/quality.md. */
export const COVERAGE_WEIGHTS = {
  coverage: 0.75,
  /** Coverage of the unit together with the headings above it. */
  coverageWithHeadings: 1,
  strength: 0.25,
  share: 1,
  /** The first sentence below a heading. The second gets half of it, the third a third. */
  lead: 0.1,
  /** Each sign of an instruction, if the question asks how. */
  instruction: 0.25,
  /** A constraint, if the question asks whether or why. */
  constraint: 0.2,
  naming: 0.15,
  /** Terms that quotes already contain: half of it after one quote, three quarters after two. */
  redundancy: -0.6,
  /** Each earlier quote from the same section. */
  sameSection: -0.1,
};
export type CoverageWeights = Readonly<typeof COVERAGE_WEIGHTS>;

/** Weight of a unit's reranker score, relative to these weights; see docs/quality.md, "Models". */
export const SPAN_RERANK_WEIGHT = 0.25;

/** A unique key of a unit. */
export const spanKey = (sectionId: string, at: number): string => `${at} ${sectionId}`;

export interface ScoredUnit {
  readonly section: ReadSection;
  readonly unit: ReadUnit;
  /** Position in its section. */
  readonly at: number;
  readonly score: number;
}

/** The score for a form of sentence that fits the form of the question. */
function cueScore(sentence: string, shape: QuestionShape, weights: CoverageWeights): number {
  return (
    (shape.asksHow ? weights.instruction * countInstructions(sentence) : 0) +
    (shape.asksWhetherOrWhy && statesConstraint(sentence) ? weights.constraint : 0) +
    (namesCode(sentence) ? weights.naming : 0)
  );
}

/** Scores the units of a section, without regard to other quotes. */
export function scoreUnits(
  section: ReadSection,
  shape: QuestionShape,
  weights: CoverageWeights,
): ScoredUnit[] {
  let sentences = 0;
  return section.units.map((unit, at) => {
    const isCode = unit.kind === 'code';
    if (!isCode) sentences++;
    const lead = section.isBelowTitle ? weights.lead / sentences : 0;
    // Only sentences and rows have cues.
    const form = isCode ? 0 : lead + cueScore(section.text.slice(unit.start, unit.end), shape, weights);
    const score =
      weights.coverage * unit.coverage +
      weights.coverageWithHeadings * unit.coverageWithHeadings +
      weights.strength * unit.strength +
      weights.share * section.share;
    return { section, unit, at, score: score + form };
  });
}
