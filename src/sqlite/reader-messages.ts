import {
  BackendUnavailableError,
  BudgetExceededError,
  DeadlineExceededError,
  type ErrorCode,
  type ErrorContext,
  InvalidArgumentError,
  PithError,
  ScopeViolationError,
} from '../core/errors.js';
import { messageOf } from './open-database.js';
import type { ReaderTask } from './reader-ports.js';

/** A task as it is sent to the thread. */
export interface ReaderRequest {
  readonly id: number;
  readonly task: ReaderTask;
}

/** An error as plain data: classes are lost between threads. */
export interface PlainError {
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly context: ErrorContext;
}

export type ReaderResponse =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: PlainError };

const CLASSES = {
  INVALID_ARGUMENT: InvalidArgumentError,
  SCOPE_VIOLATION: ScopeViolationError,
  BACKEND_UNAVAILABLE: BackendUnavailableError,
  TIMEOUT: DeadlineExceededError,
  BUDGET_EXCEEDED: BudgetExceededError,
};

/** Converts an error into plain data. */
export function toPlain(error: unknown): PlainError {
  if (error instanceof PithError) {
    const { code, message, reason, hint, details, serverFile, cause } = error;
    const why = cause === undefined ? {} : { cause: messageOf(cause) };
    return { code, message, context: { reason, hint, details, serverFile, ...why } };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: null, message, context: { reason: 'internal', hint: '' } };
}

/** Restores an error from plain data. */
export function fromPlain({ code, message, context }: PlainError): Error {
  if (code === null || code === 'INTERNAL_ERROR') return new Error(message);
  return new CLASSES[code](message, context);
}
