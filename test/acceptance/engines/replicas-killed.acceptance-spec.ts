import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { ApprovalStore } from '../../../src/governance/approvals/approval-store.js';
import { describeEngines } from '../../support/engine.js';
import { governanceAt } from '../../support/governance-stores.js';
import { connectTo, type TestDatabase, testDatabase } from '../../support/postgres-database.js';
import { runPith } from '../../support/processes.js';
import { KilledReplicas, LoadReport, putLoad } from '../../support/replica-load.js';
import { type RoundRobin, startRoundRobin } from '../../support/round-robin.js';
import { suiteClients } from '../../support/suite-clients.js';
import { FIXTURE_CORPUS, testFolder } from '../../support/test-folder.js';

/** With 600, the figures of docs/operations.md. */
const SECONDS = Number(process.env['REPLICAS_SECONDS'] ?? 75);
const KILL_EVERY_MS = 10_000;
const REPLICAS = 3;
/** Of each era. */
const CALLERS = 3;
/** What a kill may lose of batched lines: 100 ms, and what other work on the machine adds. */
const MAX_LOST_MS = 1_000;

const RULES = `
version: 1
policy:
  rules:
    - { name: ask-first, tools: [search_docs], effect: approve }
    - { name: work, tools: [run.*, substrate.*, claim.*], effect: allow }
`;
const TOKEN = 'the-token-of-the-agents';

/** Calls that start after their line is stored. */
const WRITES = /^(?:run\.(?!get)|claim\.create|substrate\.artifact\.upload)/;

/** Calls in the ledger, by the type of their lines. */
const CALLS = (type: string) =>
  `SELECT substring(event from '"call_id":"([^"]*)"') AS call FROM pith.ledger_line
   WHERE event LIKE '%"type":"tool.call.${type}"%'`;
/** Approvals that were decided or used more than once. */
const REPEATED_APPROVALS = `SELECT approval, type FROM (SELECT substring(event from '"approval_id":"([^"]*)"') AS approval,
    substring(event from '"type":"(approval.decided|approval.used)"') AS type FROM pith.ledger_line) AS line
  WHERE type IS NOT NULL GROUP BY approval, type HAVING count(*) > 1`;
/** Runs and claims of first attempts that got no answer. */
const MADE_TWICE = `SELECT (SELECT count(*)::int FROM pith.run WHERE status = 'created') AS runs,
  (SELECT count(*)::int - count(DISTINCT statement)::int FROM pith.claim) AS claims`;
/** Events of runs whose numbers are not 1, 2, 3 … */
const WRONG_EVENTS = `SELECT run FROM (SELECT run, substring(event from '"number":([0-9]+)')::int AS number
    FROM pith.ledger_line WHERE event LIKE '%"type":"run.%') AS line
  GROUP BY run HAVING count(*) <> max(number) OR count(DISTINCT number) <> count(*)`;

describeEngines(['postgres'], `three replicas without a disk, killed in turn for ${SECONDS} s`, () => {
  const folder = testFolder();
  const index = folder.file('index.sqlite');
  const report = new LoadReport();
  let database: TestDatabase;
  let replicas: KilledReplicas;
  /** One for each caller, so that each of its requests goes to another replica than the one before. */
  let proxies: RoundRobin[] = [];
  let env: Record<string, string>;
  const open = suiteClients(() => ({ index, headers: { Authorization: `Bearer ${TOKEN}` } }));
  const served = (): number[] =>
    Array.from({ length: REPLICAS }, (_, which) =>
      proxies.reduce((sum, { served: by }) => sum + (by[which] ?? 0), 0),
    );
  const callsIn = async (type: string): Promise<string[]> =>
    (await database.sql(CALLS(type))).map(({ call }) => String(call));

  beforeAll(
    async () => {
      database = await testDatabase();
      writeFileSync(folder.file('governance.yaml'), RULES);
      env = {
        PITH_SECRET: `a secret of all replicas ${randomUUID()}`,
        PITH_HTTP_TOKEN: TOKEN,
        ...{ PITH_PROJECT: 'harbour', PITH_ENVIRONMENT: 'dev' },
        PITH_DATABASE: database.url,
        PITH_INDEX_STORE: 'database',
        PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
        MCP_DOMAINS: 'run,substrate,claim',
        MCP_TOOL_NAMES: 'dotted',
      };
      replicas = new KilledReplicas(folder.path, env);
      const indexed = await runPith(['index', FIXTURE_CORPUS, '--index', index], { env, maxMs: 60_000 });
      expect(indexed).toMatchObject({ code: 0 });
      const urls = await replicas.start(REPLICAS);
      const eras = Array.from({ length: CALLERS }, () => ['v1', 'v2'] as const).flat();
      proxies = await Promise.all(eras.map(() => startRoundRobin(urls)));
      const approvals = new ApprovalStore(governanceAt(connectTo(database.url)), Date.now);
      const clients = await Promise.all(
        eras.map((era, i) => open(era, 'http', { url: proxies[i]?.url ?? '' })),
      );
      const until = Date.now() + SECONDS * 1_000;
      const decide = (id: string) =>
        approvals.decide(id, { by: 'ann', verdict: 'approved', via: 'command', reason: null });
      const load = putLoad({ clients, report, decide, isOver: () => Date.now() > until });
      const balance = (ready: readonly string[]): void => proxies.forEach(({ retarget }) => retarget(ready));
      await Promise.all([load, replicas.killEvery(KILL_EVERY_MS, until, balance)]);
      await approvals.close();
      await replicas.stop();
    },
    (SECONDS + 240) * 1_000,
  );

  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await replicas.stop();
    await database.remove();
    folder.remove();
  });

  it('fail no call of clients that repeat a call once', () => {
    expect(report.failures).toEqual([]);
    expect(replicas.killedAt.length).toBeGreaterThanOrEqual(Math.floor(SECONDS / 20));
    expect(Math.min(...served())).toBeGreaterThan(20);
  });

  it('write one chain that has each call once, except the last reads of a killed one', async () => {
    const [started, completed] = [await callsIn('started'), await callsIn('completed')];
    const known = new Set(completed);
    const lost = report.answered.filter(({ id }) => !known.has(id));
    const ages = lost.map(({ at }) => Math.min(...replicas.killedAt.map((kill) => Math.abs(kill - at))));
    if (process.env['REPLICAS_SECONDS'] !== undefined) {
      const { killedAt, failedStarts } = replicas;
      const [twice] = await database.sql(MADE_TWICE);
      const figures = {
        kills: killedAt.length,
        failedStarts,
        lost: lost.length,
        oldestMs: Math.max(0, ...ages),
        ...twice,
      };
      process.stderr.write(`${JSON.stringify({ ...report.figures, ...figures, served: served() })}\n`);
    }
    expect([new Set(started).size, new Set(completed).size]).toEqual([started.length, completed.length]);
    expect(Math.max(0, ...ages)).toBeLessThan(MAX_LOST_MS);
    const writes = report.answered.filter(({ tool }) => WRITES.test(tool)).map(({ id }) => id);
    const knownStarts = new Set(started);
    expect(writes.filter((id) => !knownStarts.has(id))).toEqual([]);
    const verified = await runPith(['ledger', 'verify', '--index', index], { env });
    expect(verified.stdout).toContain('is intact');
  });

  it('decide and use each approval once, and record each event of a run once', async () => {
    expect(report.approved).toBeGreaterThan(0);
    expect(await database.sql(REPEATED_APPROVALS)).toEqual([]);
    expect(await database.sql(WRONG_EVENTS)).toEqual([]);
  });
});
