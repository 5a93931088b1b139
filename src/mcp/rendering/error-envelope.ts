import { dirname } from 'node:path';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Call } from '../../core/call.js';
import { type ErrorCode, PithError } from '../../core/errors.js';
import { seenText } from '../../text/show-unseen.js';
import { clipText } from '../../text/span.js';
import { clipFenced } from '../../text/untrusted-text.js';
import type { TextAdapter } from '../surface/adapt-text.js';

/** A failure as callers receive it. */
export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

const MAX_MESSAGE = 600;

type CallFacts = Pick<Call, 'id' | 'trace' | 'caller'>;

/** Messages may contain input of callers and providers: line breaks, and characters that can't be seen. */
const oneLine = (text: string): string => seenText(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '));

/** A text without the path of a file of the server, for callers on other machines. */
function withoutPath(text: string, file: string): string {
  if (file === '') return text;
  const short = text.replaceAll(` at ${file}`, '').replaceAll(file, 'the file');
  const folder = dirname(file);
  return folder.length > 1 ? short.replaceAll(folder, 'its folder') : short;
}

/** Makes the envelope and records it in the trace. Only expected errors keep their message. */
export function toEnvelope(error: unknown, call: CallFacts, adapt: TextAdapter): ErrorEnvelope {
  const envelope = envelopeOf(error, call, adapt);
  const { code, message, details } = envelope.error;
  call.trace.failure = { code, reason: String(details['reason']), message, details, thrown: error };
  return envelope;
}

function envelopeOf(error: unknown, { id, trace, caller }: CallFacts, adapt: TextAdapter): ErrorEnvelope {
  if (error instanceof PithError && error.code !== 'INTERNAL_ERROR') {
    const shown = (text: string): string => withoutPath(text, caller.isLocal ? '' : error.serverFile);
    const whole = shown(error.message);
    const message = whole.length > MAX_MESSAGE ? `${whole.slice(0, MAX_MESSAGE)}…` : whole;
    // Logs, traces and the diagnostic record a retrieval under this id.
    const pointer = trace.isRetrieval ? { diagnostic_id: id } : {};
    const details = {
      reason: error.reason,
      hint: seenText(adapt(shown(error.hint), true)),
      ...error.details,
      ...pointer,
    };
    return { error: { code: error.code, message: oneLine(adapt(message)), details } };
  }
  const details = {
    reason: error instanceof PithError ? error.reason : 'internal',
    hint: 'Try once more. If it fails again, report this diagnostic_id to the operator.',
    diagnostic_id: id,
  };
  return {
    error: { code: 'INTERNAL_ERROR', message: 'An unexpected error occurred on the server.', details },
  };
}

/** The envelope as one line of text, with the hint. @param isPlain  omits the code */
export function errorLine({ error }: ErrorEnvelope, isPlain = false): string {
  const line = `${error.message} ${String(error.details['hint'] ?? '')}`.trim();
  return isPlain ? line : `${error.code}: ${line}`;
}

/** Keeps only the essential details. @param chars  maximum length of the message and of the hint */
export function shortened({ error }: ErrorEnvelope, chars: number): ErrorEnvelope {
  const { reason, retry_after_s, diagnostic_id, approval_id } = error.details;
  const hint = clipText(String(error.details['hint'] ?? ''), chars);
  const details = JSON.parse(JSON.stringify({ reason, hint, retry_after_s, diagnostic_id, approval_id }));
  return { error: { code: error.code, message: clipFenced(error.message, chars), details } };
}

/** Resources have no error result, so the envelope becomes the data of a JSON-RPC error. */
export function toProtocolError({ error }: ErrorEnvelope, uri: string | undefined): ProtocolError {
  const isCallers = error.code === 'INVALID_ARGUMENT' || error.code === 'SCOPE_VIOLATION';
  const code = isCallers ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, errorLine({ error }), { ...error, ...(uri === undefined ? {} : { uri }) });
}
