import { BackendUnavailableError } from '../../../../../src/core/errors.js';
import { withRetries } from '../../../../../src/engines/models/embedding/http-text-model.js';
import { HttpFailure, NoAnswer, UnreadableAnswer } from '../../../../../src/engines/models/http/post-json.js';

const unavailable = (cause: unknown): Error =>
  new BackendUnavailableError('it is gone', { reason: 'embedder', hint: 'wait', cause });

/** Fails with each of these errors in turn, then answers. */
function failing(...errors: readonly Error[]): () => Promise<string> {
  const left = [...errors];
  return async () => {
    const error = left.shift();
    if (error) throw error;
    return 'answer';
  };
}

describe('withRetries', () => {
  const waits: number[] = [];
  const wait = async (ms: number): Promise<void> => void waits.push(ms);
  beforeEach(() => waits.splice(0));

  it('retries with growing waits', async () => {
    const ask = failing(unavailable(new NoAnswer()), unavailable(new HttpFailure(503, null)));
    expect(await withRetries(ask, { retries: 3, wait, isKnown: true })).toBe('answer');
    expect(waits).toEqual([1_000, 2_000]);
  });

  it('waits as long as the server asks for, at most a minute', async () => {
    const ask = failing(
      unavailable(new HttpFailure(429, 7_000)),
      unavailable(new HttpFailure(429, 3_600_000)),
    );
    expect(await withRetries(ask, { retries: 3, wait, isKnown: true })).toBe('answer');
    expect(waits).toEqual([7_000, 60_000]);
  });

  it('gives up after the given number of retries', async () => {
    const ask = failing(unavailable(new HttpFailure(503, null)), unavailable(new HttpFailure(500, null)));
    await expect(withRetries(ask, { retries: 1, wait, isKnown: true })).rejects.toMatchObject({
      cause: { status: 500 },
    });
    expect(waits).toEqual([1_000]);
  });

  it('does not retry a failed connection to a server that has never answered', async () => {
    const error = unavailable(new NoAnswer());
    await expect(withRetries(failing(error), { retries: 3, wait, isKnown: false })).rejects.toBe(error);
    expect(waits).toEqual([]);
  });

  it('retries if a server is busy from the start', async () => {
    const ask = failing(unavailable(new HttpFailure(503, null)));
    expect(await withRetries(ask, { retries: 3, wait, isKnown: false })).toBe('answer');
  });

  it.each([
    ['a refused key', unavailable(new HttpFailure(401, null))],
    ['a request that is too large', unavailable(new HttpFailure(413, null))],
    ['nonsense', unavailable(new UnreadableAnswer('no JSON'))],
    ['wrong dimensions', unavailable(undefined)],
    ['an internal error', new Error('oh')],
  ])('does not retry after %s', async (_, error) => {
    await expect(withRetries(failing(error), { retries: 3, wait, isKnown: true })).rejects.toBe(error);
    expect(waits).toEqual([]);
  });
});
