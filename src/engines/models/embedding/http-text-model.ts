import { z } from 'zod';
import { BackendUnavailableError } from '../../../core/errors.js';
import type { TextRole } from '../../../core/ports/text-model.port.js';
import type { Backend } from '../../backend.js';
import { askModel, type ModelDialect } from '../http/ask-model.js';
import { HttpFailure, isTemporary, NoAnswer, UnreadableAnswer } from '../http/post-json.js';
import { CheckedTextModel } from './checked-text-model.js';
import type { ModelSettings } from './model-settings.js';
import { batchTexts, prepareText } from './model-texts.js';

/** The request and response format of an embedding server. */
interface EmbedDialect extends ModelDialect {
  /** @param dimensions  requested vector length, for models that can shorten vectors; null for the model's default */
  readonly body: (model: string, texts: readonly string[], dimensions: number | null) => unknown;
  /** The vectors in the order of the texts. @throws ZodError for another format */
  readonly read: (answer: unknown) => readonly (readonly number[])[];
}

/** Upper bound of a vector's components; no known model has more. */
const MAX_DIMENSIONS = 8_192;

const vector = z.array(z.number()).min(1).max(MAX_DIMENSIONS);

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

/** Resolves after a number of milliseconds. */
type Wait = (ms: number) => Promise<void>;

const FIRST_WAIT_MS = 1_000;
/** Limit of a wait; longer `Retry-After` values are shortened to it. */
const LONGEST_WAIT_MS = 60_000;

function waitFor(error: BackendUnavailableError, attempt: number): number {
  const requested = error.cause instanceof HttpFailure ? error.cause.retryAfterMs : null;
  return Math.min(LONGEST_WAIT_MS, Math.max(requested ?? 0, FIRST_WAIT_MS * 2 ** attempt));
}

/** False for errors that a retry can't fix, such as a refused key or an unreadable answer. */
function isRetryable(error: unknown, isKnown: boolean): error is BackendUnavailableError {
  if (!(error instanceof BackendUnavailableError) || error.cause === undefined) return false;
  const { cause } = error;
  if (cause instanceof NoAnswer && !isKnown) return false;
  return !(cause instanceof UnreadableAnswer || (cause instanceof HttpFailure && !isTemporary(cause)));
}

/**
 * Retries a request with exponential backoff, or after the time in `Retry-After` if that is longer.
 * @param retries  attempts after the first one
 * @param isKnown  true if the server has answered before; otherwise a failed connection is not retried
 */
export async function withRetries<T>(
  ask: () => Promise<T>,
  { retries, wait, isKnown }: { readonly retries: number; readonly wait: Wait; readonly isKnown: boolean },
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (attempt >= retries || !isRetryable(error, isKnown)) throw error;
      await wait(waitFor(error, attempt));
    }
  }
}

/** 32 texts are TEI's default limit; the characters keep a request below half a megabyte. */
const BATCH = { texts: 32, chars: 100_000 };
/** Upper bound for one number in a JSON response. */
const BYTES_PER_NUMBER = 32;

interface HttpTextModelParts {
  readonly dialect: EmbedDialect;
  readonly settings: ModelSettings;
  readonly backend: Backend;
  readonly wait: Wait;
}

/** A model behind an HTTP endpoint. */
export class HttpTextModel extends CheckedTextModel {
  private hasAnswered = false;

  constructor(private readonly parts: HttpTextModelParts) {
    super(parts.settings, parts.settings.model);
  }

  async embed(texts: readonly string[], role: TextRole): Promise<readonly Float32Array[]> {
    const { settings, wait } = this.parts;
    const prepared = texts.map((text) => prepareText(text, role, settings));
    const vectors: Float32Array[] = [];
    for (const batch of batchTexts(prepared, BATCH)) {
      const options = { retries: settings.retries, wait, isKnown: this.hasAnswered };
      vectors.push(...(await withRetries(() => this.ask(batch), options)));
      this.hasAnswered = true;
    }
    return vectors;
  }

  async close(): Promise<void> {
    // fetch manages its connections; they don't keep the process alive.
  }

  private ask(batch: readonly string[]): Promise<Float32Array[]> {
    const { dialect, settings, backend } = this.parts;
    const { dimensions } = this;
    return askModel(
      backend,
      { reason: 'embedder', ...dialect, ...settings },
      {
        body: dialect.body(settings.model, batch, settings.asksDimensions ? dimensions : null),
        maxBytes: 65_536 + batch.length * (dimensions || MAX_DIMENSIONS) * BYTES_PER_NUMBER,
        read: (answer) => this.checked(dialect.read(answer), batch.length),
      },
    );
  }
}
