import type { CallFailure } from '../../../../src/core/call.js';
import { DeadlineExceededError, type PithError, UnexpectedError } from '../../../../src/core/errors.js';
import { exceeded } from '../../../../src/mcp/pipeline/caller-limits.js';
import { toEnvelope } from '../../../../src/mcp/rendering/error-envelope.js';
import { failureResponse, retryAfter } from '../../../../src/work/substrate/artifact-routes.controller.js';
import {
  artifactTooLarge,
  substrateFull,
  unknownArtifact,
} from '../../../../src/work/substrate/substrate-failures.js';
import { aCall } from '../../../support/builders.js';

const failureOf = (thrown: PithError): CallFailure => {
  const { code, reason, message, hint } = thrown;
  return { code, reason, message, details: { reason, hint, ...thrown.details }, thrown };
};

describe('failureResponse', () => {
  it.each([
    [unknownArtifact('a'), 404],
    [artifactTooLarge(1), 413],
    [substrateFull(1), 507],
    [exceeded('rate_limited', 'Too many.', 3), 429],
    [new DeadlineExceededError('Too slow.', { reason: 'timeout', hint: 'Try again.' }), 504],
  ])('answers %s with %d', (error, status) => {
    expect(failureResponse(failureOf(error)).status).toBe(status);
  });

  it('has the error of the tool as its body', () => {
    const error = exceeded('rate_limited', 'Too many.', 3);
    expect(failureResponse(failureOf(error)).body).toEqual({
      error: {
        code: 'BUDGET_EXCEEDED',
        message: 'Too many.',
        details: { reason: 'rate_limited', hint: error.hint, retry_after_s: 3 },
      },
    });
    expect(retryAfter(failureOf(error))).toBe(3);
    expect(retryAfter(failureOf(unknownArtifact('a')))).toBeUndefined();
  });

  it('has the details that the tool returns, also of an unexpected failure, and none of the error itself', () => {
    const thrown = new UnexpectedError('secret', {
      reason: 'internal',
      hint: 'secret',
      details: { secret: 1 },
    });
    const call = aCall();
    const { error } = toEnvelope(thrown, call, (text) => text);
    const { failure } = call.trace;
    expect(failure && failureResponse(failure)).toEqual({ status: 500, body: { error } });
    expect(error.details).toMatchObject({ reason: 'internal', diagnostic_id: call.id });
    expect(JSON.stringify(error)).not.toContain('secret');
  });
});
