import type { EvidenceConfig } from '../../config/settings/evidence.config.js';
import type { Reranker } from '../../core/ports/reranker.port.js';
import type { Ranking } from '../../core/ranking.js';
import type { Span } from '../../text/span.js';
import { pagePath } from '../group-quotes.js';
import type { RankedText } from '../search/rank-overlap.js';
import { asksForChanges, isChangelog, questionShape } from './answer-cues.js';
import { confidenceOf } from './answerable.js';
import { chooseByBudget } from './choose-by-budget.js';
import { chooseByCoverage, type CoveragePart } from './choose-by-coverage.js';
import { chooseByOverlap, type ChosenQuote, type QuoteOptions } from './choose-by-overlap.js';
import { COVERAGE_WEIGHTS, scoreUnits, spanKey } from './score-units.js';
import { type FoundSection, type ReadSection, readSection, weighQuestion } from './sections/read-section.js';
import { UnitMemo } from './sections/unit-memo.js';

/** Number of top sentences to rerank per part: enough for six quotes and their competitors. */
const RERANKED_SPANS = 24;
/** Share that remains of the score of a list of changes. */
const CHANGELOG_SHARE = 0.5;

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

const toPlaces = (value: number): number => Math.round(value * 10_000) / 10_000;

function rankedText({ id, text, units }: ReadSection): RankedText {
  return { id, text, seen: units.filter(({ isSeen }) => isSeen) };
}

/** Lists of changes repeat the words of every guide, so that they count less unless a question may ask for them. */
function behindGuides<Part extends CoveragePart>(part: Part): Part {
  if (asksForChanges(part.question)) return part;
  const sections = part.sections.map((section) =>
    isChangelog(pagePath(section.id)) ? { ...section, share: CHANGELOG_SHARE * section.share } : section,
  );
  return { ...part, sections };
}

/** Chooses quotes, best first; no two share a character. @param method  `coverage`, or `none` for literal overlap */
export function chooseEvidence(
  parts: readonly ReadRanking[],
  options: QuoteOptions | EvidenceBudget,
  method: EvidenceConfig['spanReranker'],
): ChosenQuote[] {
  const isWithinBudget = 'budgetTokens' in options;
  const ranked = parts.map((part) => ({
    ...part,
    sections: (isWithinBudget ? behindGuides(part) : part).sections.toSorted((a, b) => b.share - a.share),
  }));
  const texts = new Map(parts.flatMap(({ sections }) => sections.map(({ id, text }) => [id, text])));
  const textOf = (id: string, { start, end }: Span): string => (texts.get(id) ?? '').slice(start, end);
  if ('budgetTokens' in options) {
    return chooseByBudget(ranked, options.budgetTokens).map(({ sectionId, confidence, start, end }) => ({
      textId: sectionId,
      quote: textOf(sectionId, { start, end }),
      start,
      end,
      confidence: toPlaces(confidence),
    }));
  }
  if (method === 'none') {
    return chooseByOverlap(
      parts.map(({ ranking, sections }) => ({
        question: ranking.part.text,
        texts: sections.map(rankedText),
      })),
      options,
    );
  }
  const limits = { ...options, isGrowing: options.contextTokens > 0 };
  return chooseByCoverage(ranked, limits).map(({ part, sectionId, start, end, share }) => ({
    textId: sectionId,
    quote: textOf(sectionId, { start, end }),
    start,
    end,
    confidence: toPlaces((parts[part]?.confidence ?? 0) * share),
  }));
}
