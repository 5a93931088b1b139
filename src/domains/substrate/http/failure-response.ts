import type { CallFailure } from '../../../core/call.js';
import type { ErrorCode } from '../../../core/errors.js';

const STATUS: Readonly<Record<ErrorCode, number>> = {
  INVALID_ARGUMENT: 400,
  SCOPE_VIOLATION: 403,
  BUDGET_EXCEEDED: 429,
  TIMEOUT: 504,
  BACKEND_UNAVAILABLE: 503,
  INTERNAL_ERROR: 500,
};

const STATUS_OF_REASON: ReadonlyMap<string, number> = new Map([
  ['artifact_not_found', 404],
  ['feature_disabled', 404],
  ['artifact_too_large', 413],
  ['substrate_full', 507],
]);

/** Seconds after which the same request may succeed; undefined if it is not known. */
export function retryAfter({ details }: CallFailure): number | undefined {
  const seconds = details?.['retry_after_s'];
  return typeof seconds === 'number' ? seconds : undefined;
}

/** An HTTP response to a failed call. */
interface FailureResponse {
  readonly status: number;
  /** The error as the tool returns it. */
  readonly body: object;
}

/** The error of a call as an HTTP response. */
export function failureResponse({
  code,
  reason,
  message,
  details = { reason },
}: CallFailure): FailureResponse {
  const status = STATUS_OF_REASON.get(reason) ?? STATUS[code];
  return { status, body: { error: { code, message, details } } };
}
