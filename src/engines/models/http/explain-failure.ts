import { ZodError } from 'zod';
import { BackendUnavailableError } from '../../../core/errors.js';
import { HttpFailure, UnreadableAnswer } from './post-json.js';

/** The server that answered, for error messages. */
export interface ModelServer {
  /** `reason` of the error. */
  readonly reason: 'embedder' | 'reranker';
  readonly title: string;
  /** The configured model name. */
  readonly model: string;
  /** Prefix of its settings, such as `PITH_EMBED`. */
  readonly variables: string;
}

const HINTS: Readonly<Record<number, (variables: string) => string>> = {
  401: (variables) => `Set ${variables}_API_KEY to a key that this server accepts.`,
  403: (variables) => `Set ${variables}_API_KEY to a key that may use this model.`,
  429: () => 'Try again later; the server limits the request rate.',
  404: (variables) =>
    `Check that ${variables}_URL is right and that the server has the model in ${variables}_MODEL.`,
};

function failureOf({ status }: HttpFailure, { variables }: ModelServer): { what: string; hint: string } {
  const hint =
    HINTS[status]?.(variables) ?? `Check that the server has the model and accepts requests of this size.`;
  const isRefused = status === 401 || status === 403;
  return {
    what: isRefused ? `refused the key (HTTP ${status})` : `refused the request (HTTP ${status})`,
    hint,
  };
}

/**
 * Explains a refusal or an unreadable answer with our own message; the server's may repeat the request or a key.
 * @returns all other errors unchanged
 */
export function explainFailure(error: unknown, server: ModelServer): unknown {
  const { reason, title, model, variables } = server;
  if (error instanceof HttpFailure) {
    const { what, hint } = failureOf(error, server);
    return new BackendUnavailableError(`${title} ${what}.`, {
      reason,
      hint,
      details: { model },
      cause: error,
    });
  }
  if (!(error instanceof UnreadableAnswer || error instanceof ZodError)) return error;
  // Zod's message quotes the answer.
  const cause =
    error instanceof UnreadableAnswer ? error : new UnreadableAnswer('the response has an unexpected shape');
  return new BackendUnavailableError(`${title} returned an unexpected response.`, {
    reason,
    hint: `Check that ${variables}_URL is the address of ${title}.`,
    details: { model },
    cause,
  });
}
