import { languageOf } from '../../text/terms/languages.js';
import {
  askedQuantity,
  countInstructions,
  namesCode,
  questionShape,
  statesConstraint,
} from './answer-cues.js';
import type { CoveragePart } from './choose-by-coverage.js';
import { massOf, type ReadSection, type ReadUnit, type TermWeights } from './sections/read-section.js';

/**
 * Weight of each sign that a unit answers the question. Fitted by listwise logistic regression to the questions of ten
 * documentations, each checked with weights of the other nine, then rounded; see docs/quality.md.
 */
export const ANSWER_WEIGHTS = {
  /** Coverage of the unit together with the headings above it. */
  coverage: 0.75,
  /** Coverage that the units beside it add. */
  beside: 0.4,
  /** BM25 of the unit. */
  strength: 0.25,
  /** Each of the question's terms in the unit, whatever its weight, up to MAX_TERMS. */
  term: 0.065,
  /** The share of its section. */
  share: 0.8,
  /** It has fewer than SHORT_CHARS characters. */
  short: -0.2,
  /** It states the kind of quantity that the question asks for. */
  quantity: 0.35,
  /** It is a line of code. */
  code: -0.15,
  /** It is a line of code, and the question asks for code. */
  codeAsked: 0.25,
  /** It is a sentence or row with code in it, and the question asks for code. */
  naming: 0.12,
  /** Each sign of an instruction in a sentence or row, if the question asks how. */
  instruction: 0.1,
  /** It is a sentence or row that states a constraint. */
  constraint: 0.09,
} as const;

/** A shorter unit is seldom an answer: it is a label, a bracket or a cell. */
const SHORT_CHARS = 40;
/** With more, a unit that repeats many common words of a long question would come before one with its rare words. */
const MAX_TERMS = 8;

type Form = (unit: ReadUnit, text: string) => number;

/** The score of a unit for its form, given the form of the question. */
function formOf(question: string): Form {
  const { asksHow, asksForCode } = questionShape(question);
  const states = askedQuantity(question);
  const isEnglish = languageOf(question) === 'en';
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
      (isEnglish && statesConstraint(text) ? weights.constraint : 0)
    );
  };
}

/** The coverage that the units beside a unit add to it. */
function addedBeside(units: readonly ReadUnit[], at: number, weights: TermWeights): number {
  const own = units[at]?.counts;
  const [before, after] = [units[at - 1]?.counts, units[at + 1]?.counts];
  if (!before?.size && !after?.size) return 0;
  const added = [...(before?.keys() ?? [])].filter((term) => !own?.has(term));
  for (const term of after?.keys() ?? []) if (!own?.has(term) && !before?.has(term)) added.push(term);
  return added.length === 0 ? 0 : massOf(added, weights);
}

/** Scores the units of sections by how likely each answers: differences of scores, times a factor, are log-odds. */
export function answerScores({ question, weights }: CoveragePart): (section: ReadSection) => number[] {
  const form = formOf(question);
  return ({ text, units, share }) =>
    units.map(
      (unit, at) =>
        ANSWER_WEIGHTS.coverage * unit.coverageWithHeadings +
        ANSWER_WEIGHTS.beside * addedBeside(units, at, weights) +
        ANSWER_WEIGHTS.strength * unit.strength +
        ANSWER_WEIGHTS.term * Math.min(unit.counts.size, MAX_TERMS) +
        ANSWER_WEIGHTS.share * share +
        form(unit, text.slice(unit.start, unit.end)),
    );
}
