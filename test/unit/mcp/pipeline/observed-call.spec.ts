import { parseConfig } from '../../../../src/config/config.js';
import { callOutcome, callTrace } from '../../../../src/mcp/pipeline/observed-call.js';
import { resolveSurface } from '../../../../src/mcp/surface/surface.js';
import { aCall } from '../../../support/builders.js';

const surface = resolveSurface([], parseConfig({}), {});
const failure = { code: 'INTERNAL_ERROR', reason: 'internal', message: '' } as const;

describe('callOutcome', () => {
  it('has the error of a failed call', () => {
    const call = aCall();
    call.trace.failure = failure;
    const ending = { isCancelled: false, tool: undefined, surface };
    expect(callOutcome(call, { isError: true }, ending)).toMatchObject({
      error: failure,
      usage: { bytes: 16 },
    });
  });

  it('has no error for a cancelled call, and keeps no diagnostic', () => {
    const call = aCall();
    Object.assign(call.trace, { failure, isKept: true });
    const ending = { isCancelled: true, tool: undefined, surface };
    expect(callOutcome(call, {}, ending).error).toBeNull();
    expect(call.trace.isKept).toBe(false);
  });
});

describe('callTrace', () => {
  const watched = {
    correlation: { correlationId: null, traceId: null, spanId: null },
    isSampled: true,
    isWritable: true,
    end: () => undefined,
  };

  it.each([
    ['a sampled retrieval', true, true],
    ['another call', false, false],
  ])('keeps %s: %s', (_, isRetrieval, isKept) => {
    expect(callTrace(watched, isRetrieval).isKept).toBe(isKept);
  });
});
