import { ResourceSubscriptions } from '../../../../src/mcp/transport/resource-subscriptions.js';

const A = 'docs:///a.md';

describe('ResourceSubscriptions', () => {
  let states: Record<string, string | null>;
  let told: string[];
  let subscriptions: ResourceSubscriptions;

  beforeEach(() => {
    states = { [A]: 'one', 'docs:///b.md': 'one' };
    told = [];
    const sendResourceUpdated = async ({ uri }: { uri: string }) => void told.push(uri);
    subscriptions = new ResourceSubscriptions({ sendResourceUpdated }, async (uri) => states[uri] ?? null);
  });

  afterEach(() => subscriptions.stop());

  it('tells of a document that has changed, once, and of no other', async () => {
    await subscriptions.add(A);
    await subscriptions.add('docs:///b.md');
    states[A] = 'two';
    await subscriptions.poll();
    await subscriptions.poll();
    expect(told).toEqual([A]);
  });

  it('tells of a document that is gone, and of one that is back', async () => {
    await subscriptions.add(A);
    states[A] = null;
    await subscriptions.poll();
    states[A] = 'one';
    await subscriptions.poll();
    expect(told).toEqual([A, A]);
  });

  it('refuses a document that can not be read', async () => {
    expect(await subscriptions.add('docs:///hidden.md')).toBe(false);
  });

  it('tells nothing after the end of a subscription', async () => {
    await subscriptions.add(A);
    subscriptions.remove(A);
    states[A] = 'two';
    await subscriptions.poll();
    expect(told).toEqual([]);
  });

  it('keeps a subscription while the index can not be read', async () => {
    const lost = new ResourceSubscriptions(
      { sendResourceUpdated: async ({ uri }) => void told.push(uri) },
      async () => {
        const state = states[A];
        if (state === null || state === undefined) throw new Error('index_missing');
        return state;
      },
    );
    await lost.add(A);
    states[A] = null;
    await lost.poll();
    states[A] = 'two';
    await lost.poll();
    lost.stop();
    expect(told).toEqual([A]);
  });

  it('limits the subscriptions of a connection', async () => {
    const uris = Array.from({ length: 101 }, (_, i) => `docs:///${i}.md`);
    for (const uri of uris) states[uri] = 'one';
    const adding = uris.reduce<Promise<unknown>>(
      (before, uri) => before.then(() => subscriptions.add(uri)),
      Promise.resolve(),
    );
    await expect(adding).rejects.toMatchObject({ reason: 'too_many_subscriptions' });
  });
});
