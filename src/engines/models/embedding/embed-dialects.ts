import { z } from 'zod';
import type { ModelDialect } from '../http/ask-model.js';

/** The request and response format of an embedding server. */
export interface EmbedDialect extends ModelDialect {
  /** @param dimensions  requested vector length, for models that can shorten vectors; null for the model's default */
  readonly body: (model: string, texts: readonly string[], dimensions: number | null) => unknown;
  /** The vectors in the order of the texts. @throws ZodError for another format */
  readonly read: (answer: unknown) => readonly (readonly number[])[];
}

/** Upper bound of a vector's components; no known model has more. */
export const MOST_DIMENSIONS = 8_192;

const vector = z.array(z.number()).min(1).max(MOST_DIMENSIONS);

const OPENAI_ANSWER = z.object({
  data: z.array(z.object({ index: z.number().int().min(0), embedding: vector })),
});

const openai: EmbedDialect = {
  endpoint: '/v1/embeddings',
  title: 'the OpenAI-compatible embedder',
  body: (model, texts, dimensions) => ({
    model,
    input: texts,
    encoding_format: 'float',
    ...(dimensions === null ? {} : { dimensions }),
  }),
  read: (answer) => {
    const { data } = OPENAI_ANSWER.parse(answer);
    // The API does not promise an order.
    return data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
  },
};

const tei: EmbedDialect = {
  endpoint: '/embed',
  title: 'Text Embeddings Inference',
  body: (_, texts) => ({ inputs: texts, normalize: true, truncate: true }),
  read: (answer) => z.array(vector).parse(answer),
};

const ollama: EmbedDialect = {
  endpoint: '/api/embed',
  title: 'Ollama',
  body: (model, texts) => ({ model, input: texts, truncate: true }),
  read: (answer) => z.object({ embeddings: z.array(vector) }).parse(answer).embeddings,
};

/** Keyed by the values of PITH_EMBEDDER. */
export const EMBED_DIALECTS = { openai, tei, ollama } as const;
