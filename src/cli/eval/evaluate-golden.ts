import type { Candidate } from '../../core/ports/section-index.port.js';
import { estimateTokens } from '../../text/estimate-tokens.js';
import type { EvalRow, FigureSpec, Statistic } from './eval-row.js';
import {
  type Ask,
  type Asked,
  type EvalServices,
  measureEach,
  rankQuestion,
  type RunOptions,
} from './eval-services.js';
import { ndcgAt, reciprocalRankAt } from './measures/measures.js';
import type { GoldenQuestion } from './sets/golden-set.js';
import {
  type GoldAnswer,
  holdsForEveryGroup,
  isDirectlyUnder,
  matchesGold,
  pageOf,
} from './sets/match-quote.js';

const HIT_RANKS = [1, 3, 5, 10] as const;

const mean = (of: string): Statistic => ({ kind: 'mean', of });
export const share = (key: string, label: string, statistic: Statistic = mean(key)): FigureSpec => ({
  key,
  label,
  unit: 'share',
  better: 'more',
  statistic,
});
const costIn =
  (unit: FigureSpec['unit']) =>
  (key: string, label: string, statistic: Statistic = mean(key)): FigureSpec => {
    return { key, label, unit, better: 'less', statistic };
  };
export const tokens = costIn('tokens');
const ms = costIn('ms');

export const LATENCY: readonly FigureSpec[] = [
  ms('p50Ms', 'latency p50', { kind: 'quantile', of: 'ms', q: 0.5 }),
  ms('p95Ms', 'latency p95', { kind: 'quantile', of: 'ms', q: 0.95 }),
];

export const GOLDEN_FIGURES: readonly FigureSpec[] = [
  share('answered', 'ANSWERED'),
  share('page', 'page quoted'),
  share('section', 'section quoted'),
  ...HIT_RANKS.map((k) => share(`pageHit${k}`, `page hit@${k}`)),
  ...HIT_RANKS.map((k) => share(`sectionHit${k}`, `section hit@${k}`)),
  share('ndcg10', 'page nDCG@10'),
  share('mrr10', 'page MRR@10'),
  share('abstainAuroc', 'abstention AUROC', { kind: 'auroc', of: 'abstain' }),
  share('confidenceAuroc', 'raw confidence AUROC', { kind: 'auroc', of: 'confidence' }),
  share('abstainPrecision', 'abstention precision', {
    kind: 'ratio',
    of: 'rightlyAbstained',
    per: 'abstained',
  }),
  share('abstainRecall', 'abstention recall', { kind: 'ratio', of: 'rightlyAbstained', per: 'unanswerable' }),
  tokens('contentTokens', 'content, characters / 4'),
  tokens('structuredTokens', 'structured, characters / 4'),
  tokens('contentEstimate', 'content, estimated'),
  tokens('structuredEstimate', 'structured, estimated'),
  tokens('tokensPerAnswered', 'content per answered question', {
    kind: 'ratio',
    of: 'contentTokens',
    per: 'answered',
  }),
  costIn('bytes')('bytes', 'bytes of a result'),
  costIn('count')('calls', 'calls per question'),
  costIn('share')('errors', 'failed calls', mean('failed')),
  ...LATENCY,
];

/** Long enough for ten pages, with the same number of sections per page as for evidence. */
const RANKED = { sections: 50, perDocument: 3 };

type Values = Record<string, number>;

interface Place {
  readonly page: string;
  readonly title: string;
}

const isAt = ({ page, title }: Place, { path, heading }: GoldAnswer): boolean =>
  page === path && isDirectlyUnder(title, heading);

function quoteValues(answers: readonly GoldAnswer[], { output }: Asked): Values {
  const quotes = output?.quotes ?? [];
  // Every source has a quote.
  const places = (output?.sources ?? []).map(({ section_id, title }) => ({
    page: pageOf(section_id),
    title,
  }));
  const every = (holds: (answer: GoldAnswer) => boolean): number =>
    Number(holdsForEveryGroup(answers, holds));
  return {
    answered: every((answer) => quotes.some(({ quote }) => matchesGold(quote, answer.quote))),
    page: every(({ path }) => places.some(({ page }) => page === path)),
    section: every((answer) => places.some((place) => isAt(place, answer))),
  };
}

/** Measures the order of the ranked list. Every gold page counts once, even if it answers several groups. */
function rankValues(answers: readonly GoldAnswer[], candidates: readonly Candidate[]): Values {
  const places = candidates.map(({ section, document }) => ({
    page: document.path,
    title: section.headingPath.join(' > '),
  }));
  const pages = [...new Set(places.map(({ page }) => page))];
  const gold = new Set(answers.map(({ path }) => path));
  const relevances = pages.map((page) => Number(gold.has(page)));
  const hits = HIT_RANKS.flatMap((k) => {
    const page = holdsForEveryGroup(answers, ({ path }) => pages.slice(0, k).includes(path));
    const section = holdsForEveryGroup(answers, (a) => places.slice(0, k).some((place) => isAt(place, a)));
    return [
      [`pageHit${k}`, Number(page)],
      [`sectionHit${k}`, Number(section)],
    ] as const;
  });
  const judged = [...gold].map(() => 1);
  const ndcg10 = ndcgAt(10, relevances, judged);
  return { ...Object.fromEntries(hits), ndcg10, mrr10: reciprocalRankAt(10, relevances) };
}

/** Passage and session ids are random; random text gives a different token estimate each time. */
const HANDLE = /(?<=:\/\/scratch\/)[\w-]{16}(?![\w-])|(?<![\w-])[\w-]{22}(?![\w-])/g;
const SAME_HANDLE = 'KuAlpAgmPrD7MevtNLXkrF';
const withoutChance = (text: string): string => text.replace(HANDLE, SAME_HANDLE);

/** Tokens as four characters each, like `score-evidence.mjs`, and by our own estimate. */
function costValues({ content, structured }: Asked): Values {
  return {
    contentTokens: content.length / 4,
    structuredTokens: structured.length / 4,
    contentEstimate: estimateTokens(withoutChance(content)),
    structuredEstimate: estimateTokens(withoutChance(structured)),
  };
}

const LEVELS = { likely: 2, unsure: 1, unlikely: 0 } as const;

/** Orders results as `score-evidence.mjs` does: first by `answerable`, then by the confidence of the best quote. */
function abstentionValues({ answerable }: GoldenQuestion, { output, confidence }: Asked): Values {
  const level = output ? LEVELS[output.answerable] : -1;
  const top = Math.max(0, ...(output?.quotes ?? []).map((quote) => quote.confidence));
  const abstained = output?.answerable === 'unlikely';
  return {
    abstain: level * 10 + top,
    ...(confidence === null ? {} : { confidence }),
    abstained: Number(abstained),
    unanswerable: Number(!answerable),
    rightlyAbstained: Number(abstained && !answerable),
  };
}

export function goldenRow(question: GoldenQuestion, asked: Asked, ranked: readonly Candidate[]): EvalRow {
  const { id, type, multihop, answerable, answers } = question;
  const { ms, bytes, calls, output } = asked;
  const ofAnswers = answerable
    ? { ...quoteValues(answers, asked), ...rankValues(answers, ranked), ...costValues(asked) }
    : {};
  const values = { ...ofAnswers, ...abstentionValues(question, asked), ms, bytes, calls };
  const failed = Number(output === null);
  return { id, question: question.question, type, multihop, answerable, values: { ...values, failed } };
}

/** Asks every question of a golden set. @throws BackendUnavailableError if there is no index */
export async function evaluateGolden(
  services: EvalServices,
  questions: readonly GoldenQuestion[],
  { ask, onProgress }: Pick<RunOptions, 'onProgress'> & { readonly ask: Ask },
): Promise<EvalRow[]> {
  const [first] = questions;
  // The first call opens the index and warms up the code, so it is not measured.
  if (first) await ask(first);
  return measureEach(questions, onProgress, async (question) => {
    const ranked = question.answerable ? await rankQuestion(services, question, RANKED) : [];
    return goldenRow(question, await ask(question), ranked);
  });
}
