import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { drawQueries, generateCorpus } from '../support/corpora.js';
import { httpRequest, type RawResponse } from '../support/http-request.js';
import { startHttpProcess } from '../support/mcp-clients.js';
import { timed } from '../support/processes.js';
import { runPith } from '../support/run-pith.js';
import { startStdio } from '../support/stdio-process.js';
import { testFolder } from '../support/test-folder.js';

const folder = testFolder();
const corpus = folder.file('corpus');
const index = folder.file('index.sqlite');
let questions: string[];

/** Runs per case: over 20 for each transport. The defect appeared in two of three runs. */
const RUNS = 7;
const HTTP_RUNS = 10;
const SHUTDOWN_MS = 500;
const QUIET = { MCP_NO_LOG: 'true' };

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

const isWell = ({ code, signal, stderr }: Ended): boolean =>
  code === 0 && signal === null && !stderr.includes('terminate called');

function callOf(id: number): string {
  const question = questions[id % questions.length] ?? '';
  const params = { name: 'kb.retrieve_evidence', arguments: { question, keywords: question.split(' ') } };
  return JSON.stringify({ jsonrpc: '2.0', id: 1_000 + id, method: 'tools/call', params });
}

const callsOf = (count: number): string[] => Array.from({ length: count }, (_, id) => callOf(id));

beforeAll(async () => {
  generateCorpus(corpus, { documents: 300, sectionsPerDocument: 16, sentences: 8 });
  expect(await runPith(['index', corpus, '--index', index])).toMatchObject({ code: 0 });
  questions = drawQueries(corpus, 20, 3);
}, 120_000);

afterAll(() => folder.remove());

describe('stdio with calls in flight', () => {
  async function run(round: number, end: 'SIGTERM' | 'SIGINT' | 'EOF') {
    const server = startStdio(index, { env: QUIET });
    await server.initialize();
    const asked = 20 + ((round * 7) % 41);
    server.write(callsOf(asked).join('\n'));
    await delay((round * 13) % 120);
    if (end === 'EOF') server.child.stdin.end();
    else server.child.kill(end);
    const { value, ms } = await timed(server.finished);
    return { ...value, ms, answered: server.lines().filter((line) => /"id":1\d{3}\b/.test(line)).length };
  }

  it.each(['SIGTERM', 'SIGINT', 'EOF'] as const)(
    'exits with 0 on %s',
    async (end) => {
      const failed: unknown[] = [];
      for (let round = 0; round < RUNS; round++) {
        const ended = await run(round, end);
        if (!isWell(ended)) failed.push(ended);
      }
      expect(failed).toEqual([]);
    },
    120_000,
  );

  it('answers the oldest calls within the remaining time after stdin ends', async () => {
    const { answered } = await run(5, 'EOF');
    expect(answered).toBeGreaterThan(0);
  });

  it.each([1, 3_000])('says how many calls the end of stdin cuts off, if any: of %i', async (count) => {
    const server = startStdio(index, { env: QUIET });
    await server.initialize();
    server.child.stdin.end(`${callsOf(count).join('\n')}\n`);
    const { code, stderr } = await server.finished;
    const answered = server.lines().filter((line) => /"id":[1-9]\d{3}\b/.test(line)).length;
    const [, told = '0'] =
      /these calls get no answer: (\d+)\. Keep it open until the last answer\./.exec(stderr) ?? [];
    expect(code).toBe(0);
    expect(Number(told)).toBeGreaterThanOrEqual(count - answered);
    // One call is answered in time.
    expect(Number(told)).toBeLessThanOrEqual(count === 1 ? 0 : count);
  });
});

describe('http with calls in flight', () => {
  async function run(round: number, isAborted: boolean) {
    const server = await startHttpProcess(index, { ...QUIET, PITH_HTTP_SHUTDOWN_MS: String(SHUTDOWN_MS) });
    const agent = new Agent({ keepAlive: true });
    const stderr: Buffer[] = [];
    server.child.stderr?.on('data', (data: Buffer) => stderr.push(data));
    const calls = callsOf(150).map((body) => httpRequest(server.url, { body, agent }).catch(() => undefined));
    await delay(150 + ((round * 37) % 400));
    if (isAborted) agent.destroy();
    const exited = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    const { value, ms } = await timed(exited);
    agent.destroy();
    await Promise.all(calls);
    const [code, signal] = value as [number | null, string | null];
    return { code, signal, ms, stderr: Buffer.concat(stderr).toString() };
  }

  it.each([true, false])(
    'exits with 0 in time; aborted: %s',
    async (isAborted) => {
      const failed: unknown[] = [];
      for (let round = 0; round < HTTP_RUNS; round++) {
        const ended = await run(round, isAborted);
        if (!isWell(ended) || ended.ms > SHUTDOWN_MS + 4_000) failed.push(ended);
      }
      expect(failed).toEqual([]);
    },
    120_000,
  );

  /** Sends calls one after the other until one fails. @returns the last reply and the failure */
  async function callUntilTheEnd(url: string, agent: Agent, first: number) {
    let last: RawResponse | undefined;
    for (let id = first; ; id++) {
      try {
        last = await httpRequest(url, { body: callOf(id), agent });
      } catch (error) {
        return { last, code: (error as NodeJS.ErrnoException).code };
      }
    }
  }

  it('answers every request that it was sent, and says that connections end', async () => {
    const server = await startHttpProcess(index, { PITH_HTTP_SHUTDOWN_MS: '20000' });
    const agent = new Agent({ keepAlive: true });
    const callers = Array.from({ length: 50 }, (_, i) => callUntilTheEnd(server.url, agent, i * 1_000));
    await delay(2_000);
    const exited = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    const ends = await Promise.all(callers);
    expect(await exited).toEqual([0, null]);
    agent.destroy();
    // A refused connection was not sent a request.
    expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 'ECONNREFUSED'));
    expect(ends.map(({ last }) => last?.headers.connection)).toEqual(ends.map(() => 'close'));
  }, 60_000);

  it('says at once that it is not ready, and ends without waiting for idle connections', async () => {
    const server = await startHttpProcess(index, { PITH_HTTP_SHUTDOWN_MS: '20000' });
    const agent = new Agent({ keepAlive: true });
    const readyz = { method: 'GET', headers: {}, agent };
    const ready = await httpRequest(new URL('/readyz', server.url).href, readyz);
    const exited = timed(once(server.child, 'exit'));
    server.child.kill('SIGTERM');
    await delay(30);
    const ending = await httpRequest(new URL('/readyz', server.url).href, readyz);
    const { value, ms } = await exited;
    agent.destroy();
    expect([ready.status, ending.status]).toEqual([200, 503]);
    expect(value).toEqual([0, null]);
    expect(ms).toBeLessThan(4_000);
  });
});

describe('a process that exits while a thread is inside SQLite', () => {
  async function run(ms: number, exitCode = 0): Promise<{ value: unknown[]; ms: number }> {
    const program = join(__dirname, '..', 'support', 'hold-native.cjs');
    const child = spawn(process.execPath, [program, String(ms), String(exitCode)]);
    return timed(once(child, 'exit'));
  }

  it('lets the running statement finish and starts no other', async () => {
    expect((await run(200)).value).toEqual([0, null]);
  });

  it('ends by SIGTERM, not by an abort, if the statement takes too long', async () => {
    const { value, ms } = await run(60_000);
    expect(value).toEqual([null, 'SIGTERM']);
    expect(ms).toBeLessThan(6_000);
  }, 20_000);

  // Supervisors take SIGTERM for a clean end and would not start the process again.
  it('keeps the exit code of a failure, though a slow disk holds the statement for seconds', async () => {
    expect((await run(3_500, 1)).value).toEqual([1, null]);
  }, 20_000);

  it('ends by SIGKILL after a failure if the statement takes too long', async () => {
    expect((await run(60_000, 1)).value).toEqual([null, 'SIGKILL']);
  }, 30_000);
});
