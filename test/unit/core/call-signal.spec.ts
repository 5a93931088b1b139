import { callSignal, outsideOfCalls, withCallSignal } from '../../../src/core/call-signal.js';

describe('outsideOfCalls', () => {
  it('runs a function that the call does not cancel, and returns to the call', () => {
    const { signal } = new AbortController();
    const seen = withCallSignal(signal, () => [outsideOfCalls(callSignal), callSignal()]);
    expect(seen).toEqual([undefined, signal]);
  });
});
