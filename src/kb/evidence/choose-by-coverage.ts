import { fitsTokens } from '../../text/fit-tokens.js';
import type { Span } from '../../text/span.js';
import type { UnitRange } from '../../text/units.js';
import { questionShape } from './answer-cues.js';
import { clipSpan, MAX_QUOTE_CHARS } from './cut-quote.js';
import {
  COVERAGE_WEIGHTS,
  type CoverageWeights,
  type ScoredUnit,
  scoreUnits,
  SPAN_RERANK_WEIGHT,
  spanKey,
} from './score-units.js';
import { rangeAround, rangeSpan } from './sections/quote-windows.js';
import { matchesQuestion, type ReadSection, type TermWeights } from './sections/read-section.js';

/** One part of a question, and the sections found for it. */
export interface CoveragePart {
  readonly question: string;
  readonly weights: TermWeights;
  /** Best first. */
  readonly sections: readonly ReadSection[];
  /** Reranker scores of the best units, 0 to 1, by `spanKey`; absent without a reranker. */
  readonly spanScores?: ReadonlyMap<string, number>;
}

export interface CoverageLimits {
  readonly maxQuotes: number;
  readonly maxQuoteTokens: number;
  /** True if a quote grows by the units around it, up to the limit. */
  readonly isGrowing: boolean;
}

/** A stretch of whole units that was chosen as evidence. */
interface CoverageQuote extends Span {
  readonly sectionId: string;
  /** Position of the part that chose it. */
  readonly part: number;
  /** Its score divided by the score of its part's first choice, 0 to 1. */
  readonly share: number;
}

/** Number of quotes that need no minimum score; later ones need LEAST_SHARE. The first ones answer most questions. */
const SURE_QUOTES = 4;
/** Later quotes need this share of the best score. This saves a tenth of the tokens; no measured answer was lost. */
const LEAST_SHARE = 0.6;

interface Scored {
  readonly entry: ScoredUnit;
  readonly score: number;
}

/** True if a unit has a higher score or, on a tie, is shorter. On a full tie, the earlier unit (`best`) stays. */
function isBetter({ entry, score }: Scored, best: Scored | null): boolean {
  if (!best) return true;
  if (Math.abs(score - best.score) > 1e-9) return score > best.score;
  const length = ({ unit }: ScoredUnit) => unit.end - unit.start;
  return length(entry) < length(best.entry);
}

/**
 * True if a quote still reads well with a neighbour. Anything may be added before a quote: forbidding code before a
 * sentence cost two answers in a hundred. Code may follow a sentence only after a colon. A sentence may not follow a
 * quote that starts with code.
 */
function readsWell({ text, units }: ReadSection, { from, to }: UnitRange, added: number): boolean {
  const isCode = (at: number): boolean => units[at]?.kind === 'code';
  if (added < from) return true;
  if (isCode(added) && !isCode(to)) return text.slice(0, units[to]?.end).endsWith(':');
  return isCode(added) || !isCode(from);
}

type Choice = Omit<CoverageQuote, 'part'>;

/** Chooses quotes for one part of a question. All parts share `taken`, so no unit is quoted twice. */
class Chooser {
  private readonly entriesOf = new Map<string, readonly ScoredUnit[]>();
  private readonly timesCovered = new Map<string, number>();
  private best: number | null = null;

  constructor(
    private readonly part: CoveragePart,
    private readonly taken: Map<string, UnitRange[]>,
    private readonly limits: CoverageLimits,
    private readonly weights: CoverageWeights,
  ) {
    const shape = questionShape(part.question);
    for (const section of part.sections.filter(matchesQuestion)) {
      this.entriesOf.set(
        section.id,
        scoreUnits(section, shape, weights).map((entry) => this.withReranker(entry)),
      );
    }
  }

  private withReranker(entry: ScoredUnit): ScoredUnit {
    const score = this.part.spanScores?.get(spanKey(entry.section.id, entry.at));
    return score === undefined ? entry : { ...entry, score: entry.score + SPAN_RERANK_WEIGHT * score };
  }

  /** The next best quote; null if no remaining unit reaches this share of the first choice's score. */
  next(leastShare: number): Choice | null {
    let best: Scored | null = null;
    for (const entry of [...this.entriesOf.values()].flat()) {
      if (this.isTaken(entry.section, entry.at)) continue;
      const scored = { entry, score: entry.score + this.penalty(entry) };
      if (isBetter(scored, best)) best = scored;
    }
    if (!best) return null;
    this.best ??= best.score;
    const share = this.best > 0 ? Math.max(0, Math.min(1, best.score / this.best)) : 0;
    return share < leastShare ? null : this.take(best.entry, share);
  }

  private isTaken({ id, units }: ReadSection, at: number): boolean {
    return (
      units[at]?.isSeen === true || (this.taken.get(id) ?? []).some(({ from, to }) => at >= from && at <= to)
    );
  }

  private hasTaken(section: ReadSection, { from, to }: UnitRange): boolean {
    return section.units.some((_, i) => i >= from && i <= to && this.isTaken(section, i));
  }

  private penalty({ section, unit }: ScoredUnit): number {
    let known = 0;
    for (const term of unit.counts.keys()) {
      const times = this.timesCovered.get(term) ?? 0;
      if (times > 0) known += (this.part.weights.weightOf.get(term) ?? 0) * (1 - 0.5 ** times);
    }
    const { redundancy, sameSection } = this.weights;
    const quotes = this.taken.get(section.id)?.length ?? 0;
    return (redundancy * known) / (this.part.weights.total || 1) + sameSection * quotes;
  }

  private take({ section, unit, at }: ScoredUnit, share: number): Choice {
    const stretch = this.grow(section, at);
    this.taken.set(section.id, [...(this.taken.get(section.id) ?? []), stretch]);
    for (const term of unit.counts.keys())
      this.timesCovered.set(term, (this.timesCovered.get(term) ?? 0) + 1);
    const span = rangeSpan(section, stretch);
    return {
      ...(this.fits(section, stretch) ? span : clipSpan(section.text, span, this.limits.maxQuoteTokens)),
      sectionId: section.id,
      share,
    };
  }

  private fits(section: ReadSection, stretch: UnitRange): boolean {
    const { start, end } = rangeSpan(section, stretch);
    return (
      end - start <= MAX_QUOTE_CHARS && fitsTokens(section.text.slice(start, end), this.limits.maxQuoteTokens)
    );
  }

  /** Adds neighbours that fit and read well: the better one first; on a tie, the following one first. */
  private grow(section: ReadSection, at: number): UnitRange {
    const recordAround = (one: number): UnitRange => rangeAround(section.units, one, 'isInRecord');
    const record = recordAround(at);
    const isWhole = this.fits(section, record) && !this.hasTaken(section, record);
    let stretch = this.withHeader(section, isWhole ? record : { from: at, to: at });
    while (this.limits.isGrowing) {
      const { from, to } = stretch;
      const [first, second] = [
        { larger: { from, to: recordAround(to + 1).to }, added: to + 1 },
        { larger: { from: recordAround(from - 1).from, to }, added: from - 1 },
      ].filter(
        ({ larger, added }) =>
          section.units[added] &&
          !this.hasTaken(section, larger) &&
          readsWell(section, { from, to }, added) &&
          this.fits(section, larger),
      );
      if (!first) return stretch;
      const worth = (at: number): number => this.entriesOf.get(section.id)?.[at]?.score ?? 0;
      stretch = second && worth(second.added) > worth(first.added) ? second.larger : first.larger;
    }
    return stretch;
  }

  /** Adds the table rows above a row, up to the header. */
  private withHeader(section: ReadSection, stretch: UnitRange): UnitRange {
    if (section.units[stretch.from]?.kind !== 'row') return stretch;
    let { from } = stretch;
    while (from > 0 && section.units[from]?.kind === 'row' && !section.units[from]?.isHeader) from--;
    const larger = { from, to: stretch.to };
    return !this.hasTaken(section, larger) && this.fits(section, larger) ? larger : stretch;
  }
}

/**
 * Chooses quotes that cover a question. Each step takes the unit that covers most of the question and repeats least of
 * the earlier quotes (the idea of AIR, Yadav et al., 2020), and adds its neighbours. The parts choose in turn.
 * @returns in the order of choice, without overlaps; whole units, except that a unit over the limits is clipped
 */
export function chooseByCoverage(
  parts: readonly CoveragePart[],
  limits: CoverageLimits,
  weights: CoverageWeights = COVERAGE_WEIGHTS,
): CoverageQuote[] {
  const taken = new Map<string, UnitRange[]>();
  const choosers = parts.map((part) => new Chooser(part, taken, limits, weights));
  const quotes: CoverageQuote[] = [];
  let isOver = false;
  while (!isOver && quotes.length < limits.maxQuotes) {
    isOver = true;
    for (const [part, chooser] of choosers.entries()) {
      if (quotes.length >= limits.maxQuotes) break;
      // Quotes that do not grow are short, so one with a low score costs few tokens.
      const leastShare = limits.isGrowing && quotes.length >= SURE_QUOTES ? LEAST_SHARE : 0;
      const choice = chooser.next(leastShare);
      if (!choice) continue;
      quotes.push({ ...choice, part });
      isOver = false;
    }
  }
  return quotes;
}
