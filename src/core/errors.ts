/** The six codes that every failure maps to; nothing else leaves the server. */
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
  /** Stable machine word for the case, such as `passage_not_found`. */
  readonly reason: string;
  /** What the caller should do next, one sentence. */
  readonly hint: string;
  /** The next step for a person at the command line, where it differs. */
  readonly commandHint?: string;
  /** Further plain facts; never document text, never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** Whether its line of text is message and hint alone, without the code, as a tool's contract has it. */
  readonly isPlain?: boolean;
}

/** An expected failure: what happened, why, and what to do next. */
export abstract class PithError extends Error {
  abstract readonly code: ErrorCode;
  readonly reason: string;
  readonly hint: string;
  readonly commandHint: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly isPlain: boolean;

  constructor(message: string, context: ErrorContext) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = new.target.name;
    this.reason = context.reason;
    this.hint = context.hint;
    this.commandHint = context.commandHint ?? context.hint;
    this.details = context.details ?? {};
    this.isPlain = context.isPlain ?? false;
  }
}

/** The request itself is wrong: schema, bounds, unknown id, bad cursor, disabled feature. */
export class InvalidArgumentError extends PithError {
  readonly code = 'INVALID_ARGUMENT';
}

/** The caller asked beyond what it may see. Says nothing about what exists there. */
export class ScopeViolationError extends PithError {
  readonly code = 'SCOPE_VIOLATION';
}

/** An engine or the index is missing, incompatible or down. */
export class BackendUnavailableError extends PithError {
  readonly code = 'BACKEND_UNAVAILABLE';
}

/** Our deadline or the backend's passed. */
export class DeadlineExceededError extends PithError {
  readonly code = 'TIMEOUT';
}

/** A failure that nobody expected, where a tool's contract has a reason of its own for it. As opaque as any other. */
export class UnexpectedError extends PithError {
  readonly code = 'INTERNAL_ERROR';
}

/** Not even one item fits the response, or the caller is over its rate. */
export class BudgetExceededError extends PithError {
  readonly code = 'BUDGET_EXCEEDED';
}

/** Reasons of a caller that asks too often or too much at once. */
const THROTTLED = ['rate_limited', 'concurrency'];

/** Whether the server was right not to answer: the request was wrong, out of scope or throttled. */
export function isRefusal({ code, reason }: { readonly code: ErrorCode; readonly reason: string }): boolean {
  return code === 'INVALID_ARGUMENT' || code === 'SCOPE_VIOLATION' || THROTTLED.includes(reason);
}

/** Whether an engine or a model can't answer, or not in time; anything else is a fault of ours or of the caller's. */
export function isBackendLost(error: unknown): boolean {
  return error instanceof BackendUnavailableError || error instanceof DeadlineExceededError;
}

/** For a `catch` where nothing will do while an engine can't answer; throws everything else again. */
export function nullIfLost(error: unknown): null {
  if (isBackendLost(error)) return null;
  throw error;
}
