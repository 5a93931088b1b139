import {
  answerLater,
  answerNow,
  ask,
  type Flow,
  type Soon,
} from '../../../../src/kb/search/search-engine.js';

/** Asks two questions; the second depends on the first answer. */
function* double(look: (term: string) => Soon<string>): Flow<string> {
  const first = yield* ask(() => look('first'));
  return yield* ask(() => look(first));
}

describe('a flow', () => {
  it('continues synchronously with each answer', () => {
    expect(answerNow(double((term) => `${term}!`))).toBe('first!!');
  });

  it('waits for each answer', async () => {
    expect(await answerLater(double(async (term) => `${term}!`))).toBe('first!!');
  });

  it('fails with the error of the step that failed', async () => {
    const fail = (): string => {
      throw new Error('gone');
    };
    expect(() => answerNow(double(fail))).toThrow('gone');
    await expect(answerLater(double(async () => fail()))).rejects.toThrow('gone');
  });
});
