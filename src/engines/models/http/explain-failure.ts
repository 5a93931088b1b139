import { ZodError } from 'zod';
import { BackendUnavailableError } from '../../../core/errors.js';
import { HttpFailure, UnreadableAnswer } from './post-json.js';

/** Who answered, for people. */
export interface Refuser {
  /** `reason` of the error. */
  readonly reason: 'embedder' | 'reranker';
  readonly title: string;
  /** As it was asked for. */
  readonly model: string;
  /** Start of the variables that configure it, such as `PITH_EMBED`. */
  readonly variables: string;
}

const HINTS: Readonly<Record<number, (variables: string) => string>> = {
  401: (variables) => `Set ${variables}_API_KEY to a key that this server accepts.`,
  403: (variables) => `Set ${variables}_API_KEY to a key that may use this model.`,
  429: () => 'Try again later; the server limits the request rate.',
  404: (variables) =>
    `Check that ${variables}_URL is right and that the server has the model in ${variables}_MODEL.`,
};

function failureOf({ status }: HttpFailure, { variables }: Refuser): { what: string; hint: string } {
  const hint =
    HINTS[status]?.(variables) ?? `Check that the server has the model and accepts requests of this size.`;
  const isRefused = status === 401 || status === 403;
  return {
    what: isRefused ? `refused the key (HTTP ${status})` : `refused the request (HTTP ${status})`,
    hint,
  };
}

/**
 * What a server's refusal means, in our words: its own may hold what was sent, or a key.
 * @returns the error itself where it is no refusal
 */
export function refusal(error: unknown, refuser: Refuser): unknown {
  const { reason, title, model, variables } = refuser;
  const toError = (what: string, hint: string): BackendUnavailableError =>
    new BackendUnavailableError(`${title} ${what}.`, { reason, hint, details: { model }, cause: error });
  if (error instanceof HttpFailure) {
    const { what, hint } = failureOf(error, refuser);
    return toError(what, hint);
  }
  if (!(error instanceof UnreadableAnswer || error instanceof ZodError)) return error;
  // Zod repeats what it read.
  const cause =
    error instanceof UnreadableAnswer ? error : new UnreadableAnswer('the response has an unexpected shape');
  return new BackendUnavailableError(`${title} returned an unexpected response.`, {
    reason,
    hint: `Check that ${variables}_URL is the address of ${title}.`,
    details: { model },
    cause,
  });
}
