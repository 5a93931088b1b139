import { withCallSignal } from '../../../src/core/call-signal.js';
import { InvalidArgumentError } from '../../../src/core/errors.js';
import { Backend, type BackendOptions, indexingLimits } from '../../../src/engines/backend.js';

class Transient extends Error {}

const aBackend = (options: Partial<BackendOptions> = {}) =>
  new Backend({
    name: 'redis',
    title: 'Redis',
    timeoutMs: 1_000,
    concurrency: 2,
    isTransient: (error) => error instanceof Transient,
    random: () => 0.5,
    ...options,
  });

/** An engine that fails a number of times and then answers. */
function anEngine(failures: number, failure: () => Error = () => new Transient('secret address')) {
  const engine = {
    asked: 0,
    at: [] as number[],
    ask: async (): Promise<string> => {
      engine.at.push(Date.now());
      if (engine.asked++ < failures) throw failure();
      return 'answer';
    },
  };
  return engine;
}

/** A request that is never answered; collects the signals of all attempts. */
const silence =
  (signals: AbortSignal[] = []) =>
  (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<never>(() => undefined);
  };

const UNAVAILABLE = { code: 'BACKEND_UNAVAILABLE', reason: 'redis' };
const LATE = { code: 'TIMEOUT', reason: 'redis' };

/** The outcome of a request; `pending` until it has ended. */
function outcomeOf(request: Promise<unknown>): { is: unknown } {
  const outcome: { is: unknown } = { is: 'pending' };
  request.then(
    (value) => (outcome.is = value),
    (error: unknown) => (outcome.is = error),
  );
  return outcome;
}
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

async function failed(backend: Backend, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await backend.write(anEngine(1).ask).catch(() => undefined);
}

describe('indexingLimits', () => {
  it.each([
    [5_000, 60_000],
    [90_000, 90_000],
  ])('raises a time limit of %d ms to %d ms', (timeoutMs, expected) => {
    const limits = indexingLimits({ timeoutMs, concurrency: 3 });
    expect(limits).toEqual({ timeoutMs: expected, concurrency: 3, isIndexing: true });
  });
});

describe('Backend', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  describe('answers and failures', () => {
    it('returns the answer of the engine and leaves no timer running', async () => {
      expect(await aBackend().read(anEngine(0).ask)).toBe('answer');
      expect(await aBackend().write(anEngine(0).ask)).toBe('answer');
      expect(jest.getTimerCount()).toBe(0);
    });

    it('reports that the engine is unavailable, without its error message', async () => {
      const failure: unknown = await aBackend()
        .write(anEngine(9).ask)
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ ...UNAVAILABLE, message: "Redis can't be reached." });
      expect(JSON.stringify(failure)).not.toContain('secret');
    });

    it.each([
      ['an error of ours', new InvalidArgumentError('No.', { reason: 'no', hint: 'Yes.' })],
      ['a bug', new TypeError('bug')],
    ])('throws %s unchanged, without a retry', async (_, error) => {
      const engine = anEngine(9, () => error);
      await expect(aBackend().read(engine.ask)).rejects.toBe(error);
      expect(engine.asked).toBe(1);
    });
  });

  describe('retries', () => {
    it('retries reads after a random share of 50 ms, and then of 100 ms', async () => {
      const engine = anEngine(2);
      const outcome = outcomeOf(aBackend().read(engine.ask));
      await pass(500);
      expect(outcome.is).toBe('answer');
      expect(engine.at.map((at) => at - (engine.at[0] ?? 0))).toEqual([0, 25, 75]);
    });

    it('sends a read at most three times', async () => {
      const engine = anEngine(9);
      const outcome = outcomeOf(aBackend().read(engine.ask));
      await pass(500);
      expect([outcome.is, engine.asked]).toMatchObject([UNAVAILABLE, 3]);
    });

    it('chooses each wait at random', async () => {
      const draws = [0, 0.99];
      const engine = anEngine(2);
      const outcome = outcomeOf(aBackend({ random: () => draws.shift() ?? 0 }).read(engine.ask));
      await pass(500);
      expect(outcome.is).toBe('answer');
      expect(engine.at.map((at) => at - (engine.at[0] ?? 0))).toEqual([0, 0, 99]);
    });

    it('sends writes only once', async () => {
      const engine = anEngine(9);
      await expect(aBackend().write(engine.ask)).rejects.toMatchObject(UNAVAILABLE);
      expect(engine.asked).toBe(1);
    });

    it('does not wait for an engine that an index run has not reached yet', async () => {
      const engine = anEngine(9);
      const outcome = outcomeOf(aBackend({ isIndexing: true }).read(engine.ask));
      await pass(150);
      expect([outcome.is, engine.asked]).toMatchObject([UNAVAILABLE, 3]);
    });

    it('retries a write of an index run, also one that timed out', async () => {
      const engine = anEngine(2);
      const backend = aBackend({ isIndexing: true });
      await backend.read(anEngine(0).ask);
      const outcome = outcomeOf(backend.write(engine.ask));
      await pass(1_500);
      expect(outcome.is).toBe('answer');
      const signals: AbortSignal[] = [];
      const late = outcomeOf(backend.write(silence(signals)));
      await pass(5_000 + 7_500);
      expect([signals.length, late.is]).toEqual([5, expect.objectContaining(LATE)]);
    });

    it('does not retry for a cancelled call', async () => {
      const caller = new AbortController();
      const engine = anEngine(9);
      const outcome = outcomeOf(withCallSignal(caller.signal, () => aBackend().read(engine.ask)));
      await pass(1);
      caller.abort(new Error('gone'));
      await pass(500);
      expect([outcome.is, engine.asked]).toMatchObject([{ message: 'gone' }, 1]);
    });
  });

  describe('the time limit', () => {
    it('ends a request that takes too long without a retry, and aborts its signal', async () => {
      const signals: AbortSignal[] = [];
      const outcome = outcomeOf(aBackend().read(silence(signals)));
      await pass(999);
      expect([outcome.is, signals.map(({ aborted }) => aborted)]).toEqual(['pending', [false]]);
      await pass(1);
      expect(outcome.is).toMatchObject(LATE);
      expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    });

    it('ends a request when its call ends, with the reason of the call', async () => {
      const caller = new AbortController();
      const signals: AbortSignal[] = [];
      const outcome = outcomeOf(withCallSignal(caller.signal, () => aBackend().read(silence(signals))));
      await pass(10);
      const reason = new Error('the call is over');
      caller.abort(reason);
      await pass(0);
      expect(outcome.is).toBe(reason);
      expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
      expect(jest.getTimerCount()).toBe(0);
    });

    it('sends nothing for a call that has already ended', async () => {
      const engine = anEngine(0);
      const request = withCallSignal(AbortSignal.abort(new Error('over')), () => aBackend().read(engine.ask));
      await expect(request).rejects.toThrow('over');
      expect(engine.asked).toBe(0);
    });
  });

  describe('the queue', () => {
    it('limits concurrency from the first request on', async () => {
      const signals: AbortSignal[] = [];
      const backend = aBackend();
      const outcomes = Array.from({ length: 10 }, () => outcomeOf(backend.read(silence(signals))));
      await pass(10);
      expect([signals.length, outcomes.filter(({ is }) => is === 'pending').length]).toEqual([2, 10]);
    });

    it('queues four times as many requests and refuses further ones immediately', async () => {
      const backend = aBackend();
      const outcomes = Array.from({ length: 11 }, () => outcomeOf(backend.read(silence())));
      await pass(1);
      expect(outcomes.slice(0, 10).map(({ is }) => is)).toEqual(Array(10).fill('pending'));
      expect(outcomes[10]?.is).toMatchObject({
        ...UNAVAILABLE,
        message: 'Redis has too many requests waiting.',
      });
    });

    it('starts a queued request when another one has ended', async () => {
      const backend = aBackend({ concurrency: 1 });
      const engine = anEngine(0);
      outcomeOf(backend.read(silence()));
      const next = outcomeOf(backend.read(engine.ask));
      await pass(999);
      expect([next.is, engine.asked]).toEqual(['pending', 0]);
      await pass(1);
      expect([next.is, engine.asked]).toEqual(['answer', 1]);
    });

    it('ends a queued request with its call, and does not send it later', async () => {
      const backend = aBackend({ concurrency: 1 });
      const engine = anEngine(0);
      const caller = new AbortController();
      outcomeOf(backend.read(silence()));
      const waiting = outcomeOf(withCallSignal(caller.signal, () => backend.read(engine.ask)));
      await pass(10);
      caller.abort(new Error('gone'));
      await pass(0);
      expect(waiting.is).toMatchObject({ message: 'gone' });
      await pass(2_000);
      expect(engine.asked).toBe(0);
    });
  });

  it.each([
    ['qdrant', 'PITH_BACKEND_TIMEOUT_MS'],
    ['reranker', 'PITH_MODEL_TIMEOUT_MS'],
  ] as const)('names the setting for the time limit of %s', async (name, setting) => {
    const outcome = outcomeOf(aBackend({ name }).read(silence()));
    await pass(1_000);
    expect(outcome.is).toMatchObject({ code: 'TIMEOUT', hint: expect.stringContaining(setting) });
  });

  describe('the breaker', () => {
    it('sends nothing after five consecutive failures, and reports that', async () => {
      const backend = aBackend();
      await failed(backend, 4);
      expect(backend.isDown).toBe(false);
      await failed(backend, 1);
      expect(backend.isDown).toBe(true);
      const engine = anEngine(0);
      const outcome = outcomeOf(backend.read(engine.ask));
      await pass(0);
      expect(outcome.is).toMatchObject({
        ...UNAVAILABLE,
        message: 'Redis failed recently and is not called for a few seconds.',
      });
      expect(engine.asked).toBe(0);
    });

    it('counts only consecutive failures', async () => {
      const backend = aBackend();
      await failed(backend, 4);
      await backend.read(anEngine(0).ask);
      await failed(backend, 4);
      expect(backend.isDown).toBe(false);
    });

    it('counts every attempt, including those that took too long', async () => {
      const backend = aBackend();
      outcomeOf(backend.read(anEngine(9).ask));
      await pass(500);
      outcomeOf(backend.write(silence()));
      outcomeOf(backend.write(silence()));
      await pass(1_000);
      expect(backend.isDown).toBe(true);
    });

    it.each([
      ['errors of ours', new InvalidArgumentError('No.', { reason: 'no', hint: 'Yes.' })],
      ['bugs', new TypeError('bug')],
    ])('does not count %s', async (_, error) => {
      const backend = aBackend();
      for (let i = 0; i < 9; i++) await backend.read(anEngine(9, () => error).ask).catch(() => undefined);
      expect(backend.isDown).toBe(false);
    });

    it('does not count cancelled calls, whatever error the driver throws', async () => {
      const backend = aBackend({ isTransient: () => true, concurrency: 9 });
      const callers = Array.from({ length: 9 }, () => new AbortController());
      const outcomes = callers.map(({ signal }) =>
        outcomeOf(withCallSignal(signal, () => backend.read(silence()))),
      );
      await pass(1);
      for (const caller of callers) caller.abort(new Error('gone'));
      await pass(10);
      expect(outcomes.map(({ is }) => is)).toMatchObject(Array(9).fill({ message: 'gone' }));
      expect(backend.isDown).toBe(false);
    });

    it('sends one test request after five seconds, and all other requests once it is answered', async () => {
      const backend = aBackend({ concurrency: 9 });
      await failed(backend, 5);
      await pass(4_999);
      await expect(backend.write(anEngine(0).ask)).rejects.toMatchObject(UNAVAILABLE);
      await pass(1);
      const engine = anEngine(0);
      const outcomes = [1, 2, 3].map(() => outcomeOf(backend.read(engine.ask)));
      await pass(10);
      expect(outcomes.map(({ is }) => is)).toEqual(['answer', 'answer', 'answer']);
      expect(backend.isDown).toBe(false);
    });

    it('stays open when the test request is cancelled', async () => {
      const backend = aBackend({ concurrency: 9 });
      await failed(backend, 5);
      await pass(5_000);
      const caller = new AbortController();
      const probe = outcomeOf(withCallSignal(caller.signal, () => backend.read(silence())));
      await pass(1);
      caller.abort(new Error('gone'));
      await pass(1);
      expect(probe.is).toMatchObject({ message: 'gone' });
      const engine = anEngine(0);
      await expect(backend.read(engine.ask)).rejects.toMatchObject(UNAVAILABLE);
      await pass(5_000);
      expect([await backend.read(engine.ask), engine.asked]).toEqual(['answer', 1]);
    });

    it('sends nothing else during the test request', async () => {
      const backend = aBackend({ concurrency: 9 });
      await failed(backend, 5);
      await pass(5_000);
      const probe = outcomeOf(backend.write(silence()));
      await pass(1);
      const engine = anEngine(0);
      const beside = outcomeOf(backend.write(engine.ask));
      await pass(900);
      expect([beside.is, engine.asked]).toEqual(['pending', 0]);
      await pass(100);
      expect([probe.is, beside.is, engine.asked]).toMatchObject([LATE, UNAVAILABLE, 0]);
      expect(backend.isDown).toBe(true);
    });

    it('ends requests with their calls during and after the test request of another call', async () => {
      const backend = aBackend({ concurrency: 9 });
      await failed(backend, 5);
      await pass(5_000);
      outcomeOf(backend.write(silence()));
      const caller = new AbortController();
      const beside = outcomeOf(withCallSignal(caller.signal, () => backend.read(silence())));
      await pass(10);
      caller.abort(new Error('gone'));
      await pass(0);
      expect(beside.is).toMatchObject({ message: 'gone' });
    });
  });
});
