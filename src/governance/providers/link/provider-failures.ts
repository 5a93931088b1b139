import { isNativeError } from 'node:util/types';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { InvalidConfigurationError } from '../../../config/invalid-configuration.js';
import { BackendUnavailableError, DeadlineExceededError, PithError } from '../../../core/errors.js';
import { clipText } from '../../../text/span.js';
import type { Sdk } from './load-sdk.js';
import { MessageRefusedError } from './message-gate.js';

/** The fields that errors of the system have. */
interface SystemError {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
}

/** A program that the system could not start, in words with the next step; null for other errors. */
function startTrouble({ code, syscall, path }: SystemError): string | null {
  if (!String(syscall).startsWith('spawn ')) return null;
  const program = `the program ${String(path ?? String(syscall).slice('spawn '.length))}`;
  const place = program.includes('/') ? 'does not exist' : 'was not found on PATH';
  if (code === 'ENOENT')
    return `${program} ${place}, or its cwd does not exist. Correct command or cwd in the governance file, or install the program`;
  if (code === 'EACCES')
    return `${program} may not be executed. Correct command in the governance file, or the permissions of the program`;
  return null;
}

/** Longest error text of a provider (characters). */
const MAX_TEXT = 2_000;
/** Rounds of questions within one call of a provider of 2026-07-28. */
export const MAX_ROUNDS = 4;
/** HTTP status of a provider that limits its callers. */
const TOO_MANY_REQUESTS = 429;

const HINT = 'Continue without this tool.';

/** The provider that failed. */
export interface FailedCall {
  readonly provider: string;
  readonly timeoutMs: number;
  readonly retryAfterS: number;
  /** Replaces the secrets of the provider. Its errors may quote what it received. */
  readonly hide: (text: string) => string;
}

/**
 * An error for logs: its name, code and HTTP status, and those of its cause. Messages are left out, because those of
 * the SDK quote answers of the provider, which may repeat secrets and arguments. Ours and those of the system do not.
 */
export function failureText(error: unknown): string {
  if (!isNativeError(error)) return typeof error;
  const isSafe = [PithError, InvalidConfigurationError, MessageRefusedError].some(
    (each) => error instanceof each,
  );
  if (isSafe) return error.message;
  if ('syscall' in error) return startTrouble(error) ?? error.message;
  const { code, status, cause }: { code?: unknown; status?: unknown; cause?: unknown } = error;
  const parts = [
    ...(code === undefined ? [] : [String(code)]),
    ...(status === undefined ? [] : [`HTTP ${String(status)}`]),
    ...(isNativeError(cause) ? [failureText(cause)] : []),
  ];
  // Not the name of the class, which is shortened when Pith is bundled.
  return [error.name, ...parts].join(', ');
}

/** The provider can't be called now. */
export function providerUnavailable(
  { provider, retryAfterS }: Pick<FailedCall, 'provider' | 'retryAfterS'>,
  cause?: unknown,
): BackendUnavailableError {
  return new BackendUnavailableError(`The provider ${provider} is not available.`, {
    reason: provider,
    hint: `Call again in ${retryAfterS} s, or continue without this tool.`,
    details: { retry_after_s: retryAfterS },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The provider answered with something that its definition or the protocol does not allow. */
export function invalidAnswer(provider: string, problem: string, cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The provider ${provider} ${problem}.`, {
    reason: provider,
    hint: HINT,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** True if the connection can't be used any more. A provider that answers with an error is still connected. */
export function isConnectionLost(
  error: unknown,
  { SdkError, SdkErrorCode, SdkHttpError, ProtocolError }: Sdk,
): boolean {
  if (error instanceof ProtocolError) return false;
  if (error instanceof SdkHttpError) return error.status !== TOO_MANY_REQUESTS;
  const answered: readonly string[] = [
    SdkErrorCode.RequestTimeout,
    SdkErrorCode.InvalidResult,
    SdkErrorCode.UnsupportedResultType,
    SdkErrorCode.CapabilityNotSupported,
    SdkErrorCode.InputRequiredRoundsExceeded,
  ];
  return !(error instanceof SdkError && answered.includes(error.code));
}

/**
 * The result of a failed call: an error that the provider sent becomes an error result.
 * @throws DeadlineExceededError, BackendUnavailableError
 */
export function answerToFailure(error: unknown, failed: FailedCall, sdk: Sdk): CallToolResult {
  const { provider, timeoutMs } = failed;
  if (error instanceof sdk.ProtocolError)
    return {
      content: [{ type: 'text', text: clipText(failed.hide(error.message), MAX_TEXT) }],
      isError: true,
    };
  const code = error instanceof sdk.SdkError ? error.code : null;
  // Causes are logged.
  const cause = failureText(error);
  if (code === sdk.SdkErrorCode.RequestTimeout) {
    throw new DeadlineExceededError(`The provider ${provider} did not answer within ${timeoutMs} ms.`, {
      reason: provider,
      hint: 'Try once more with a smaller request, or continue without this tool.',
    });
  }
  const { UnsupportedResultType, CapabilityNotSupported, InputRequiredRoundsExceeded } = sdk.SdkErrorCode;
  if (code === UnsupportedResultType || code === CapabilityNotSupported)
    throw invalidAnswer(provider, 'asked for input, which is not allowed', cause);
  if (code === InputRequiredRoundsExceeded)
    throw invalidAnswer(provider, `asked for input more than ${MAX_ROUNDS} times in one call`, cause);
  if (code === sdk.SdkErrorCode.InvalidResult)
    throw invalidAnswer(provider, 'sent a result that is not valid MCP', cause);
  throw providerUnavailable(failed, cause);
}
