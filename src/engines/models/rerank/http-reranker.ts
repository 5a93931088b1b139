import { z } from 'zod';
import { Reranker } from '../../../core/ports/reranker.port.js';
import type { Backend } from '../../backend.js';
import { askModel, type ModelDialect, type ServedModel } from '../http/ask-model.js';
import { UnreadableAnswer } from '../http/post-json.js';

/** A reranking server's score for one text. */
interface ScoredText {
  /** Position of the text in the request. */
  readonly index: number;
  readonly score: number;
}

/** The request and response format of a reranking server. */
interface RerankDialect extends ModelDialect {
  /** Maximum number of texts in a request. */
  readonly batch: number;
  readonly body: (model: string, question: string, texts: readonly string[]) => unknown;
  /** The scores in any order. @throws ZodError for another format */
  readonly read: (answer: unknown) => readonly ScoredText[];
}

const index = z.number().int().min(0);

const tei: RerankDialect = {
  endpoint: '/rerank',
  title: 'Text Embeddings Inference',
  // The server's default limit.
  batch: 32,
  // With raw_scores false the server applies a sigmoid: scores are 0 to 1.
  body: (_, query, texts) => ({ query, texts, raw_scores: false, truncate: true }),
  read: (answer) => z.array(z.object({ index, score: z.number() })).parse(answer),
};

const COHERE_ANSWER = z.object({ results: z.array(z.object({ index, relevance_score: z.number() })) });

const cohere: RerankDialect = {
  endpoint: '/v2/rerank',
  title: 'the Cohere-compatible reranker',
  batch: 100,
  body: (model, query, documents) => ({ model, query, documents, top_n: documents.length }),
  read: (answer) =>
    COHERE_ANSWER.parse(answer).results.map((each) => ({ index: each.index, score: each.relevance_score })),
};

/** Keyed by the values of PITH_RERANKER. */
export const RERANK_DIALECTS = { tei, cohere } as const;

/** Enough for a hundred scores, even if the server returns the texts too. */
const MAX_ANSWER_BYTES = 2_000_000;

/** The scores in the order of the texts, clamped to 0 to 1. */
function inOrder(ranked: readonly ScoredText[], count: number): number[] {
  const scores = new Map(ranked.map(({ index, score }) => [index, score]));
  const ordered = Array.from({ length: count }, (_, i) => scores.get(i));
  if (ranked.length !== count || ordered.includes(undefined))
    throw new UnreadableAnswer(`the reranker returned ${ranked.length} scores for ${count} texts`);
  return ordered.map((score = 0) => Math.max(0, Math.min(1, score)));
}

/** A cross-encoder behind an HTTP endpoint. */
export class HttpReranker extends Reranker {
  constructor(
    private readonly dialect: RerankDialect,
    private readonly settings: ServedModel,
    private readonly backend: Backend,
  ) {
    super();
  }

  async score(question: string, texts: readonly string[]): Promise<readonly number[]> {
    const { batch } = this.dialect;
    const starts = Array.from({ length: Math.ceil(texts.length / batch) }, (_, i) => i * batch);
    const scores = await Promise.all(
      starts.map((start) => this.ask(question, texts.slice(start, start + batch))),
    );
    return scores.flat();
  }

  async close(): Promise<void> {
    // fetch manages its connections; they don't keep the process alive.
  }

  private ask(question: string, texts: readonly string[]): Promise<number[]> {
    const { dialect, settings, backend } = this;
    return askModel(
      backend,
      { reason: 'reranker', ...dialect, ...settings },
      {
        body: dialect.body(settings.model, question, texts),
        maxBytes: MAX_ANSWER_BYTES,
        read: (answer) => inOrder(dialect.read(answer), texts.length),
      },
    );
  }
}
