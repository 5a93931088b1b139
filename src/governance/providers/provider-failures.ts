import type { CallToolResult } from '@modelcontextprotocol/client';
import { BackendUnavailableError, DeadlineExceededError } from '../../core/errors.js';
import { clipText } from '../../text/clip-text.js';
import type { Sdk } from './load-sdk.js';

/** Longest error text of a provider (characters). */
const MAX_TEXT = 2_000;
/** HTTP status of a provider that limits its callers. */
const TOO_MANY_REQUESTS = 429;

const HINT = 'Continue without this tool.';

/** The provider that failed. */
export interface FailedCall {
  readonly provider: string;
  readonly timeoutMs: number;
  readonly retryAfterS: number;
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
    return { content: [{ type: 'text', text: clipText(error.message, MAX_TEXT) }], isError: true };
  const code = error instanceof sdk.SdkError ? error.code : null;
  if (code === sdk.SdkErrorCode.RequestTimeout) {
    throw new DeadlineExceededError(`The provider ${provider} did not answer within ${timeoutMs} ms.`, {
      reason: provider,
      hint: 'Try once more with a smaller request, or continue without this tool.',
    });
  }
  if (code === sdk.SdkErrorCode.UnsupportedResultType)
    throw invalidAnswer(provider, 'asked for input, which is not allowed', error);
  if (code === sdk.SdkErrorCode.InvalidResult)
    throw invalidAnswer(provider, 'sent a result that is not valid MCP', error);
  throw providerUnavailable(failed, error);
}
