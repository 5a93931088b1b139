import { BackendUnavailableError } from '../../../src/core/errors.js';
import { IndexFollower } from '../../../src/engines/index-follower.js';
import type { SharedIndex } from '../../../src/engines/shared-index.js';

const MISSING = new BackendUnavailableError('There is no index.', {
  reason: 'index_missing',
  hint: 'Index.',
});
const DOWN = new BackendUnavailableError('PostgreSQL does not answer.', {
  reason: 'postgres',
  hint: 'Start it.',
});

/** A follower of an index whose looks at the database end like these, one after the other. */
function aFollower(...looks: SharedIndex['fetch'][]) {
  const fetch = jest.fn(() => (looks.shift() ?? (async () => null))());
  const close = jest.fn(async () => undefined);
  return { follower: new IndexFollower({ fetch, close }, 1), fetch, close };
}
const until = async (test: () => boolean): Promise<void> => {
  while (!test()) await new Promise((resolve) => setTimeout(resolve, 1));
};

describe('IndexFollower', () => {
  let told: string[];
  beforeEach(() => {
    told = [];
    jest.spyOn(process.stderr, 'write').mockImplementation((line) => told.push(String(line)) > 0);
  });
  afterEach(() => jest.restoreAllMocks());

  it('looks again and again, until it is closed', async () => {
    const { follower, fetch, close } = aFollower();
    follower.start();
    await until(() => fetch.mock.calls.length > 3);
    await follower.close();
    const looks = fetch.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect([fetch.mock.calls.length, close.mock.calls.length]).toEqual([looks, 1]);
  });

  it('says which version it has fetched', async () => {
    const { follower } = aFollower(async () => ({ version: 7, size: 1, sha256: '' }));
    follower.start();
    await until(() => told.length > 0);
    await follower.close();
    expect(told).toEqual(['pith: version 7 of the index is here, from PITH_DATABASE\n']);
  });

  it('explains why there is no index: it comes, it does not exist, the database is down', async () => {
    let arrive = (): void => undefined;
    const coming = new Promise<null>((resolve) => (arrive = () => resolve(null)));
    const { follower } = aFollower(
      () => coming,
      async () => null,
      () => Promise.reject(DOWN),
    );
    follower.start();
    expect(follower.explain(MISSING)).toMatchObject({ reason: 'indexing', hint: 'Call again in 5 s.' });
    arrive();
    await until(() => follower.explain(MISSING)?.message.includes('no index of this project yet') === true);
    await until(() => follower.failingSince !== null);
    expect(follower.explain(MISSING)).toBe(DOWN);
    expect(follower.explain(DOWN)).toBeNull();
    await follower.close();
  });

  it('says a failure once, and forgets it after a success', async () => {
    const down = () => Promise.reject(DOWN);
    const { follower, fetch } = aFollower(down, down, down);
    follower.start();
    await until(() => fetch.mock.calls.length > 4);
    await follower.close();
    expect(told).toEqual(['pith: PostgreSQL does not answer.\n      Start it.\n']);
    expect(follower.failingSince).toBeNull();
  });
});
