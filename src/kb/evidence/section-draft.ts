import { withoutPadding } from '../../text/quotable/readable-text.js';
import type { Span } from '../../text/span.js';
import type { UnitRange } from '../../text/units.js';
import type { WeighedSection } from './choose-by-budget.js';
import { clipSpan } from './cut-quote.js';
import { MAX_GAP_CHARS, quoteWindows, rangeAround } from './sections/quote-windows.js';

/** Cost of a section's line in the text: its passage id and the marks around it. Its section id is added. */
const SECTION_LINE_CHARS = 28;
/** Cost of the mark between two windows of a section. */
const GAP_MARK_CHARS = 8;
/**
 * Added to the cost of a step in its ratio only, so that a unit is not chosen just because it is short, and so that
 * windows are few and long. 0 to 300 characters are equally good for the answers.
 */
const BIAS_CHARS = { step: 30, window: 150 } as const;
/** A step with less expected gain per character is not worth its tokens; see docs/quality.md. */
export const LEAST_RATIO = 1.5e-5;
/** A gap of up to this length between two windows is quoted too, so that they read as one. */
const MAX_FILLED_CHARS = 200;
/** A section of up to this length is quoted whole. */
const SHORT_SECTION_CHARS = 300;

/** Units to quote next. */
export interface Step {
  readonly draft: SectionDraft;
  /** Their positions, in rising order. */
  readonly fresh: readonly number[];
  /** Characters that they add to the text. */
  readonly cost: number;
  /** Expected gain per character. */
  readonly ratio: number;
}

/** A window with the confidence and the gain of its best unit. */
export interface DraftQuote extends Span {
  readonly sectionId: string;
  /** Position of the part of the question that it adds most to. */
  readonly part: number;
  readonly confidence: number;
  readonly gain: number;
  /** For each part of the question, the chance that its answer is here. */
  readonly chances: readonly number[];
}

/** The units of one section while quotes are chosen. */
export class SectionDraft {
  private readonly taken: boolean[];
  private hasTaken = false;
  private gains: readonly number[] = [];
  /** The best step, kept until the section changes; undefined if it has to be found again. */
  private known: Step | null | undefined;

  constructor(private readonly weighed: WeighedSection) {
    this.taken = weighed.section.units.map(() => false);
  }

  /** Sets the part of the question to choose for; null for all parts together. */
  aim(part: number | null): void {
    const { gains, section } = this.weighed;
    const all = (at: number): number => gains.reduce((sum, ofPart) => sum + (ofPart[at] ?? 0), 0);
    this.gains = part === null ? section.units.map((_, at) => all(at)) : (gains[part] ?? []);
    this.known = undefined;
  }

  /** The step with the best ratio among those that cost at most `room` characters; null if none fits. */
  bestStep(room: number): Step | null {
    if (this.known === undefined || (this.known && this.known.cost > room)) this.known = this.findStep(room);
    return this.known;
  }

  /** True if units of it are taken. */
  get isUsed(): boolean {
    return this.hasTaken;
  }

  take(fresh: readonly number[]): void {
    for (const at of fresh) this.taken[at] = true;
    this.hasTaken = true;
    this.known = undefined;
  }

  private findStep(room: number): Step | null {
    let best: Step | null = null;
    // Steps around units with a lower gain are never worth it, and most units have one.
    const least = Math.min(LEAST_RATIO * BIAS_CHARS.step, Math.max(...this.gains));
    for (const [at, gain] of this.gains.entries()) {
      if (this.taken[at] || gain < least) continue;
      const step = this.stepFor(at);
      if (step.cost <= room && step.ratio > (best?.ratio ?? 0)) best = step;
    }
    return best;
  }

  private stepFor(at: number): Step {
    const { needs = [] } = this.weighed.section.units[at] ?? {};
    const fresh = needs.filter((one) => !this.taken[one] && !this.isSeenCode(one));
    let cost = this.hasTaken ? 0 : this.weighed.section.id.length + SECTION_LINE_CHARS;
    let bias: number = BIAS_CHARS.step;
    let gain = 0;
    for (const [i, one] of fresh.entries()) {
      gain += this.gains[one] ?? 0;
      cost += this.charsOf(one);
      if (fresh[i - 1] === one - 1 || this.taken[one - 1] || this.taken[one + 1]) continue;
      cost += GAP_MARK_CHARS;
      bias += BIAS_CHARS.window;
    }
    return { draft: this, fresh, cost, ratio: gain / (cost + bias) };
  }

  private isSeen(at: number): boolean {
    return this.weighed.section.units[at]?.isSeen ?? false;
  }

  /** Lines of code are not shown twice. Headers of tables and lead-ins are, if what follows needs them. */
  private isSeenCode(at: number): boolean {
    return this.weighed.section.units[at]?.kind === 'code' && this.isSeen(at);
  }

  /** The length of a unit as it is shown, with the text before it, which is quoted too if the unit above is. */
  private charsOf(at: number): number {
    const { text, units } = this.weighed.section;
    const unit = units[at];
    if (!unit) return 0;
    const gap = Math.min(unit.start - (units[at - 1]?.end ?? 0), MAX_GAP_CHARS);
    if (unit.kind !== 'row') return gap + unit.end - unit.start;
    const row = text.slice(unit.start, unit.end + (unit.isHeader ? unit.tail : 0));
    return gap + withoutPadding(row).length;
  }

  private charsBetween(from: number, to: number): number {
    const { units } = this.weighed.section;
    return (units[to]?.end ?? 0) - (units[from]?.start ?? 0);
  }

  /**
   * Quotes what the sentences that end with a colon announce, as far as it fits, a row below the header of a table, and the
   * rest of a block of code if it fits. A sentence or a header without any of it is left out.
   * @returns the characters it added, at most `room`
   */
  complete(room: number): number {
    let used = 0;
    for (const [at, isTaken] of [...this.taken].entries())
      if (isTaken) used += this.completeList(at, room - used);
    for (const at of this.taken.keys()) if (this.taken[at] && this.isBare(at)) this.taken[at] = false;
    for (const at of this.taken.keys()) if (this.taken[at]) used += this.completeTable(at, room - used);
    for (const at of this.taken.keys()) if (this.taken[at]) used += this.completeBlock(at, room - used);
    return used;
  }

  /** Takes the rest of the block of a line of code if it fits and none of it was shown. @returns its cost */
  private completeBlock(line: number, room: number): number {
    const { units } = this.weighed.section;
    if (units[line]?.kind !== 'code') return 0;
    const { from, to } = rangeAround(units, line, 'isInBlock');
    for (let at = from; at <= to; at++) if (this.isSeen(at)) return 0;
    return this.takeAll(from, to, room);
  }

  /** Takes the first row below a header that has none, or else leaves the header out. @returns the cost of the row */
  private completeTable(header: number, room: number): number {
    const { units } = this.weighed.section;
    if (!units[header]?.isHeader || units[header].tail === 0) return 0;
    let end = header + 1;
    while (units[end]?.kind === 'row' && !units[end]?.isHeader) end++;
    const rows = this.taken.slice(header + 1, end);
    if (rows.includes(true)) return 0;
    const first = rows.findIndex((_, i) => !this.isSeen(header + 1 + i));
    const { from, to } = rangeAround(units, header + 1 + first, 'isInRecord');
    const cost = first < 0 ? 0 : this.takeAll(from, to, room);
    this.taken[header] = cost > 0;
    return cost;
  }

  /**
   * Quotes small gaps between windows too, and a short section whole, so that quotes read well.
   * @returns the characters it added, at most `room`
   */
  fill(room: number): number {
    if (!this.hasTaken) return 0;
    const last = this.taken.length - 1;
    const isShort = this.charsBetween(0, last) <= SHORT_SECTION_CHARS;
    let used = 0;
    for (let from = 0; from <= last; from++) {
      if (this.taken[from] || this.isSeen(from)) continue;
      let to = from;
      while (to < last && !this.taken[to + 1] && !this.isSeen(to + 1)) to++;
      const isBetween = from > 0 && to < last && this.charsBetween(from, to) <= MAX_FILLED_CHARS;
      if (isShort || isBetween) used += this.takeAll(from, to, room - used);
      from = to;
    }
    return used;
  }

  /** Takes the units of a range if they cost at most `room`. @returns their cost; 0 if they do not fit */
  private takeAll(from: number, to: number, room: number): number {
    let cost = 0;
    for (let at = from; at <= to; at++) if (!this.taken[at]) cost += this.charsOf(at);
    if (cost > room) return 0;
    this.taken.fill(true, from, to + 1);
    return cost;
  }

  /** Takes as many parts as fit of what a unit announces. @returns their cost */
  private completeList(leadIn: number, room: number): number {
    for (const end of (this.weighed.section.units[leadIn]?.ends ?? []).toReversed()) {
      const cost = this.takeAll(leadIn + 1, end, room);
      if (cost > 0) return cost;
    }
    return 0;
  }

  /** True if a unit announces something that is not quoted, or that is in another section. */
  private isBare(at: number): boolean {
    const { announcesTo = null } = this.weighed.section.units[at] ?? {};
    return announcesTo !== null && !this.taken.slice(at + 1, announcesTo + 1).includes(true);
  }

  /** The start of the unit with the highest gain, for a section of units that are all over the budget. */
  clipped(tokens: number): DraftQuote[] {
    const { section } = this.weighed;
    const at = this.gains.indexOf(Math.max(...this.gains));
    const unit = section.units[at];
    if (!unit) return [];
    const span = clipSpan(section.text, unit, tokens);
    return [this.quoteOf(span, { from: at, to: at })];
  }

  /** The chosen windows, in the order of the text. */
  quotes(): DraftQuote[] {
    const windows = quoteWindows(this.weighed.section, this.taken);
    return windows.map(({ from, to, ...span }) => this.quoteOf(span, { from, to }));
  }

  private quoteOf(span: Span, { from, to }: UnitRange): DraftQuote {
    const { section, confidences, gains } = this.weighed;
    const best = (values: readonly number[]): number => Math.max(...values.slice(from, to + 1));
    const total = (values: readonly number[]): number =>
      values.slice(from, to + 1).reduce((sum, value) => sum + value, 0);
    const ofParts = gains.map(best);
    return {
      ...span,
      sectionId: section.id,
      part: ofParts.indexOf(Math.max(...ofParts)),
      confidence: best(confidences),
      gain: best(this.gains),
      chances: gains.map(total),
    };
  }
}
