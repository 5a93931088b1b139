import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { ApprovalStore } from '../../../src/governance/approvals/approval-store.js';
import { ledgerKeys } from '../../../src/governance/ledger/ledger-chain.js';
import type { LedgerEvent } from '../../../src/governance/ledger/ledger-event.js';
import { PostgresLedgerStore } from '../../../src/governance/ledger/store/postgres-ledger-store.js';
import { describeEngines } from '../../support/engine.js';
import { governanceAt } from '../../support/governance-stores.js';
import {
  type CallResult,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../../support/mcp-clients.js';
import { connectTo, type TestDatabase, testDatabase } from '../../support/postgres-database.js';
import { pithIndex, poll, runPith } from '../../support/processes.js';
import { type RoundRobin, startRoundRobin } from '../../support/round-robin.js';
import { suiteClients } from '../../support/suite-clients.js';
import { FIXTURE_CORPUS, testFolder } from '../../support/test-folder.js';

const RULES = `
version: 1
policy:
  rules:
    - { name: ask-first, tools: [kb.search], effect: approve }
`;
const TOKEN = 'the-token-of-the-owners';
const SECRET = `a secret of all replicas ${randomUUID()}`;

interface Refusal {
  readonly code: string;
  readonly details: { readonly reason: string; readonly approval_id?: string };
}
const refusalOf = ({ structuredContent }: CallResult): Refusal | undefined =>
  structuredContent?.['error'] as Refusal | undefined;
const idOf = (result: CallResult): string => String(refusalOf(result)?.details.approval_id);

describeEngines(['postgres'], 'two replicas on one PostgreSQL', () => {
  const folder = testFolder();
  const index = folder.file('index.sqlite');
  let database: TestDatabase;
  let replicas: HttpProcess[];
  let proxy: RoundRobin;
  let approvals: ApprovalStore;
  let ledger: PostgresLedgerStore;
  let env: Record<string, string>;
  const open = suiteClients(() => ({ index, headers: { Authorization: `Bearer ${TOKEN}` } }));
  const connect = (url = ''): Promise<TestClient> => open('v2', 'http', { url });
  const approve = (id: string) =>
    approvals.decide(id, { by: 'ann', verdict: 'approved', via: 'command', reason: null });
  const search = (client: TestClient, query: string) => client.call('kb.search', { query });
  const events = async (): Promise<LedgerEvent[]> => {
    const lines = await ledger.lines({ from: 'oldest', limit: 1_000 });
    return lines.map(({ event }) => event);
  };

  beforeAll(async () => {
    database = await testDatabase();
    writeFileSync(folder.file('governance.yaml'), RULES);
    env = {
      PITH_SECRET: SECRET,
      PITH_HTTP_TOKEN: TOKEN,
      PITH_GOVERNANCE_DATABASE: database.url,
      PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
    };
    await pithIndex(FIXTURE_CORPUS, index);
    replicas = await Promise.all([startHttpProcess(index, env), startHttpProcess(index, env)]);
    proxy = await startRoundRobin(replicas.map(({ url }) => url));
    approvals = new ApprovalStore(governanceAt(connectTo(database.url)), Date.now);
    ledger = new PostgresLedgerStore({
      connection: connectTo(database.url),
      keys: ledgerKeys(SECRET),
      name: 'postgres://test/pith',
    });
  }, 60_000);

  afterAll(async () => {
    await proxy.stop();
    for (const server of replicas) await server.stop();
    await approvals.close();
    await ledger.close();
    await database.remove();
    folder.remove();
  });

  it('share approvals: requested at one, used once at the other', async () => {
    const [first, second] = [await connect(replicas[0]?.url), await connect(replicas[1]?.url)];
    const id = idOf(await search(first, 'harbour'));
    expect(idOf(await search(second, 'harbour'))).toBe(id);
    await approve(id);
    expect(refusalOf(await search(second, 'harbour'))).toBeUndefined();
    for (const again of [await search(first, 'harbour'), await search(second, 'harbour')]) {
      expect(refusalOf(again)?.details.reason).toBe('approval_required');
      expect(idOf(again)).not.toBe(id);
    }
  });

  it('let exactly one of many concurrent calls use an approval', async () => {
    const callers = await Promise.all(Array.from({ length: 6 }, () => connect(proxy.url)));
    const [one] = callers;
    if (!one) throw new Error('no caller');
    const before = [...proxy.served];
    await approve(idOf(await search(one, 'berth')));
    const results = await Promise.all(callers.map((client) => search(client, 'berth')));
    expect(results.filter((result) => refusalOf(result) === undefined)).toHaveLength(1);
    expect(proxy.served.every((count, i) => count > (before[i] ?? 0))).toBe(true);
  });

  it('write one chain that has each call once', async () => {
    const asked = 12;
    const completed = await poll('the last lines', async () => {
      const found = (await events()).filter(({ type }) => type === 'tool.call.completed');
      return found.length >= asked ? found : undefined;
    });
    const ids = completed.map((event) => 'call_id' in event && event.call_id);
    expect([ids.length, new Set(ids).size]).toEqual([asked, asked]);
    const types = (await events()).map(({ type }) => type);
    expect(types.filter((type) => type === 'tool.call.started')).toHaveLength(2);
    expect(types.filter((type) => type === 'approval.used')).toHaveLength(2);
    expect(await ledger.verify()).toMatchObject({ isIntact: true });
  });

  it('have a line for each decision on the command line', async () => {
    const id = idOf(await search(await connect(replicas[0]?.url), 'pier'));
    const { code, stderr } = await runPith(['approvals', 'approve', id, '--index', index], { env });
    expect([code, stderr]).toEqual([0, '']);
    const decided = (await events()).filter(({ type }) => type === 'approval.decided');
    expect(decided).toMatchObject([{ approval_id: id, via: 'command', verdict: 'approved' }]);
  });

  it('are verified by the command, which shows no password', async () => {
    const { code, stdout, stderr } = await runPith(['ledger', 'verify', '--index', index], { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('is intact')]);
    expect(stdout + stderr).toContain(new URL(database.url).pathname);
    expect(stdout + stderr).not.toContain(new URL(database.url).password);
    const file = folder.file('none.sqlite');
    const ofFile = await runPith(['ledger', 'verify', '--index', index, '--file', file], { env });
    expect([ofFile.code, ofFile.stderr]).toEqual([1, expect.stringContaining('There is no ledger at')]);
  });

  it('answer reads while the database is down, and fail calls that need it with BACKEND_UNAVAILABLE', async () => {
    const client = await connect(replicas[0]?.url);
    await database.sql('ALTER SCHEMA pith RENAME TO away');
    const read = await client.call('scratch.list');
    const refused = refusalOf(await search(client, 'quay'));
    await database.sql('ALTER SCHEMA away RENAME TO pith');
    expect(read.structuredContent).toMatchObject({ passages: expect.anything() });
    expect(refused?.code).toBe('BACKEND_UNAVAILABLE');
    expect(idOf(await search(client, 'quay'))).not.toBe('undefined');
  });
});
