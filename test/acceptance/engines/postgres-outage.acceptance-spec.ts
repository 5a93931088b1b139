import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { beginLocked } from '../../../src/engines/postgres/postgres-connection.js';
import { errorOf } from '../../support/call-results.js';
import { describeEngines } from '../../support/engine.js';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.js';
import { type HttpProcess, startHttpProcess, type TestClient } from '../../support/mcp-clients.js';
import { type OwnPostgres, ownPostgres } from '../../support/own-postgres.js';
import { connectTo } from '../../support/postgres-database.js';
import { poll, runPith } from '../../support/processes.js';
import { suiteClients } from '../../support/suite-clients.js';
import { testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

const RULES = `
version: 1
policy:
  rules:
    - { name: work, tools: [run.*, claim.*], effect: allow }
`;
const TOKEN = 'the-token-of-the-agents';
const SLOW_MS = 60_000;

/** How calls that need the database may fail: with the reason, and what to do. */
const REFUSALS = new Set(['BACKEND_UNAVAILABLE postgres', 'TIMEOUT postgres', 'TIMEOUT deadline']);

const ready = ({ url }: HttpProcess): Promise<true> =>
  poll('an index', async () => (await fetch(new URL('/readyz', url))).ok || undefined, SLOW_MS);

/** The outcome of a call. */
interface Found {
  readonly isChange: boolean;
  /** `ok`, or the code and the reason. */
  readonly outcome: string;
}

/** Calls that each client repeats, one after the other, until the end. */
class Load {
  private isOver = false;
  private readonly found: Found[][];
  private readonly callers: Promise<void>[];

  constructor(clients: readonly TestClient[]) {
    this.found = clients.map(() => []);
    this.callers = clients.map(async (client, i) => {
      const note = async (isChange: boolean, tool: string, args: Record<string, unknown>): Promise<void> => {
        const result = await client.call(tool, args);
        const { code, message, details } = errorOf(result);
        const isClear = Boolean(message && details?.hint);
        const isRight = isChange || JSON.stringify(result).includes('ninety tons');
        const failure = result.isError ? `${code} ${isClear ? details.reason : 'without a hint'}` : 'wrong';
        this.found[i]?.push({ isChange, outcome: !result.isError && isRight ? 'ok' : failure });
      };
      while (!this.isOver) {
        await note(false, 'kb.search', { query: 'crane' });
        await note(false, 'kb.retrieve_evidence', { question: 'How much does the crane lift?' });
        await note(true, 'run.create', { run_type: 'load' });
        await note(true, 'claim.create', { statement: 'Tugs sleep.' });
      }
    });
  }

  /** Waits until each client has such an outcome of a call that ends from now on. */
  async until(matches: (found: Found) => boolean): Promise<void> {
    const since = this.found.map(({ length }) => length);
    const isDone = () => this.found.every((each, i) => each.slice(since[i]).some(matches));
    await Promise.race([
      poll('the outcome', () => isDone() || undefined, SLOW_MS),
      Promise.all(this.callers),
    ]);
  }

  async end(): Promise<Found[]> {
    this.isOver = true;
    await Promise.all(this.callers);
    return this.found.flat();
  }
}

describeEngines(['postgres'], 'two replicas without a disk that lose their database under load', () => {
  const folder = testFolder();
  let database: OwnPostgres;
  let line: FaultProxy;
  let env: Record<string, string>;
  let replicas: HttpProcess[] = [];
  let clients: TestClient[] = [];
  const open = suiteClients(() => ({ index: '', headers: { Authorization: `Bearer ${TOKEN}` } }));
  const index = () =>
    runPith(['index', folder.file('docs'), '--index', folder.file('job/index.sqlite')], {
      env: { ...env, PITH_DATABASE: database.url },
      maxMs: SLOW_MS,
    });

  beforeAll(async () => {
    database = await ownPostgres();
    const { hostname: host, port } = new URL(database.url);
    line = await startFaultProxy({ host, port: Number(port) });
    const url = new URL(database.url);
    url.port = String(line.port);
    writeFiles(folder.path, {
      'governance.yaml': RULES,
      'docs/cranes.md': '# Cranes\n\nThe crane lifts ninety tons.\n',
      'docs/berths.md': '# Berths\n\nThe harbour has nine berths.\n',
    });
    env = {
      PITH_SECRET: `a secret of all replicas ${randomUUID()}`,
      PITH_HTTP_TOKEN: TOKEN,
      PITH_PROJECT: 'harbour',
      PITH_DATABASE: url.href,
      PITH_INDEX_STORE: 'database',
      PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
      MCP_DOMAINS: 'run,claim',
      MCP_TOOL_NAMES: 'dotted',
    };
    expect(await index()).toMatchObject({ code: 0 });
    const starts = ['one', 'two'].map((name) => startHttpProcess(folder.file(`${name}/index.sqlite`), env));
    replicas = await Promise.all(starts);
    for (const server of replicas) await ready(server);
    clients = await Promise.all(
      replicas.flatMap(({ url }) => [open('v1', 'http', { url }), open('v2', 'http', { url })]),
    );
  }, 240_000);

  afterAll(async () => {
    for (const server of replicas) await server.stop();
    await line.stop();
    await database.remove();
    folder.remove();
  });

  it('say of a change that took too long that it may have been made', async () => {
    const late = { ...env, PITH_CALL_TIMEOUT_MS: '2000' };
    const server = await startHttpProcess(folder.file('late/index.sqlite'), late);
    replicas.push(server);
    await ready(server);
    const client = await open('v2', 'http', { url: server.url });
    const other = connectTo(database.url);
    await other.alone(beginLocked('work'), async () => {
      const { code, details } = errorOf(await client.call('run.create', { run_type: 'late' }));
      expect([code, details]).toEqual([
        'TIMEOUT',
        { reason: 'deadline', hint: expect.stringContaining('may have been made') },
      ]);
    });
    await other.close();
  }, 60_000);

  it.each([
    ['stopped', () => database.crash(), () => database.restart()],
    ['cut off', () => line.set({ mode: 'half-open' }), () => line.set({ mode: 'pass' })],
  ])(
    'answer from their copies while it is %s, refuse changes and say why, and go on when it is back',
    async (how, lose, restore) => {
      const load = new Load(clients);
      await load.until(({ isChange, outcome }) => isChange && outcome === 'ok');
      await lose();
      await load.until(({ isChange, outcome }) => isChange && outcome !== 'ok');
      await load.until(({ isChange, outcome }) => !isChange && outcome === 'ok');
      for (const { url } of replicas) expect((await fetch(new URL('/readyz', url))).status).toBe(200);
      await restore();
      await load.until(({ isChange, outcome }) => isChange && outcome === 'ok');
      const found = await load.end();
      expect(found.filter(({ isChange, outcome }) => !isChange && outcome !== 'ok')).toEqual([]);
      expect(found.filter(({ outcome }) => outcome !== 'ok' && !REFUSALS.has(outcome))).toEqual([]);
      appendFileSync(folder.file('docs/berths.md'), `Berth four is for ${how} tugs.\n`);
      expect(await index()).toMatchObject({ code: 0 });
      const knows = async (client: TestClient): Promise<true | undefined> => {
        const result = await client.call('kb.retrieve_evidence', { question: 'What is berth four for?' });
        return JSON.stringify(result).includes(`${how} tugs`) || undefined;
      };
      for (const client of clients) await poll('the new version', () => knows(client), SLOW_MS);
      const verified = await runPith(['ledger', 'verify', '--index', folder.file('none.sqlite')], { env });
      expect(verified.stdout).toContain('is intact');
    },
    240_000,
  );
});
