import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { detailsOf, outcomeOf } from './call-results.js';
import { type CallResult, type HttpProcess, startHttpProcess, type TestClient } from './mcp-clients.js';
import { poll } from './processes.js';

type Json = Record<string, unknown>;

/** A call that was answered, for the comparison with the ledger. */
export interface AnsweredCall {
  readonly id: string;
  readonly tool: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What the callers saw. */
export class LoadReport {
  readonly failures: string[] = [];
  readonly answered: AnsweredCall[] = [];
  readonly tookMs: number[] = [];
  retries = 0;
  /** Repeated changes that were refused because the first attempt had taken effect. */
  confirmed = 0;
  approved = 0;
  /** Approvals that a killed server had used. */
  repeatedApprovals = 0;

  get figures() {
    const { retries, confirmed, approved, repeatedApprovals } = this;
    const times = this.tookMs.toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
    const answered = this.answered.length;
    return {
      answered,
      retries,
      confirmed,
      approved,
      repeatedApprovals,
      p50: at(0.5),
      p99: at(0.99),
      max: at(0.999999),
    };
  }
}

/** Time after which a load balancer has noticed that a server is gone (ms). Until then, it tries the next one. */
const NOTICE_MS = 1_000;
const START_MS = 120_000;

const causeOf = (error: unknown): string =>
  error instanceof Error && error.cause ? `${String(error)}: ${String(error.cause)}` : String(error);

/** Calls tools as a client that repeats a call once, and at once, if it got no answer. */
export class RetryingClient {
  constructor(
    private readonly client: TestClient,
    readonly report: LoadReport,
  ) {}

  /** @returns null if the call failed twice or was refused, which is a failure, unless the refusal is expected */
  async call(tool: string, args: Json, expected: readonly string[] = []): Promise<CallResult | null> {
    const { report } = this;
    const before = performance.now();
    let isRepeated = false;
    const result = await this.client.call(tool, args).catch(async (first: unknown) => {
      report.retries++;
      isRepeated = true;
      return this.client.call(tool, args).catch((second: unknown) => {
        report.failures.push(`${tool}: ${causeOf(first)}, then ${causeOf(second)}`);
        return null;
      });
    });
    report.tookMs.push(performance.now() - before);
    if (!result) return null;
    const id = String(result._meta?.['pith/tool_call_id']);
    report.answered.push({ id, tool, at: Date.now() });
    const outcome = String(outcomeOf(result));
    if (outcome === 'ok' || expected.includes(outcome)) return result;
    if (isRepeated && TAKEN_EFFECT.has(outcome)) report.confirmed++;
    else report.failures.push(`${tool}: ${JSON.stringify(result.structuredContent)}`);
    return null;
  }

  async output(tool: string, args: Json = {}): Promise<Json> {
    return (await this.call(tool, args))?.structuredContent ?? {};
  }
}

/** Refusals of a repeated change whose first attempt has taken effect. */
const TAKEN_EFFECT = new Set(['wrong_status', 'conflict']);

const check = (client: RetryingClient, isRight: boolean, what: string): void => {
  if (!isRight) client.report.failures.push(what);
};

/** Searches, and reads what another replica has stored. */
async function read(client: RetryingClient): Promise<void> {
  const found = await client.output('kb.search', { query: 'harbour berth' });
  const results = (found['results'] ?? []) as Json[];
  check(client, results.length > 0, `no results: ${JSON.stringify(found)}`);
  check(client, found['degraded'] === undefined, `degraded: ${JSON.stringify(found['degraded'])}`);
  for (const { passage_id } of results.slice(0, 2)) {
    const { excerpt } = await client.output('kb.read_excerpt', { passage_id });
    check(client, typeof excerpt === 'string' && excerpt !== '', 'an empty excerpt');
  }
  await client.output('kb.retrieve_evidence', { question: 'What is a berth in the harbour?' });
}

/** One run from its creation to its end. */
async function work(client: RetryingClient): Promise<void> {
  const { run_id } = await client.output('run.create', { run_type: 'load' });
  await client.call('run.start', { run_id });
  await client.call('run.log_step', { run_id, step_name: 'read', event: 'start' });
  await client.call('run.checkpoint', { run_id, state: '{"n":1}', expected_version: 0 });
  await client.call('run.complete', { run_id });
  const { status, checkpoint } = await client.output('run.get', { run_id, checkpoint: 0 });
  const kept = JSON.stringify((checkpoint as Json | undefined)?.['state']);
  check(
    client,
    status === 'completed' && kept === '{"n":1}',
    `run ${String(run_id)}: ${String(status)} ${kept}`,
  );
}

/** An artifact and a claim, read elsewhere. */
async function store(client: RetryingClient, name: string): Promise<void> {
  const { sha256 } = await client.output('substrate.artifact.upload', { text: name });
  const { text } = await client.output('substrate.artifact.get', { sha256 });
  check(client, text === name, `artifact of ${name}: ${String(text)}`);
  const { claim_id } = await client.output('claim.create', { statement: name });
  const { statement } = await client.output('claim.get', { claim_id });
  check(client, statement === name, `claim of ${name}: ${String(statement)}`);
}

/** A call that an operator has to approve. */
async function approve(client: RetryingClient, name: string, decide: (id: string) => Promise<unknown>) {
  const { report } = client;
  for (let attempts = 0; attempts < 3; attempts++) {
    const result = await client.call('search_docs', { query: name }, ['approval_required']);
    if (!result) return;
    if (!result.isError) {
      report.approved++;
      report.repeatedApprovals += attempts - 1;
      return;
    }
    await decide(String(detailsOf(result).approval_id));
  }
  report.failures.push(`approval of ${name} was never used`);
}

/** What callers do until the end. */
export interface Load {
  readonly clients: readonly TestClient[];
  readonly report: LoadReport;
  readonly decide: (id: string) => Promise<unknown>;
  readonly isOver: () => boolean;
}

/** Calls tools of all kinds, each client for itself, until the load is over. */
export async function putLoad({ clients, report, decide, isOver }: Load): Promise<void> {
  const callers = clients.map(async (plain, i) => {
    const client = new RetryingClient(plain, report);
    for (let round = 0; !isOver(); round++) {
      const name = `harbour ${i} ${round}`;
      await read(client);
      await work(client);
      await store(client, name);
      await approve(client, name, decide);
    }
  });
  await Promise.all(callers);
}

/** Replicas without a disk, which are killed one after the other and started again at their address. */
export class KilledReplicas {
  readonly killedAt: number[] = [];
  /** Starts that failed, as they do if the database does not answer in time. */
  failedStarts = 0;
  private readonly running: HttpProcess[] = [];

  /** @param folder  of all of them: each has a folder in it, which is empty when it starts */
  constructor(
    private readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  async start(count: number): Promise<string[]> {
    const started = Array.from({ length: count }, (_, which) => this.startOne(which, {}));
    this.running.push(...(await Promise.all(started)));
    return this.urls;
  }

  private get urls(): string[] {
    return this.running.map(({ url }) => url);
  }

  /**
   * Kills one at each interval, or as soon as all are ready again, until the end.
   * @param balance  gets the replicas that are ready, as a load balancer learns it: not at once when one is killed
   */
  async killEvery(intervalMs: number, until: number, balance: (ready: readonly string[]) => void) {
    for (let i = 0; Date.now() + intervalMs < until; i++) {
      const interval = sleep(intervalMs);
      if (i > 0) await this.replace((i - 1) % this.running.length, balance);
      await interval;
    }
    await sleep(Math.max(0, until - Date.now()));
  }

  async stop(): Promise<void> {
    for (const server of this.running) await server.stop();
  }

  private async replace(which: number, balance: (ready: readonly string[]) => void): Promise<void> {
    const killed = this.running[which];
    if (!killed) return;
    const exited = once(killed.child, 'exit');
    this.killedAt.push(Date.now());
    killed.child.kill('SIGKILL');
    await exited;
    await sleep(NOTICE_MS);
    balance(this.urls.filter((url) => url !== killed.url));
    this.running[which] = await this.startOne(which, { PITH_HTTP_PORT: new URL(killed.url).port });
    balance(this.urls);
  }

  /** As a supervisor does, starts it again if it ends at its start. */
  private async startOne(which: number, more: Record<string, string>): Promise<HttpProcess> {
    const folder = join(this.folder, `replica-${which}`);
    for (;;) {
      rmSync(folder, { recursive: true, force: true });
      const index = join(folder, 'index.sqlite');
      const started = await startHttpProcess(index, { ...this.env, ...more }).catch(() => null);
      if (started) {
        const ready = new URL('/readyz', started.url);
        await poll('readiness', async () => (await fetch(ready)).ok || undefined, START_MS);
        return started;
      }
      this.failedStarts++;
    }
  }
}
