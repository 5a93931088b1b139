import type { Span } from '../../text/span.js';
import { answerableFrom } from './answerable.js';
import type { CoveragePart } from './choose-by-coverage.js';
import { answerScores } from './score-answers.js';
import { SPAN_RERANK_WEIGHT, spanKey } from './score-units.js';
import { type DraftQuote, LEAST_RATIO, SectionDraft, type Step } from './section-draft.js';
import { matchesQuestion, type ReadSection } from './sections/read-section.js';

/** One part of a question with its sections and the confidence that they contain an answer, 0 to 1. */
export interface BudgetPart extends CoveragePart {
  readonly confidence: number;
}

/** A section with what each of its units adds to the answer. */
export interface WeighedSection {
  readonly section: ReadSection;
  /** For each part of the question, the probability of each unit to contain the answer; 0 for a repeated text. */
  readonly gains: readonly (readonly number[])[];
  /** For each unit, its score relative to the best of its part, times the confidence in that part; 0 to 1. */
  readonly confidences: readonly number[];
}

/** How fast the probability of a unit falls with its score. 8 to 11 are equally good on ten sets of questions. */
export const SHARPNESS = 8;
/**
 * How likely the answer is not in the unit that its score points to, but near a match of its section. With .15 to .3, 1 %
 * more questions are answered on ten sets of questions than with 0.
 */
const NEARBY = 0.2;
/** How fast the probability of a section falls with its share. */
const SHARE_SHARPNESS = 4;
/** A text of at least this length is quoted once, even if several sections contain it. */
const MIN_REPEATED_CHARS = 40;

/** Finds the units that repeat a text of an earlier unit. Sections come best first, so the best copy is kept. */
class Repeats {
  private readonly quoted = new Set<string>();
  private readonly repeatsOf = new Map<string, readonly boolean[]>();

  /** True for each unit of a section that repeats an earlier text, or that the caller was shown before. */
  of(section: ReadSection): readonly boolean[] {
    const known = this.repeatsOf.get(section.id);
    if (known) return known;
    const repeats = section.units.map(({ start, end, isSeen = false }) => {
      if (isSeen || end - start < MIN_REPEATED_CHARS) return isSeen;
      const text = section.text.slice(start, end);
      const isRepeat = this.quoted.has(text);
      this.quoted.add(text);
      return isRepeat;
    });
    this.repeatsOf.set(section.id, repeats);
    return repeats;
  }
}

/** The scores of the units of a section, with those of the reranker. */
function scoresOf(part: BudgetPart): (section: ReadSection) => number[] {
  const scores = answerScores(part);
  const reranked = (id: string, at: number): number => part.spanScores?.get(spanKey(id, at)) ?? 0;
  return (section) =>
    scores(section).map((score, at) => score + SPAN_RERANK_WEIGHT * reranked(section.id, at));
}

/** The probability of each section to contain the answer, from their shares alone; their sum is 1. */
function sectionChances(sections: readonly ReadSection[]): number[] {
  const best = Math.max(0, ...sections.map(({ share }) => share));
  const weights = sections.map(({ share }) => Math.exp(SHARE_SHARPNESS * (share - best)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

interface PartGains {
  readonly gains: readonly number[];
  readonly confidences: readonly number[];
}

/** The gains of the units of one part, by section id. They are probabilities: without repeats, their sum is 1. */
function partGains(part: BudgetPart, repeats: Repeats): Map<string, PartGains> {
  const sections = part.sections.filter(matchesQuestion);
  const chances = sectionChances(sections);
  const scores = scoresOf(part);
  const scored = sections.map((section) => ({
    section,
    scores: scores(section),
    isRepeat: repeats.of(section),
  }));
  const best = Math.max(0, ...scored.flatMap(({ scores }) => scores));
  let total = 0;
  const weighed = scored.map(({ section, scores, isRepeat }) => ({
    section,
    confidences: scores.map(
      (score) => part.confidence * (best > 0 ? Math.max(0, Math.min(1, score / best)) : 0),
    ),
    weights: scores.map((score, at) => {
      if (isRepeat[at]) return 0;
      const weight = Math.exp(SHARPNESS * (score - best));
      total += weight;
      return weight;
    }),
  }));
  return new Map(
    weighed.map(({ section, confidences, weights }, i) => {
      const nearby = chanceNearby(section.units, weights.map(Math.sqrt));
      const gains = weights.map((weight, at) =>
        weight === 0 ? 0 : (1 - NEARBY) * (weight / total) + NEARBY * (chances[i] ?? 0) * (nearby[at] ?? 0),
      );
      return [section.id, { confidences, gains }];
    }),
  );
}

/**
 * Estimates for each unit how likely it completes the answer of each part.
 * @param parts  their sections best first
 * @returns each section once, in the order of the parts and their sections
 */
export function weighGains(parts: readonly BudgetPart[]): WeighedSection[] {
  const repeats = new Repeats();
  const byPart = parts.map((part) => partGains(part, repeats));
  const sections = new Map(parts.flatMap((part) => part.sections.map((section) => [section.id, section])));
  return [...sections.values()].flatMap((section) => {
    const found = byPart.map((gains) => gains.get(section.id));
    if (found.every((gains) => gains === undefined)) return [];
    const none = section.units.map(() => 0);
    return {
      section,
      gains: found.map((part) => part?.gains ?? none),
      confidences: none.map((_, at) => Math.max(...found.map((part) => part?.confidences[at] ?? 0))),
    };
  });
}

/** Characters per token. The count is rough, because the budget is one of reading, not of bytes. */
const CHARS_PER_TOKEN = 4;
/** Share of the budget that is spent on the best steps; the rest fills small gaps, so that quotes read well. */
const FIRST_SHARE = 0.93;
/** Each further part of a question that is `likely` to be answered adds this share to the budget. */
const FURTHER_PART = 0.5;
/**
 * Most sections that are quoted; the rest of the budget goes to the best of them. dev and dev2 answer the same with 6, 7 or any
 * number; with 6, the lab answers one question in a hundred more (docs/quality.md).
 */
const MAX_SECTIONS = 6;

function bestStep(drafts: readonly SectionDraft[], room: number): Step | null {
  const used = drafts.filter((draft) => draft.isUsed);
  let best: Step | null = null;
  for (const draft of used.length < MAX_SECTIONS ? drafts : used) {
    const step = draft.bestStep(room);
    if (step && step.ratio > (best?.ratio ?? 0)) best = step;
  }
  return best;
}

/**
 * Takes the best steps for a part, or for all parts together (null), until nothing fits or is worth its tokens. A
 * part has at least one step that fits.
 * @returns the characters it spent, at most `room`
 */
function spend(drafts: readonly SectionDraft[], part: number | null, room: number): number {
  for (const draft of drafts) draft.aim(part);
  let used = 0;
  for (;;) {
    const step = bestStep(drafts, room - used);
    const isNeeded = used === 0 && part !== null;
    if (!step || (step.ratio < LEAST_RATIO && !isNeeded)) return used;
    step.draft.take(step.fresh);
    used += step.cost;
  }
}

/** Chooses quotes for a number of tokens. @param among  the only sections to choose from; absent for all */
export type BudgetChooser = (tokens: number, among?: ReadonlySet<string>) => DraftQuote[];

/**
 * Spends a budget on the units that add most to the answer for their length. Units that need each other are taken
 * together. Each part of a question has its share of the budget first; what remains is spent on all of them.
 * @param parts  their sections best first
 * @returns chooses for a number of tokens, for the quotes and the lines that name their sections, if the question has one
 * part. Best first: by confidence and gain, then by section and position; whole units, without overlaps. If no unit
 * fits, the start of one.
 */
export function budgetChooser(parts: readonly BudgetPart[]): BudgetChooser {
  const weighed = weighGains(parts);
  const likely = parts.filter(({ confidence }) => answerableFrom(confidence) === 'likely').length;
  const partShare = 1 + FURTHER_PART * Math.max(0, likely - 1);
  return (tokens, among) => {
    const left = weighed.filter(({ section }) => among?.has(section.id) ?? true);
    const drafts = left.map((section) => new SectionDraft(section));
    const total = tokens * CHARS_PER_TOKEN * partShare;
    const first = FIRST_SHARE * total;
    let used = 0;
    for (const part of parts.keys()) used += spend(drafts, part, first / parts.length);
    used += spend(drafts, null, first - used);
    for (const draft of drafts) used += draft.complete(total - used);
    for (const draft of drafts) used += draft.fill(total - used);
    const quotes = drafts.flatMap((draft) => draft.quotes());
    if (quotes.length === 0) return drafts.slice(0, 1).flatMap((draft) => draft.clipped(tokens));
    return quotes.toSorted((a, b) => b.confidence - a.confidence || b.gain - a.gain);
  };
}

/** Over this many characters, the chance that the answer stands there falls to 1/e. 150 to 600 are equally good. */
const NEAR_CHARS = 150;

/**
 * Computes for each unit the chance to contain the answer, given that the answer stands near a match in this section.
 * Long units have more of it, since the answer is as likely at each character.
 * @param matches  how well each unit matches, at least 0
 * @returns chances with the sum 1, or only zeros if nothing matches
 */
export function chanceNearby(units: readonly Span[], matches: readonly number[]): number[] {
  const near = [...matches];
  const spread = (order: Iterable<number>): void => {
    let carried = 0;
    let last: number | null = null;
    for (const at of order) {
      if (last !== null) {
        const distance = Math.abs(middle(units[at]) - middle(units[last]));
        carried = (carried + (matches[last] ?? 0)) * Math.exp(-distance / NEAR_CHARS);
        near[at] = (near[at] ?? 0) + carried;
      }
      last = at;
    }
  };
  spread(units.keys());
  spread([...units.keys()].reverse());
  const chances = units.map(({ start, end }, at) => (near[at] ?? 0) * (end - start));
  const total = chances.reduce((sum, chance) => sum + chance, 0);
  return total === 0 ? chances : chances.map((chance) => chance / total);
}

function middle(unit: Span | undefined): number {
  return unit ? (unit.start + unit.end) / 2 : 0;
}
