import type { Call } from '../core/call.js';
import type { EvalRow } from './eval-row.js';
import { callIn, type EvalServices, type RunOptions } from './eval-services.js';
import { mean } from './measures/measures.js';
import type { EvidenceQuestion, EvidenceSet } from './sets/evidence-set.js';
import { matchesGold } from './sets/match-quote.js';
import { asCandidate, type PlainDocument } from './sets/plain-document.js';

/** A quote is one sentence: no context around it, and a cap that few sentences reach. */
const ONE_SENTENCE = { max_quote_tokens: 200, include_context_tokens: 0, diagnostic_debug: false };

/** The measurements for one question. @param quotes  the returned quotes, best first */
export function evidenceRow(question: EvidenceQuestion, quotes: readonly string[], ms: number): EvalRow {
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

interface Keeping {
  readonly call: Call;
  readonly generation: string;
  readonly positions: ReadonlyMap<string, number>;
}

/** Stores passages as a search would. @returns their ids */
async function keepAll(
  { passages }: EvalServices,
  documents: readonly PlainDocument[],
  { call, generation, positions }: Keeping,
): Promise<string[]> {
  const ids: string[] = [];
  for (const document of documents) {
    const candidate = asCandidate(document, positions.get(document.id) ?? positions.size);
    const window = { start: 0, end: document.text.length };
    ids.push((await passages.keep(call, candidate, { generation, window })).id);
  }
  return ids;
}

/** Extracts evidence for every question from its own passages; the collection was staged with `asIndexed`. */
export async function evaluateEvidence(
  services: EvalServices,
  { questions, documents, maxQuotes }: EvidenceSet,
  { clock, onProgress }: RunOptions,
): Promise<EvalRow[]> {
  const positions = new Map(documents.map(({ id }, position) => [id, position]));
  const { generation } = await services.index.stamp();
  const rows: EvalRow[] = [];
  for (const [done, question] of questions.entries()) {
    onProgress(done, questions.length);
    const call = callIn(await services.scope());
    const passageIds = await keepAll(services, question.passages, { call, generation, positions });
    const start = clock();
    const input = {
      question: question.question,
      passage_ids: passageIds,
      max_quotes: maxQuotes,
      ...ONE_SENTENCE,
    };
    const { output } = await services.evidence.extract(call, input);
    const quotes = output.quotes.map(({ quote }) => quote);
    rows.push(evidenceRow(question, quotes, clock() - start));
  }
  onProgress(questions.length, questions.length);
  return rows;
}
