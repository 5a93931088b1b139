import { answerableFrom } from './answerable.js';
import { type DraftQuote, LEAST_RATIO, SectionDraft, type Step } from './section-draft.js';
import { type BudgetPart, weighGains } from './weigh-gains.js';

/** Characters per token. The count is rough, because the budget is one of reading, not of bytes. */
const CHARS_PER_TOKEN = 4;
/** Share of the budget that is spent on the best steps; the rest fills small gaps, so that quotes read well. */
const FIRST_SHARE = 0.93;
/** Each further part of a question that is `likely` to be answered adds this share to the budget. */
const FURTHER_PART = 0.5;

function bestStep(drafts: readonly SectionDraft[], room: number): Step | null {
  let best: Step | null = null;
  for (const draft of drafts) {
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
