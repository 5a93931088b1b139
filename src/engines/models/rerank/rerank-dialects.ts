import { z } from 'zod';

/** What a reranking server says of one text. */
export interface RankedText {
  /** Position of the text in the request. */
  readonly index: number;
  readonly score: number;
}

/** How a reranking server is asked, and what it answers. */
export interface RerankDialect {
  /** Below the server's URL. */
  readonly endpoint: string;
  readonly title: string;
  /** Most texts that a request may hold. */
  readonly batch: number;
  readonly body: (model: string, question: string, texts: readonly string[]) => unknown;
  /** In any order. @throws where the answer has another shape */
  readonly read: (answer: unknown) => readonly RankedText[];
}

const index = z.number().int().min(0);

const tei: RerankDialect = {
  endpoint: '/rerank',
  title: 'Text Embeddings Inference',
  // What it takes at a time unless told otherwise.
  batch: 32,
  // Not raw: 0 to 1, by its sigmoid.
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

/** By the name that PITH_RERANKER takes. */
export const RERANK_DIALECTS = { tei, cohere } as const;
