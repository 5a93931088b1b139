import { ZodError } from 'zod';
import { BackendUnavailableError } from '../../../core/errors.js';
import type { Backend } from '../../backend.js';
import { HttpFailure, postJson, UnreadableAnswer } from './post-json.js';

/** The model that answered, for error messages. */
interface AnsweringModel {
  /** `reason` of the error. */
  readonly reason: 'embedder' | 'reranker';
  readonly title: string;
  readonly model: string;
}

/** The resolved settings of any model. */
export interface ServedModel {
  /** The server's name for it; for ONNX its folder. */
  readonly model: string;
  readonly url: string;
  readonly apiKey: string;
}

/** The format of a model server. */
export interface ModelDialect {
  /** Path below the server's URL. */
  readonly endpoint: string;
  /** Name of the server in messages. */
  readonly title: string;
}

interface ModelRequest<T> {
  readonly body: unknown;
  readonly maxBytes: number;
  /** @throws UnreadableAnswer, ZodError */
  readonly read: (answer: unknown) => T;
}

const VARIABLES = { embedder: 'PITH_EMBED', reranker: 'PITH_RERANK' } as const;

const HINTS: Readonly<Record<number, (variables: string) => string>> = {
  401: (variables) => `Set ${variables}_API_KEY to a key that this server accepts.`,
  403: (variables) => `Set ${variables}_API_KEY to a key that may use this model.`,
  429: () => 'Try again later; the server limits the request rate.',
  404: (variables) =>
    `Check that ${variables}_URL is right and that the server has the model in ${variables}_MODEL.`,
};
const OTHER_HINT = 'Check that the server has the model and accepts requests of this size.';

/** Appends an endpoint such as `/v1/embeddings` to a URL; segments that the URL ends with are not repeated. */
export function endpointUrl(base: string, endpoint: string): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '');
  const parts = endpoint.split('/').filter((part) => part !== '');
  const shared = parts.findLastIndex((_, i) => path.endsWith(`/${parts.slice(0, i + 1).join('/')}`));
  url.pathname = [path, ...parts.slice(shared + 1)].join('/');
  return url.href;
}

/** Explains refusals and unreadable answers without their text, which may contain a key; returns others unchanged. */
export function explainFailure(error: unknown, { reason, title, model }: AnsweringModel): unknown {
  const variables = VARIABLES[reason];
  const failed = (what: string, hint: string, cause: Error): BackendUnavailableError =>
    new BackendUnavailableError(`${title} ${what}.`, { reason, hint, details: { model }, cause });
  if (error instanceof HttpFailure) {
    const { status } = error;
    const refused = status === 401 || status === 403 ? 'the key' : 'the request';
    const hint = HINTS[status]?.(variables) ?? OTHER_HINT;
    return failed(`refused ${refused} (HTTP ${status})`, hint, error);
  }
  if (!(error instanceof UnreadableAnswer || error instanceof ZodError)) return error;
  // Zod's message quotes the answer.
  const cause =
    error instanceof UnreadableAnswer ? error : new UnreadableAnswer('the response has an unexpected shape');
  const hint = `Check that ${variables}_URL is the address of ${title}.`;
  return failed('returned an unexpected response', hint, cause);
}

/** Sends a request to a model server. @throws BackendUnavailableError, DeadlineExceededError */
export async function askModel<T>(
  backend: Backend,
  model: AnsweringModel & ModelDialect & ServedModel,
  { body, maxBytes, read }: ModelRequest<T>,
): Promise<T> {
  const { apiKey } = model;
  const url = endpointUrl(model.url, model.endpoint);
  try {
    return read(await backend.read((signal) => postJson({ url, body, apiKey, maxBytes, signal })));
  } catch (error) {
    throw explainFailure(error, model);
  }
}
