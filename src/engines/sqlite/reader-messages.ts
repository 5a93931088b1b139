import {
  BackendUnavailableError,
  BudgetExceededError,
  DeadlineExceededError,
  InvalidArgumentError,
  PithError,
  ScopeViolationError,
} from '../../core/errors.js';
import type { ErrorCode, ErrorContext } from '../../core/errors.js';
import { messageOf } from './open-database.js';
import type { GraphPage, GraphQuery } from '../../core/ports/graph-store.port.js';
import type { MemoryQuery } from '../../core/ports/memory-store.port.js';
import type { SectionQuery } from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';

/** What the reader is asked to do, and with what. */
export type ReaderTask =
  | { readonly method: 'stamp' }
  | { readonly method: 'search'; readonly query: SectionQuery }
  | { readonly method: 'bridges'; readonly scope: Scope; readonly ids: readonly string[] }
  | { readonly method: 'sections'; readonly scope: Scope; readonly ids: readonly string[] }
  | {
      readonly method: 'neighbours';
      readonly scope: Scope;
      readonly id: string;
      readonly context: number;
    }
  | { readonly method: 'facts'; readonly scope: Scope; readonly facetLimit: number }
  | { readonly method: 'corpus'; readonly scope: Scope }
  | {
      readonly method: 'documents';
      readonly scope: Scope;
      readonly offset: number;
      readonly limit: number;
    }
  | {
      readonly method: 'resources';
      readonly scope: Scope;
      readonly after: string | null;
      readonly limit: number;
    }
  | { readonly method: 'resource'; readonly scope: Scope; readonly path: string }
  | {
      readonly method: 'describe';
      readonly scope: Scope;
      readonly ids: readonly string[];
      readonly withSnippet: boolean;
    }
  | { readonly method: 'walk'; readonly query: GraphQuery }
  | { readonly method: 'expand'; readonly query: GraphQuery; readonly page: GraphPage }
  | { readonly method: 'candidates'; readonly query: MemoryQuery; readonly provider: string };

export interface ReaderRequest {
  readonly id: number;
  readonly task: ReaderTask;
}

/** A failure as plain data: classes don't survive the way between threads. */
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

/** Takes a failure apart. */
export function toPlain(error: unknown): PlainError {
  if (error instanceof PithError) {
    const { code, message, reason, hint, details, cause } = error;
    const why = cause === undefined ? {} : { cause: messageOf(cause) };
    return { code, message, context: { reason, hint, details, ...why } };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: null, message, context: { reason: 'internal', hint: '' } };
}

/** Puts a failure together again. */
export function fromPlain({ code, message, context }: PlainError): Error {
  if (code === null || code === 'INTERNAL_ERROR') return new Error(message);
  return new CLASSES[code](message, context);
}
