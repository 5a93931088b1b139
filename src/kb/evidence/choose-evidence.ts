import { EvidenceConfig } from '../../config/settings/evidence.config.js';
import type { Reranker } from '../../core/ports/reranker.port.js';
import type { Ranking } from '../../core/ranking.js';
import { type Fit, keptOf } from '../../core/reply.js';
import type { Span } from '../../text/span.js';
import type { ExtractInput, RetrieveInput } from '../evidence.schemas.js';
import { type RankLimits, rankLimits } from '../search/rank-matches.js';
import type { RankedText } from '../search/rank-overlap.js';
import { questionShape } from './answer-cues.js';
import { confidenceOf } from './answerable.js';
import { type BudgetChooser, budgetChooser } from './choose-by-budget.js';
import { chooseByCoverage, type CoveragePart } from './choose-by-coverage.js';
import { chooseByOverlap, type ChosenQuote, type QuoteOptions } from './choose-by-overlap.js';
import { COVERAGE_WEIGHTS, scoreUnits, spanKey } from './score-units.js';
import type { DraftQuote } from './section-draft.js';
import {
  type FoundSection,
  type ReadSection,
  readSection,
  UnitMemo,
  weighQuestion,
} from './sections/read-section.js';

/** Sections to rank for a call that leaves out what was shown, so that others remain. */
export const WITH_SEEN: RankLimits = { sections: 40, perDocument: 40 };

/** The limits of the call; the budget if it sets none. Quotes by overlap always have limits. */
export function quoteOptions(
  { max_quotes, max_quote_tokens, include_context_tokens }: ExtractInput | RetrieveInput,
  { spanReranker, tokens }: EvidenceConfig,
): QuoteOptions | EvidenceBudget {
  const isFree = max_quotes === undefined && max_quote_tokens === undefined;
  if (isFree && spanReranker !== 'none') return { budgetTokens: tokens };
  return {
    maxQuotes: max_quotes ?? 6,
    maxQuoteTokens: max_quote_tokens ?? 80,
    contextTokens: include_context_tokens ?? 20,
  };
}

/** A budget chooses among more sections than it quotes. */
const BUDGET_POOL = { sections: 12, perDocument: 4 };
const LIMITED_POOL = { sections: 8, perDocument: 3 };

/** Limits of the candidate pool. A limit per document that the call or the operator sets is kept. */
export function poolLimits(
  { pool }: EvidenceConfig,
  quoting: QuoteOptions | EvidenceBudget,
  asked: number | null,
): RankLimits {
  const byDefault = 'budgetTokens' in quoting ? BUDGET_POOL : LIMITED_POOL;
  if (pool === '') return rankLimits(byDefault.sections, asked, byDefault.perDocument);
  const [sections = 0, perDocument = 0] = pool.split('x').map(Number);
  return rankLimits(sections, asked ?? perDocument, perDocument);
}

/** Number of top sentences to rerank per part: enough for six quotes and their competitors. */
const RERANKED_SPANS = 24;

/** A part of a question with its sections, read. */
export interface ReadRanking extends CoveragePart {
  readonly ranking: Ranking;
  /** Confidence that the sections contain an answer, 0 to 1. */
  readonly confidence: number;
  /** True if sections or units are left out because the caller was shown them. */
  readonly hasSeen?: boolean;
}

/** Reads texts for a part of a question. @param memo  keeps what texts have in common */
export function readTexts(
  ranking: Ranking,
  texts: readonly FoundSection[],
  memo = new UnitMemo(),
): ReadRanking {
  const { terms, documentFrequency, sectionCount } = ranking;
  const weights = weighQuestion(terms, documentFrequency, sectionCount);
  const sections = texts.map((text) => readSection(text, weights, memo));
  const confidence = confidenceOf(
    ranking,
    sections.toSorted((a, b) => b.share - a.share),
  );
  return { ranking, question: ranking.part.question, weights, sections, confidence };
}

/** Reads the sections found for a part of a question. */
export function readRanking(ranking: Ranking, memo = new UnitMemo()): ReadRanking {
  const best = ranking.candidates[0]?.score || 1;
  const texts = ranking.candidates.map(({ section, document, score, recalled = false }) => ({
    id: section.id,
    text: section.text,
    structure: section.structure,
    headingPath: section.headingPath,
    trail: document.trail,
    share: score / best,
    isRecalled: recalled,
  }));
  return readTexts(ranking, texts, memo);
}

/** Adds the reranker's scores of the best sentences, 0 to 1. @throws BackendUnavailableError, DeadlineExceededError */
export async function rerankSpans(reranker: Reranker, part: ReadRanking): Promise<ReadRanking> {
  const shape = questionShape(part.question);
  const scored = part.sections.flatMap((section) => scoreUnits(section, shape, COVERAGE_WEIGHTS));
  const units = scored.sort((a, b) => b.score - a.score).slice(0, RERANKED_SPANS);
  if (units.length === 0) return part;
  const texts = units.map(({ section, unit }) => section.text.slice(unit.start, unit.end));
  const scores = await reranker.score(part.question, texts);
  const spanScores = new Map(units.map(({ section, at }, i) => [spanKey(section.id, at), scores[i] ?? 0]));
  return { ...part, spanScores };
}

/** Tokens to spend on quotes of any number and length. */
export interface EvidenceBudget {
  readonly budgetTokens: number;
}

function rankedText({ id, text, units }: ReadSection): RankedText {
  return { id, text, seen: units.filter(({ isSeen }) => isSeen) };
}

/** Evidence that can be chosen again for a smaller reply. */
export interface EvidenceChoice {
  /** Best first; no two share a character. */
  readonly whole: readonly ChosenQuote[];
  /** For each part, the chance that its answer is in a quote if it is in one of its sections; empty if it is not estimated. */
  readonly quoted: readonly number[];
  /** Number of sizes to choose for; the largest has all quotes. */
  readonly count: number;
  /** True if every size is chosen anew, so that none of its quotes can be left out. */
  readonly needsFirst: boolean;
  readonly choose: (fit: Fit) => readonly ChosenQuote[];
}

/** Tokens by which a budget is made smaller for a reply that is too large. */
const STEP_TOKENS = 25;

function choiceWithin(parts: readonly ReadRanking[], budgetTokens: number): EvidenceChoice {
  const chooseWithin = budgetChooser(parts);
  const toQuotes = quoteReader(parts);
  const all = chooseWithin(budgetTokens);
  const whole = toQuotes(all);
  const quoted = parts.map((_, i) => all.reduce((sum, { chances }) => sum + (chances[i] ?? 0), 0));
  const count = whole.length === 0 ? 0 : Math.ceil(budgetTokens / STEP_TOKENS);
  const choose = ({ count: steps }: Fit): readonly ChosenQuote[] =>
    steps >= count ? whole : toQuotes(chooseBest(chooseWithin, all, steps * STEP_TOKENS));
  return { whole, quoted, count, needsFirst: true, choose };
}

/** Chooses from fewer sections until none is left out for one of less confidence. @param all  best first */
function chooseBest(chooseWithin: BudgetChooser, all: readonly DraftQuote[], tokens: number): DraftQuote[] {
  const confidences = new Map(all.toReversed().map(({ sectionId, confidence }) => [sectionId, confidence]));
  for (;;) {
    const found = chooseWithin(tokens, new Set(confidences.keys()));
    const kept = new Set(found.map(({ sectionId }) => sectionId));
    const lost = [...confidences].filter(([id]) => !kept.has(id)).map(([, confidence]) => confidence);
    const worse = [...kept].filter((id) => (confidences.get(id) ?? 0) < Math.max(0, ...lost));
    if (worse.length === 0) return found;
    for (const id of worse) confidences.delete(id);
  }
}

/** Quotes of an operator's or a caller's limits: a smaller reply has the first of them. */
const choiceOf = (whole: readonly ChosenQuote[]): EvidenceChoice => ({
  whole,
  quoted: [],
  count: whole.length,
  needsFirst: false,
  choose: (fit) => keptOf(whole, fit),
});

interface Found extends Span {
  readonly sectionId: string;
  readonly part: number;
  readonly confidence: number;
}

/** Reads the text of quotes from the sections of the parts. */
function quoteReader(parts: readonly ReadRanking[]): (found: readonly Found[]) => ChosenQuote[] {
  const texts = new Map(parts.flatMap(({ sections }) => sections.map(({ id, text }) => [id, text])));
  return (found) =>
    found.map(({ part, sectionId, start, end, confidence }) => ({
      textId: sectionId,
      quote: (texts.get(sectionId) ?? '').slice(start, end),
      part,
      start,
      end,
      confidence: Math.round(confidence * 10_000) / 10_000,
    }));
}

const bestFirst = (part: ReadRanking): ReadRanking => ({
  ...part,
  sections: part.sections.toSorted((a, b) => b.share - a.share),
});

/** Chooses quotes within a budget or within limits. @param method  `coverage`, or `none` for literal overlap */
export function chooseEvidence(
  parts: readonly ReadRanking[],
  options: QuoteOptions | EvidenceBudget,
  method: EvidenceConfig['spanReranker'],
): EvidenceChoice {
  if ('budgetTokens' in options) return choiceWithin(parts.map(bestFirst), options.budgetTokens);
  const ranked = parts.map(bestFirst);
  if (method === 'none') {
    const texts = ranked.map(({ ranking, sections }) => ({
      question: ranking.part.text,
      texts: sections.map(rankedText),
    }));
    return choiceOf(chooseByOverlap(texts, options));
  }
  const found = chooseByCoverage(ranked, { ...options, isGrowing: options.contextTokens > 0 });
  const confident = found.map((quote) => ({
    ...quote,
    confidence: (parts[quote.part]?.confidence ?? 0) * quote.share,
  }));
  return choiceOf(quoteReader(ranked)(confident));
}
