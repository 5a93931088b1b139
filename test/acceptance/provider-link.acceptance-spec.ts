import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Tool } from '@modelcontextprotocol/client';
import { openProvider } from '../../src/governance/providers/link/provider-connection.js';
import { ProviderLink } from '../../src/governance/providers/link/provider-link.js';
import type { ProviderConfig, ProviderTransport } from '../../src/governance/providers/provider-file.js';
import { testFolder } from '../support/build-index.js';
import { poll } from '../support/processes.js';
import { writeFiles } from '../support/write-files.js';

const PROGRAM = join(__dirname, '..', 'support', 'provider-server.cjs');

const folder = testFolder();
const open: ProviderLink[] = [];

afterEach(() => Promise.all(open.splice(0).map((link) => link.close())));
afterAll(() => folder.remove());

const stdio = (...args: string[]): ProviderTransport => ({
  kind: 'stdio',
  command: process.execPath,
  args: [PROGRAM, ...args],
  env: {},
  cwd: null,
});

interface Started {
  readonly link: ProviderLink;
  /** Names of the tools, each time that they were listed. */
  readonly lists: string[][];
  readonly lines: string[];
  readonly warnings: string[];
  /** The waits before a restart and before a list (ms). */
  readonly waits: number[];
}

/** Starts a link whose waits are short. */
function start(transport: ProviderTransport, config: Partial<ProviderConfig> = {}): Started {
  const [lists, lines, warnings, waits]: [string[][], string[], string[], number[]] = [[], [], [], []];
  const link = new ProviderLink(
    {
      name: 'test',
      transport,
      reads: [],
      allow: [],
      roots: [],
      timeoutMs: 5_000,
      ratePerMinute: 1_000,
      maxConcurrent: 8,
      budget: { bytes: 10_000, tokens: 3_000 },
      ...config,
    },
    {
      open: (prior, hooks) => openProvider(transport, prior, hooks),
      onTools: (tools: readonly Tool[]) => void lists.push(tools.map(({ name }) => name)),
      log: {
        debug: (line) => void lines.push(line),
        warn: (line) => void warnings.push(line),
        showsOutput: true,
      },
      hide: (text) => text.replaceAll('hunter2', '[secret]'),
      now: () => performance.now(),
      clock: Date.now,
      random: () => 0.5,
      wait: async (ms) => {
        waits.push(ms);
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
    },
  );
  link.start();
  open.push(link);
  return { link, lists, lines, warnings, waits };
}

const connected = ({ link }: Started) => poll('a connection', () => link.isConnected || undefined);
const never = new AbortController().signal;

const call = async ({ link }: Started, tool: string, args = {}, signal = never): Promise<string> => {
  const { content, isError } = await link.call(tool, args, { signal });
  const [first] = content;
  return `${isError ? 'error: ' : ''}${first?.type === 'text' ? first.text : ''}`;
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Starts the test provider over HTTP. */
async function startHttp(): Promise<{ readonly transport: ProviderTransport; readonly kill: () => void }> {
  const child = spawn(process.execPath, [PROGRAM, '--http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data) => resolve(`${data}`.trim())),
  );
  return { transport: { kind: 'http', url, headers: {} }, kill: () => child.kill('SIGKILL') };
}

describe('a program that fails', () => {
  it.each([
    ['before it is connected', ''],
    ['while it starts', 'setTimeout(() => process.exit(1), 50);'],
  ])('has its last output in the warning, without secrets: %s', async (_, rest) => {
    const script = `for (let i = 0; i < 30; i++) console.error('line ' + i); process.stderr.write('bad hunter2');${rest}`;
    const { warnings } = start({
      kind: 'stdio',
      command: process.execPath,
      args: ['-e', script],
      env: {},
      cwd: null,
    });
    const told = await poll('a warning', async () =>
      warnings.find((line) => line.includes('Its last output')),
    );
    expect(told).toContain('line 29 | bad [secret]');
    expect(told).not.toContain('line 19');
  });
});

describe.each(['--modern', '--legacy'])('a provider over stdio, %s', (era) => {
  it('lists its tools, answers, and its stderr goes to the log', async () => {
    const started = start(stdio(era));
    await connected(started);
    expect(started.lists[0]).toContain('echo');
    expect(await call(started, 'echo', { text: 'hello' })).toBe('hello');
    expect(started.lines).toContain('the test provider starts');
  });

  it('lists the tools again when they change, also after a restart', async () => {
    const state = folder.file(`state${era}.json`);
    const started = start(stdio(era, '--state', state));
    await connected(started);
    await call(started, 'crash').catch(() => undefined);
    await connected(started);
    writeFiles(folder.path, { [`state${era}.json`]: '{"extra":"more"}' });
    await call(started, 'change');
    await poll('the new list', () => started.lists.at(-1)?.includes('more') || undefined);
  });

  it('receives the cancellation of a call', async () => {
    const started = start(stdio(era));
    await connected(started);
    const stop = new AbortController();
    const running = call(started, 'slow', { ms: 60_000 }, stop.signal);
    await poll(
      'a running call',
      async () => (await call(started, 'counts')).includes('"running":1') || undefined,
    );
    stop.abort(new Error('not needed'));
    await expect(running).rejects.toThrow('not needed');
    await poll(
      'a cancelled call',
      async () => (await call(started, 'counts')).includes('"cancelled":1') || undefined,
    );
  });

  it.each(['sampling/createMessage', 'elicitation/create', 'roots/list'])('is refused %s', async (method) => {
    const started = start(stdio(era));
    await connected(started);
    expect(await call(started, 'ask', { method })).toMatch(/^refused: /);
  });
});

describe('ProviderLink', () => {
  it('gives the program no variables but those of the SDK and of its entry', async () => {
    process.env['PITH_SECRET'] = 'a secret of this test';
    const started = start({ ...stdio(), env: { GIVEN: 'x' } } as ProviderTransport);
    await connected(started);
    const names: string[] = JSON.parse(await call(started, 'environment'));
    delete process.env['PITH_SECRET'];
    expect(names).toEqual(expect.arrayContaining(['GIVEN', 'PATH']));
    expect(names.filter((name) => !/^(?:GIVEN|HOME|LOGNAME|PATH|SHELL|TERM|USER)$/.test(name))).toEqual([]);
  });

  it('starts a crashed program again, and refuses calls meanwhile with a time to retry', async () => {
    const started = start(stdio());
    await connected(started);
    await expect(call(started, 'crash')).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      reason: 'test',
    });
    await expect(call(started, 'echo', { text: 'x' })).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      reason: 'test',
      details: { retry_after_s: 1 },
    });
    await connected(started);
    expect(await call(started, 'echo', { text: 'again' })).toBe('again');
    expect(started.waits[0]).toBe(375);
  });

  it('waits longer after each failure of a program that cannot start', async () => {
    const started = start({ ...stdio(), command: '/nonexistent/program' } as ProviderTransport);
    await poll('four attempts', () => started.waits.length >= 4 || undefined);
    expect(started.waits.slice(0, 4)).toEqual([375, 750, 1_500, 3_000]);
    expect(started.warnings[0]).toContain('/nonexistent/program does not exist');
  });

  it('ends a call that takes too long, and restarts a program that hangs', async () => {
    const started = start(stdio(), { timeoutMs: 150 });
    await connected(started);
    const { pid } = started.link;
    const late = { code: 'TIMEOUT', reason: 'test' };
    await expect(call(started, 'slow', { ms: 60_000 })).rejects.toMatchObject(late);
    await expect(call(started, 'hang')).rejects.toMatchObject(late);
    await expect(call(started, 'echo', { text: 'x' })).rejects.toMatchObject(late);
    await poll('another process', () => (started.link.pid !== null && started.link.pid !== pid) || undefined);
    expect(isRunning(Number(pid))).toBe(false);
  });

  it('passes on errors of the tool and of the protocol as results', async () => {
    const started = start(stdio());
    await connected(started);
    expect(await call(started, 'fail')).toBe('error: the provider says no');
    expect(await call(started, 'refuse')).toContain('not today');
    expect(started.link.isConnected).toBe(true);
  });

  it('closes the connection after a message that is too large', async () => {
    const started = start(stdio());
    await connected(started);
    await expect(call(started, 'huge', { bytes: 9_000_000 })).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
    });
    await connected(started);
    expect((await call(started, 'huge', { bytes: 1_000_000 })).length).toBe(1_000_000);
  });

  it('limits concurrent calls and calls a minute', async () => {
    const started = start(stdio(), { maxConcurrent: 1, ratePerMinute: 2 });
    await connected(started);
    const stop = new AbortController();
    const running = call(started, 'slow', { ms: 60_000 }, stop.signal).catch(() => undefined);
    await expect(call(started, 'counts')).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
      reason: 'concurrency',
    });
    stop.abort();
    await running;
    await call(started, 'counts');
    await expect(call(started, 'counts')).rejects.toMatchObject({ reason: 'rate_limited' });
  });

  it('ends the program when it is closed, also one that hangs', async () => {
    const started = start(stdio());
    await connected(started);
    const pid = Number(started.link.pid);
    call(started, 'hang').catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const from = performance.now();
    await started.link.close();
    expect(isRunning(pid)).toBe(false);
    expect(performance.now() - from).toBeLessThan(1_500);
  });
});

describe('a provider over HTTP', () => {
  it('answers, and is unavailable while it is down', async () => {
    const { transport, kill } = await startHttp();
    const started = start(transport);
    await connected(started);
    expect(await call(started, 'echo', { text: 'hello' })).toBe('hello');
    expect(await call(started, 'ask', { method: 'roots/list' }).catch(String)).toMatch(/refused|not allowed/);
    await expect(call(started, 'huge', { bytes: 9_000_000 })).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
    });
    await connected(started);
    kill();
    await expect(call(started, 'echo', { text: 'x' })).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
  });
});
