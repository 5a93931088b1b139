import type { Reranker } from '../../../core/ports/reranker.port.js';
import type {
  Candidate,
  SearchAnswer,
  SectionIndex,
  SectionQuery,
} from '../../../core/ports/section-index.port.js';
import { wholeOffset } from '../../../text/span.js';
import { markDegraded, orNullIfLost } from '../decorated.js';
import { headedText } from '../embedding/model-texts.js';

/** Number of top sections to rerank; the scores of the others don't change. */
const RERANKED_SECTIONS = 40;
/** Weight of the reranker's score; lexical score has weight 1. Source: docs/quality.md, "Models". */
const SECTION_RERANK_WEIGHT = 1;
/** Cross-encoders read about 512 tokens of question and text together. */
const MAX_CHARS = 2_000;

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

function textOf({ section }: Candidate): string {
  const whole = headedText(section);
  return whole.slice(0, wholeOffset(whole, MAX_CHARS));
}

function byScoreThenId(a: Candidate, b: Candidate): number {
  return b.score - a.score || (a.section.id < b.section.id ? -1 : 1);
}

function lift(candidate: Candidate, score: number): Candidate {
  const share = round(SECTION_RERANK_WEIGHT * score);
  const shares = { ...candidate.shares, rerank: share };
  return { ...candidate, score: round(candidate.score + share), shares, rerank: round(score) };
}

function withScores({ hits }: SearchAnswer, reranked: readonly Candidate[]): Pick<SearchAnswer, 'hits'> {
  if (!hits) return {};
  const scores = new Map(reranked.map(({ section, rerank }) => [section.id, rerank]));
  const scored = hits.map((hit) => {
    const rerank = scores.get(hit.sectionId);
    return rerank === undefined ? hit : { ...hit, rerank };
  });
  return { hits: scored };
}

/** Searches a section index, and a model reranks the top sections. If it is unavailable, answers are marked degraded. */
export class RerankedSearch implements Pick<SectionIndex, 'search' | 'close'> {
  constructor(
    private readonly inner: SectionIndex,
    private readonly reranker: Reranker,
  ) {}

  async search(query: SectionQuery): Promise<SearchAnswer> {
    const { limit, text, rankedBy } = query;
    if (rankedBy === 'lexical' || text.trim() === '') return this.inner.search(query);
    const answer = await this.inner.search({ ...query, limit: Math.max(limit, RERANKED_SECTIONS) });
    const startedAt = performance.now();
    const ranked = await this.rerank(text, answer);
    const rerankMs = performance.now() - startedAt;
    return { ...ranked, rerankMs, candidates: ranked.candidates.slice(0, limit) };
  }

  async close(): Promise<void> {
    await this.inner.close();
    await this.reranker.close();
  }

  private async rerank(question: string, answer: SearchAnswer): Promise<SearchAnswer> {
    const best = answer.candidates.slice(0, RERANKED_SECTIONS);
    if (best.length === 0) return answer;
    const scores = await orNullIfLost(this.reranker.score(question, best.map(textOf)));
    if (!scores) return markDegraded(answer, 'rerank');
    const reranked = best.map((candidate, i) => lift(candidate, scores[i] ?? 0));
    const candidates = [...reranked, ...answer.candidates.slice(best.length)].sort(byScoreThenId);
    const { method, params } = answer.fusion;
    const fusion = { method, params: { ...params, rerank: SECTION_RERANK_WEIGHT } };
    return { ...answer, ...withScores(answer, reranked), candidates, fusion };
  }
}
