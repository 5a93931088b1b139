import { callSignal, outsideOfCalls, unlessAborted, withCallSignal } from '../../../src/core/call-signal.js';

describe('outsideOfCalls', () => {
  it('runs a function that the call does not cancel, and returns to the call', () => {
    const { signal } = new AbortController();
    const seen = withCallSignal(signal, () => [outsideOfCalls(callSignal), callSignal()]);
    expect(seen).toEqual([undefined, signal]);
  });
});

describe('unlessAborted', () => {
  const never = new Promise<never>(() => undefined);

  it('resolves and rejects as the promise does', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(signal, Promise.resolve(1))).toBe(1);
    expect(await unlessAborted(undefined, Promise.resolve(2))).toBe(2);
    await expect(unlessAborted(signal, Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  });

  it('rejects with the reason of the signal, before and while it waits', async () => {
    const call = new AbortController();
    const waiting = unlessAborted(call.signal, never);
    call.abort(new Error('over'));
    await expect(waiting).rejects.toThrow('over');
    await expect(unlessAborted(call.signal, never)).rejects.toThrow('over');
  });

  it('stops listening when the promise is settled', async () => {
    const { signal } = new AbortController();
    const [add, remove] = [jest.spyOn(signal, 'addEventListener'), jest.spyOn(signal, 'removeEventListener')];
    await unlessAborted(signal, Promise.resolve());
    await Promise.resolve();
    expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(
      add.mock.calls.map(([, listener]) => listener),
    );
  });
});
