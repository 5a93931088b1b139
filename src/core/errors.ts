/** The error codes. Every failure maps to one of them. */
export const ERROR_CODES = [
  'INVALID_ARGUMENT',
  'SCOPE_VIOLATION',
  'BACKEND_UNAVAILABLE',
  'TIMEOUT',
  'BUDGET_EXCEEDED',
  'INTERNAL_ERROR',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorContext {
  /** Stable identifier of the case, such as `passage_not_found`. */
  readonly reason: string;
  /** The next step for the caller, in one sentence. */
  readonly hint: string;
  /** The next step for a user of the command line, if it differs. */
  readonly commandHint?: string;
  /** Further plain data, without document text and secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** A file of the server that message or hint name. Callers on other machines receive them without its path. */
  readonly serverFile?: string;
  /** True to render only message and hint, without the code, as the contracts of some tools require. */
  readonly isPlain?: boolean;
}

/** An expected failure, with its cause and the next step. */
export abstract class PithError extends Error {
  abstract readonly code: ErrorCode;
  readonly reason: string;
  readonly hint: string;
  readonly commandHint: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly isPlain: boolean;
  /** '' for none. */
  readonly serverFile: string;

  constructor(message: string, context: ErrorContext) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = new.target.name;
    this.reason = context.reason;
    this.hint = context.hint;
    this.commandHint = context.commandHint ?? context.hint;
    this.details = context.details ?? {};
    this.isPlain = context.isPlain ?? false;
    this.serverFile = context.serverFile ?? '';
  }

  /** For warnings. The name of the class tells nobody what to do. */
  override toString(): string {
    return `${this.message} ${this.commandHint}`.trimEnd();
  }
}

/** The request is invalid: schema, bounds, unknown id, bad cursor, disabled feature. */
export class InvalidArgumentError extends PithError {
  readonly code = 'INVALID_ARGUMENT';
}

/** For tools that are turned off. @param what  as the message names it */
export function featureDisabled(what: string): InvalidArgumentError {
  return new InvalidArgumentError(`${what} is disabled on this server.`, {
    reason: 'feature_disabled',
    hint: 'Call tools/list and use one of the listed tools.',
  });
}

/** The request exceeds the scope of the caller. It does not reveal what exists outside. */
export class ScopeViolationError extends PithError {
  readonly code = 'SCOPE_VIOLATION';
}

/** An engine or the index is missing, incompatible or down. */
export class BackendUnavailableError extends PithError {
  readonly code = 'BACKEND_UNAVAILABLE';
}

/** The deadline of the call or of a backend has passed. */
export class DeadlineExceededError extends PithError {
  readonly code = 'TIMEOUT';
}

/** An unexpected failure with a reason of its own in a tool's contract. Its details stay hidden, as with others. */
export class UnexpectedError extends PithError {
  readonly code = 'INTERNAL_ERROR';
}

/** Not even one item fits the response, or the caller exceeds its rate limit. */
export class BudgetExceededError extends PithError {
  readonly code = 'BUDGET_EXCEEDED';
}

/** Reasons of throttled calls. */
const THROTTLED = ['rate_limited', 'concurrency', 'quota', 'approvals_pending'];

/** The reason of a call that waits until people have approved it. */
export const APPROVAL_REQUIRED = 'approval_required';

/** True if the call did not fail: it waits for an approval, and is made again after it. */
export const isWaiting = ({ reason }: { readonly reason: string }): boolean => reason === APPROVAL_REQUIRED;

/** A failure as plain data. */
export interface FailureFacts {
  readonly code: string;
  readonly reason: string;
  readonly message: string;
  readonly hint: string;
}

/** True when the caller is responsible for the failure: the request was invalid, out of scope or throttled. */
export function isRefusal({ code, reason }: { readonly code: ErrorCode; readonly reason: string }): boolean {
  return code === 'INVALID_ARGUMENT' || code === 'SCOPE_VIOLATION' || THROTTLED.includes(reason);
}

/** True when an engine or a model is unavailable or too slow. */
export function isBackendLost(error: unknown): boolean {
  return error instanceof BackendUnavailableError || error instanceof DeadlineExceededError;
}

/** For a `catch`: returns null while an engine is unavailable, and rethrows every other error. */
export function nullIfLost(error: unknown): null {
  if (isBackendLost(error)) return null;
  throw error;
}

/** The `code` of an error, such as ENOENT of Node; '' without. */
export const codeIn = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
