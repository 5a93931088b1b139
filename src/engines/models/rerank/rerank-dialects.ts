import { z } from 'zod';
import type { ModelDialect } from '../http/ask-model.js';

/** A reranking server's score for one text. */
export interface ScoredText {
  /** Position of the text in the request. */
  readonly index: number;
  readonly score: number;
}

/** The request and response format of a reranking server. */
export interface RerankDialect extends ModelDialect {
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
