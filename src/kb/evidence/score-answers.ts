import { countInstructions, namesCode, questionShape, statesConstraint } from './answer-cues.js';
import { askedQuantity } from './asked-quantity.js';
import type { CoveragePart } from './choose-by-coverage.js';
import { massOf, type ReadSection, type ReadUnit, type TermWeights } from './sections/read-section.js';

/**
 * Weight of each sign that a unit answers the question. Fitted by listwise logistic regression to the questions of ten
 * documentations, each checked with weights of the other nine, then rounded; see docs/quality.md.
 */
export const ANSWER_WEIGHTS = {
  /** Coverage of the unit together with the headings above it. */
  coverage: 0.75,
  /** What the units beside it add to its own coverage. */
  neighbours: 0.4,
  strength: 0.25,
  /** Each of the question's terms, whatever its weight. */
  term: 0.065,
  /** The share of its section. */
  share: 0.7,
  short: -0.2,
  code: -0.15,
  /** Added to `code`, if the question asks for code. */
  codeAsked: 0.25,
  // What follows is of sentences and rows only.
  /** It contains code, and the question asks for code. */
  naming: 0.12,
  /** Each sign of an instruction, if the question asks how. */
  instruction: 0.1,
  constraint: 0.09,
  /** It states the kind of quantity that the question asks for. */
  quantity: 0.35,
} as const;

/** A shorter unit is seldom an answer: it is a label, a bracket or a cell. */
const SHORT_CHARS = 40;

type Form = (unit: ReadUnit, text: string) => number;

/** The score of a unit for its form, given the form of the question. */
function formOf(question: string): Form {
  const { asksHow, asksForCode } = questionShape(question);
  const states = askedQuantity(question);
  const weights = ANSWER_WEIGHTS;
  return ({ kind }, text) => {
    const short = text.length < SHORT_CHARS ? weights.short : 0;
    const quantity = states?.(text) ? weights.quantity : 0;
    if (kind === 'code') return short + quantity + weights.code + (asksForCode ? weights.codeAsked : 0);
    return (
      short +
      quantity +
      (asksForCode && namesCode(text) ? weights.naming : 0) +
      (asksHow ? weights.instruction * countInstructions(text) : 0) +
      (statesConstraint(text) ? weights.constraint : 0)
    );
  };
}

/** The coverage that the units beside a unit add to it. */
function addedBeside(units: readonly ReadUnit[], at: number, weights: TermWeights): number {
  const beside = units.slice(Math.max(0, at - 1), at + 2);
  return (
    massOf(new Set(beside.flatMap(({ counts }) => [...counts.keys()])), weights) - (units[at]?.coverage ?? 0)
  );
}

/** Scores the units of sections by how likely each answers the question; the differences of scores are meaningful. */
export function answerScores({ question, weights }: CoveragePart): (section: ReadSection) => number[] {
  const form = formOf(question);
  return ({ text, units, share }) =>
    units.map(
      (unit, at) =>
        ANSWER_WEIGHTS.coverage * unit.coverageWithHeadings +
        ANSWER_WEIGHTS.neighbours * addedBeside(units, at, weights) +
        ANSWER_WEIGHTS.strength * unit.strength +
        ANSWER_WEIGHTS.term * unit.counts.size +
        ANSWER_WEIGHTS.share * share +
        form(unit, text.slice(unit.start, unit.end)),
    );
}
