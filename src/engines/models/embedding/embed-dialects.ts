import { z } from 'zod';

/** How an embedding server is asked, and what it answers. */
export interface EmbedDialect {
  /** Below the server's URL. */
  readonly endpoint: string;
  /** What an operator most likely calls it. */
  readonly title: string;
  /** @param dimensions  asked for where a model can shorten its vectors; null leaves it to the model */
  readonly body: (model: string, texts: readonly string[], dimensions: number | null) => unknown;
  /** The vectors in the order of the texts. @throws where the answer has another shape */
  readonly read: (answer: unknown) => readonly (readonly number[])[];
}

/** More components than any model gives. */
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
    // Not promised to be in order.
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

/** By the name that PITH_EMBEDDER takes. */
export const EMBED_DIALECTS = { openai, tei, ollama } as const;
