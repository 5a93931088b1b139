import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Call } from '../../core/call.js';
import { PithError } from '../../core/errors.js';
import { clipText } from '../../text/clip-text.js';
import type { ErrorCode } from '../../core/errors.js';
import type { Words } from '../surface/tell-tools.js';

/** What a caller is told of a failure. */
export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

const MAX_MESSAGE = 600;

/** Messages may echo what a caller sent. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').toWellFormed();

/**
 * The one place where a failure becomes an answer: expected ones as they are, all others opaque. The call's trace
 * keeps it.
 * @param words  puts message and hint into words for the caller
 */
export function toEnvelope(
  error: unknown,
  { id, trace }: Pick<Call, 'id' | 'trace'>,
  words: Words,
): ErrorEnvelope {
  const envelope = envelopeOf(error, id, { isDiagnosed: trace.isRetrieval, words });
  const { code, message, details } = envelope.error;
  trace.failure = { code, reason: String(details['reason']), message, thrown: error };
  return envelope;
}

interface Wording {
  /** Whether it is told by which id logs, traces and its diagnostic name it. */
  readonly isDiagnosed: boolean;
  readonly words: Words;
}

function envelopeOf(error: unknown, callId: string, { isDiagnosed, words }: Wording): ErrorEnvelope {
  if (error instanceof PithError && error.code !== 'INTERNAL_ERROR') {
    const message =
      error.message.length > MAX_MESSAGE ? `${error.message.slice(0, MAX_MESSAGE)}…` : error.message;
    const pointer = isDiagnosed ? { diagnostic_id: callId } : {};
    const details = { reason: error.reason, hint: words(error.hint, true), ...error.details, ...pointer };
    return { error: { code: error.code, message: oneLine(words(message)), details } };
  }
  const details = {
    reason: error instanceof PithError ? error.reason : 'internal',
    hint: 'Try once more. If it fails again, report this diagnostic_id to the operator.',
    diagnostic_id: callId,
  };
  return {
    error: { code: 'INTERNAL_ERROR', message: 'An unexpected error occurred on the server.', details },
  };
}

/** The same as one line of text that says what to do next. @param isPlain  without the code */
export function errorLine({ error }: ErrorEnvelope, isPlain = false): string {
  const line = `${error.message} ${String(error.details['hint'] ?? '')}`.trim();
  return isPlain ? line : `${error.code}: ${line}`;
}

/**
 * The same without what a caller can do without: for a response ceiling that the whole does not fit.
 * @param chars  as long as message and hint may be
 */
export function shortened({ error }: ErrorEnvelope, chars: number): ErrorEnvelope {
  const { reason, retry_after_s, diagnostic_id } = error.details;
  const hint = clipText(String(error.details['hint'] ?? ''), chars);
  const details = JSON.parse(JSON.stringify({ reason, hint, retry_after_s, diagnostic_id }));
  return { error: { code: error.code, message: clipText(error.message, chars), details } };
}

/** Resources have no error result, so the envelope travels as the data of a JSON-RPC error. */
export function toProtocolError({ error }: ErrorEnvelope, uri: string | undefined): ProtocolError {
  const isCallers = error.code === 'INVALID_ARGUMENT' || error.code === 'SCOPE_VIOLATION';
  const code = isCallers ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, errorLine({ error }), { ...error, ...(uri === undefined ? {} : { uri }) });
}
