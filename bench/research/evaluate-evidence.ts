import type { EvalRow, FigureSpec } from '../../src/cli/eval/eval-row.js';
import { callIn, type EvalServices, measureEach, type RunOptions } from '../../src/cli/eval/eval-services.js';
import { LATENCY, share, tokens } from '../../src/cli/eval/evaluate-golden.js';
import { mean } from '../../src/cli/eval/measures/measures.js';
import { matchesGold } from '../../src/cli/eval/sets/match-quote.js';
import type { EvidenceQuestion, EvidenceSet } from './evidence-set.js';
import { asCandidate } from './plain-document.js';

export function evidenceFigures(maxQuotes: number): FigureSpec[] {
  return [
    share('recall', `sentence recall@${maxQuotes}`),
    share('any', `any gold sentence@${maxQuotes}`),
    share('complete', `whole rationale@${maxQuotes}`),
    tokens('quoteTokens', 'quotes, characters / 4'),
    ...LATENCY,
  ];
}

/** Limits for quotes of one sentence: no context, and a token limit that few sentences reach. */
const ONE_SENTENCE = { max_quote_tokens: 200, include_context_tokens: 0, diagnostic_debug: false };

/** The measures of one question. */
export function evidenceRow(
  question: Omit<EvidenceQuestion, 'passages'>,
  quotes: readonly string[],
  ms: number,
): EvalRow {
  const { id, type, gold, rationales } = question;
  const isFound = (sentence: string): boolean => quotes.some((quote) => matchesGold(quote, sentence));
  const values = {
    recall: mean(gold.map((sentence) => Number(isFound(sentence)))),
    any: Number(gold.some(isFound)),
    complete: Number(rationales.some((rationale) => rationale.every(isFound))),
    quoteTokens: quotes.join('').length / 4,
    ms,
  };
  return { id, question: question.question, type, multihop: false, answerable: true, values };
}

/** Extracts evidence for every question from its own passages; the collection was indexed with `asIndexed`. */
export async function evaluateEvidence(
  services: EvalServices,
  { questions, documents, maxQuotes }: EvidenceSet,
  { clock, onProgress }: RunOptions,
): Promise<EvalRow[]> {
  const positions = new Map(documents.map(({ id }, position) => [id, position]));
  const { generation } = await services.index.stamp();
  return measureEach(questions, onProgress, async ({ passages, ...question }) => {
    const call = callIn(await services.scope());
    const seen = passages.map((document) => ({
      candidate: asCandidate(document, positions.get(document.id) ?? positions.size),
      generation,
      window: { start: 0, end: document.text.length },
    }));
    const passageIds = (await services.passages.keepAll(call, seen)).map(({ id }) => id);
    const start = clock();
    const asked = { question: question.question, passage_ids: passageIds, max_quotes: maxQuotes };
    const { output } = await services.evidence.extract(call, { ...asked, ...ONE_SENTENCE });
    const quotes = output.quotes.map(({ quote }) => quote);
    return evidenceRow(question, quotes, clock() - start);
  });
}
