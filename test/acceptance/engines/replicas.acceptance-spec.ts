import { randomUUID } from 'node:crypto';
import { describeEngines, engineUrl } from '../../support/engine.js';
import {
  type CallResult,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../../support/mcp-clients.js';
import { type TestDatabase, testDatabase } from '../../support/postgres-database.js';
import { pithIndex, poll, runPith } from '../../support/processes.js';
import { type RoundRobin, startRoundRobin } from '../../support/round-robin.js';
import { suiteClients } from '../../support/suite-clients.js';
import { FIXTURE_CORPUS, testFolder } from '../../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const OWNERS = 'the-token-of-the-owners';
const OPERATORS = 'the-token-of-operators';
const SECRET = `a secret of all replicas ${randomUUID()}`;
const ENV = {
  PITH_SECRET: SECRET,
  PITH_HTTP_TOKEN: OWNERS,
  PITH_ADMIN_TOKEN: OPERATORS,
  PITH_SCRATCH_ENGINE: 'redis',
  PITH_SCRATCH_KEY: 'a key for tests of more than 32 characters',
  PITH_REDIS_URL: engineUrl('redis') ?? '',
};
const BROAD = { query: 'ship berth harbour', keywords: ['token', 'database', 'port'], top_k: 20 };

interface Page {
  readonly results: readonly {
    passage_id: string;
    scratch_uri: string;
    section_id: string;
    size_bytes: number;
  }[];
  readonly next_cursor: string | null;
}
const pageOf = (result: CallResult) => result.structuredContent as unknown as Page;
/** Without the id of the call, and without the port at which this client reached the server. */
const dataOf = (result: CallResult): unknown => {
  const data = { ...result.structuredContent, diagnostic_id: undefined };
  return JSON.parse(JSON.stringify(data).replaceAll(/127\.0\.0\.1:\d+/g, 'HOST'));
};

describeEngines(['redis'], 'two replicas behind a proxy', () => {
  let replicas: HttpProcess[] = [];
  let stranger: HttpProcess;
  let proxy: RoundRobin;
  const open = suiteClients(() => ({ index }));
  const connect = (url: string, token: string): Promise<TestClient> =>
    open('v2', 'http', { url, headers: { Authorization: `Bearer ${token}` } });
  const replica = (which: number, token = OWNERS) => connect(replicas[which]?.url ?? '', token);

  beforeAll(async () => {
    await pithIndex(FIXTURE_CORPUS, index);
    replicas = await Promise.all([startHttpProcess(index, ENV), startHttpProcess(index, ENV)]);
    stranger = await startHttpProcess(index, { ...ENV, PITH_SECRET: `${SECRET}!` });
    proxy = await startRoundRobin(replicas.map(({ url }) => url));
  });

  afterAll(async () => {
    await proxy.stop();
    for (const server of [...replicas, stranger]) await server.stop();
    folder.remove();
  });

  it('return every passage that either has stored', async () => {
    const [first, second] = [await replica(0), await replica(1)];
    const { results } = pageOf(await first.call('kb.search', BROAD));
    expect(results.length).toBeGreaterThan(3);
    for (const { passage_id } of results) {
      const args = { passage_id };
      const here = dataOf(await first.call('kb.read_excerpt', args));
      expect(dataOf(await second.call('kb.read_excerpt', args))).toEqual(here);
      expect(here).toMatchObject({ passage_id, excerpt: expect.stringMatching(/\S/) });
    }
  });

  it('return resources, listings and evidence of passages that the other has stored', async () => {
    const [first, second] = [await replica(0), await replica(1)];
    const [hit] = pageOf(await first.call('kb.search', { query: 'harbour berth' })).results;
    const uri = String(hit?.scratch_uri);
    expect(await second.readResource(uri)).toEqual(await first.readResource(uri));
    const passage_ids = [hit?.passage_id];
    const asked = { question: 'What is a berth in the harbour?', passage_ids };
    expect(dataOf(await second.call('kb.extract_evidence', asked))).toEqual(
      dataOf(await first.call('kb.extract_evidence', asked)),
    );
    const listed = (await second.call('scratch.list')).structuredContent as { passages: unknown[] };
    expect(listed.passages[0]).toMatchObject({ passage_id: hit?.passage_id });
  });

  it('continue an excerpt where the other has read last', async () => {
    const [first, second] = [await replica(0), await replica(1)];
    const { results } = pageOf(await first.call('kb.search', BROAD));
    const long = results.find(({ size_bytes: size }) => size > 150);
    const passage_id = long?.passage_id;
    const read = { passage_id, max_tokens: 20 };
    expect(dataOf(await first.call('kb.read_excerpt', read))).toMatchObject({ truncated: true });
    const grown = await second.call('kb.expand_excerpt', { passage_id, before_tokens: 0, after_tokens: 20 });
    await first.call('kb.read_excerpt', read);
    const grownHere = await first.call('kb.expand_excerpt', {
      passage_id,
      before_tokens: 0,
      after_tokens: 20,
    });
    expect(grown.structuredContent).toMatchObject({ passage_id, excerpt: expect.stringMatching(/\S/) });
    expect(dataOf(grown)).toEqual(dataOf(grownHere));
  });

  it('answer other callers as if there were no such passage', async () => {
    const { results } = pageOf(await (await replica(0)).call('kb.search', BROAD));
    expect(results.length).toBeGreaterThan(3);
    const strangers = [await replica(1, OPERATORS), await connect(stranger.url, OWNERS)];
    const unknown = 'x'.repeat(22);
    for (const other of strangers) {
      const nothing = await other.call('kb.read_excerpt', { passage_id: unknown });
      for (const { passage_id } of results) {
        const refused = await other.call('kb.read_excerpt', { passage_id });
        expect(dataOf(refused)).toEqual(dataOf(nothing));
        expect(refused.structuredContent).toMatchObject({
          error: { code: 'INVALID_ARGUMENT', details: { reason: 'passage_not_found' } },
        });
      }
      await expect(other.readResource(String(results[0]?.scratch_uri))).rejects.toMatchObject({
        data: { details: { reason: 'passage_not_found' } },
      });
      const listed = (await other.call('scratch.list')).structuredContent as { passages: unknown[] };
      expect(listed.passages).toEqual([]);
    }
  });

  it('accept cursors of each other', async () => {
    const client = await connect(proxy.url, OWNERS);
    const [before] = [[...proxy.served]];
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = pageOf(await client.call('kb.search', { ...BROAD, page_size: 3, cursor }));
      seen.push(...page.results.map(({ section_id }) => section_id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    const whole = pageOf(await (await replica(0)).call('kb.search', { ...BROAD, page_size: 20 }));
    expect(seen).toEqual(whole.results.map(({ section_id }) => section_id));
    expect(proxy.served.every((count, i) => count > (before[i] ?? 0))).toBe(true);
  });

  it('serve many callers, and each returns the passages that the other stored', async () => {
    const visitors = await Promise.all(Array.from({ length: 8 }, () => connect(proxy.url, OWNERS)));
    const outcomes = await Promise.all(
      visitors.map(async (client, i) => {
        const words = ['harbour', 'token', 'database', 'ship'];
        const { results } = pageOf(await client.call('kb.search', { query: `${words[i % 4]} berth` }));
        const read = results.flatMap(({ passage_id }) =>
          [1, 2].map(() => client.call('kb.read_excerpt', { passage_id })),
        );
        return (await Promise.all(read)).map(({ isError }) => isError === true);
      }),
    );
    expect(outcomes.flat().length).toBeGreaterThan(30);
    expect(outcomes.flat()).not.toContain(true);
  });

  it('keep all passages when one of them is replaced', async () => {
    const first = await replica(0);
    const [hit] = pageOf(await first.call('kb.search', { query: 'harbour berth' })).results;
    await replicas[0]?.stop();
    const fresh = await startHttpProcess(index, ENV);
    replicas.push(fresh);
    const read = await (
      await connect(fresh.url, OWNERS)
    ).call('kb.read_excerpt', { passage_id: hit?.passage_id });
    expect(read.structuredContent).toMatchObject({ passage_id: hit?.passage_id });
  });
});

describeEngines(['redis', 'postgres'], 'a rolling restart of two replicas under load', () => {
  const place = testFolder();
  const served = place.file('index.sqlite');
  const CALLERS = 8;
  let database: TestDatabase;
  let env: Record<string, string>;
  let running: HttpProcess[] = [];
  let proxy: RoundRobin;
  const open = suiteClients(() => ({ index: served }));

  beforeAll(async () => {
    database = await testDatabase();
    env = { ...ENV, PITH_GOVERNANCE_DATABASE: database.url };
    await pithIndex(FIXTURE_CORPUS, served);
    running = [await startHttpProcess(served, env), await startHttpProcess(served, env)];
    proxy = await startRoundRobin(running.map(({ url }) => url));
  }, 60_000);

  afterAll(async () => {
    await proxy.stop();
    for (const server of running) await server.stop();
    await database.remove();
    place.remove();
  });

  /** Replaces the oldest replica like a Deployment: a new one is ready, the old one gets no new requests, then SIGTERM. */
  async function replaceOldest(): Promise<void> {
    const fresh = await startHttpProcess(served, env);
    const ready = new URL('/readyz', fresh.url);
    await poll('the new replica', async () => (await fetch(ready)).ok || undefined);
    const [oldest, ...others] = running;
    running = [...others, fresh];
    proxy.retarget(running.map(({ url }) => url));
    await oldest?.stop();
    expect([oldest?.child.exitCode, oldest?.child.signalCode]).toEqual([0, null]);
  }

  const lines = () =>
    database.sql(
      `SELECT count(*)::int AS lines, count(DISTINCT substring(event from '"call_id":"([^"]*)"'))::int AS calls
       FROM pith.ledger_line WHERE event LIKE '%"type":"tool.call.completed"%'`,
    );

  it('fails no call, and the ledger has each of them once', async () => {
    // Lines of an attempt that failed.
    const before = Number((await lines())[0]?.['lines']);
    const headers = { Authorization: `Bearer ${OWNERS}` };
    const clients = await Promise.all(
      Array.from({ length: CALLERS }, () => open('v2', 'http', { url: proxy.url, headers })),
    );
    const failures: string[] = [];
    let [calls, isOver] = [0, false];
    const call = async (client: TestClient, name: string, args: Record<string, unknown>) => {
      calls++;
      try {
        const result = await client.call(name, args);
        if (result.isError === true) failures.push(JSON.stringify(result.structuredContent));
        return result;
      } catch (error) {
        failures.push(String(error));
        return null;
      }
    };
    const callers = clients.map(async (client) => {
      while (!isOver) {
        const found = await call(client, 'kb.search', { query: 'harbour berth' });
        const passage_id = found && pageOf(found).results[0]?.passage_id;
        if (passage_id) await call(client, 'kb.read_excerpt', { passage_id });
        await call(client, 'kb.retrieve_evidence', { question: 'What is a berth in the harbour?' });
      }
    });
    for (let restart = 0; restart < 4; restart++) await replaceOldest();
    isOver = true;
    await Promise.all(callers);
    expect(failures).toEqual([]);
    expect(calls).toBeGreaterThan(100);
    for (const server of running) await server.stop();
    expect(await lines()).toEqual([{ lines: before + calls, calls: before + calls }]);
    const verified = await runPith(['ledger', 'verify', '--index', served], { env });
    expect(verified.stdout).toContain('is intact');
  }, 120_000);
});
