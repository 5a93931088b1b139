import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { accessText, keysOf } from '../support/access.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { outcomeOf } from '../support/call-results.js';
import { randomFrom } from '../support/corpora.js';
import {
  type CallResult,
  connectClient,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { runPith } from '../support/run-pith.js';
import { TRANSPORTS } from '../support/sites.js';
import { suiteClients } from '../support/suite-clients.js';
import { writeFiles } from '../support/write-files.js';

/** Fixed, so that a failure can be repeated. */
const SEED = Number(process.env['KILL_SEED'] ?? 20_260_101);
const KILLS = 10;

const folder = testFolder();
const index = folder.file('index.sqlite');
const RULES = 'version: 1\npolicy:\n  rules:\n    - { name: runs, tools: [run.*], effect: allow }\n';
const KEYS = keysOf('ann', 'ben', 'olga');
const ENV = {
  MCP_DOMAINS: 'run',
  PITH_GOVERNANCE_FILE: folder.file('g.yaml'),
  PITH_SECRET: SECRET,
  MCP_TOOL_NAMES: 'dotted',
  PITH_RATE_PER_MINUTE: '0',
};

let http: HttpProcess;
const connect = suiteClients(() => ({ index, url: http.url, env: ENV }));
const as = (key: string): Promise<TestClient> =>
  connect('v1', 'http', { headers: { authorization: `Bearer ${key}` } });

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  const access = accessText({
    ann: { keys: [KEYS.ann] },
    ben: { keys: [KEYS.ben] },
    olga: { keys: [KEYS.olga], permissions: ['read', 'operator'] },
  });
  writeFiles(folder.path, { 'g.yaml': RULES, 'access.yaml': access });
  http = await startHttpProcess(index, { ...ENV, PITH_ACCESS_FILE: folder.file('access.yaml') });
});

afterAll(async () => {
  await http.stop();
  folder.remove();
});

const dataOf = ({ structuredContent }: CallResult): Record<string, unknown> => structuredContent ?? {};
const create = async (client: TestClient, more: object = {}): Promise<string> =>
  String(dataOf(await client.call('run.create', { run_type: 'test', ...more }))['run_id']);
const started = async (client: TestClient): Promise<string> => {
  const run_id = await create(client);
  await client.call('run.start', { run_id });
  return run_id;
};
const eventsOf = async (client: TestClient, run_id: string, more: object = {}) =>
  dataOf(await client.call('run.events', { run_id, limit: 100, ...more })) as {
    events: { type: string; number?: number; sequence: number; tool: string }[];
    next_since_sequence: number;
    status: string;
  };

const EXAMPLE = readFileSync(join(__dirname, '..', '..', 'docs', 'domains.md'), 'utf8')
  .split('## Runs')[1]
  ?.split('```json\n')[1]
  ?.split('\n```')[0];

describe.each(TRANSPORTS)('the example of the documentation, %s over %s', (era, transport) => {
  it('runs as it is written', async () => {
    const client = await connect(era, transport, { headers: { authorization: `Bearer ${KEYS.ann}` } });
    const results: Record<string, unknown>[] = [];
    for (const line of (EXAMPLE ?? '').split('\n')) {
      const text = line.replaceAll('"RUN"', JSON.stringify(results[0]?.['run_id']));
      const { tool, arguments: args } = JSON.parse(text) as {
        tool: string;
        arguments: Record<string, unknown>;
      };
      const result = await client.call(tool, args, { _meta: { 'pith/run_id': results[0]?.['run_id'] } });
      expect([tool, outcomeOf(result)]).toEqual([tool, 'ok']);
      results.push(dataOf(result));
    }
    expect(results.map(({ status }) => status)).toEqual([
      ...['created', 'started', 'started', 'started', 'started', 'completed', 'completed'],
    ]);
    expect(results[4]).toMatchObject({ checkpoint: { version: 1, state: { last_file: 'guide.md' } } });
    expect(results[6]).toMatchObject({
      events: [
        { type: 'run.step', number: 3, step: 'read files', duration_ms: 1250, success: true },
        { type: 'run.completed', number: 5, data: '{"files":17}' },
      ],
    });
  });
});

describe('runs of several principals', () => {
  it('exist for their owner alone', async () => {
    const [ann, ben] = [await as(KEYS.ann), await as(KEYS.ben)];
    const run_id = await started(ann);
    const calls = ['run.get', 'run.start', 'run.complete', 'run.cancel', 'run.events'];
    for (const tool of calls) expect(outcomeOf(await ben.call(tool, { run_id }))).toBe('run_not_found');
    expect(dataOf(await ben.call('run.list'))).toMatchObject({ runs: [] });
    await ben.call('run.list', {}, { _meta: { 'pith/run_id': run_id } });
    const shown = await runPith(['ledger', 'show', `${run_id}@ben`, '--index', index], {
      env: { PITH_SECRET: SECRET },
    });
    expect(shown.stdout.trim().split('\n')).toEqual([
      expect.stringContaining('run.list'),
      expect.stringContaining('run.list'),
    ]);
    const { events } = await eventsOf(ann, run_id);
    expect(events.map(({ tool }) => tool)).not.toContain('run.list');
  });

  it('are read by operators, without the states of checkpoints', async () => {
    const [ann, olga] = [await as(KEYS.ann), await as(KEYS.olga)];
    const run_id = await started(ann);
    await ann.call('run.checkpoint', { run_id, state: { secret: 1 } });
    expect(dataOf(await olga.call('run.get', { run_id }))).toMatchObject({
      checkpoint_version: 1,
      checkpoint: null,
    });
    expect(outcomeOf(await olga.call('run.get', { run_id, checkpoint: 0 }))).toBe('not_owner');
    expect(outcomeOf(await olga.call('run.cancel', { run_id }))).toBe('run_not_found');
    expect(dataOf(await olga.call('run.list', { limit: 1 }))).toMatchObject({ runs: [{ run_id }] });
  });

  it('are paged, each once, also by status', async () => {
    const ben = await as(KEYS.ben);
    const made = [await create(ben), await create(ben), await create(ben)];
    await ben.call('run.cancel', { run_id: made[1] });
    const pages: unknown[] = [];
    for (let cursor: unknown = null; ;) {
      const page = dataOf(await ben.call('run.list', { status: 'created', limit: 1, cursor }));
      pages.push(...(page['runs'] as { run_id: string }[]).map(({ run_id }) => run_id));
      cursor = page['next_cursor'];
      if (cursor === null) break;
    }
    expect(pages).toEqual([made[2], made[0]]);
  });
});

describe('changes of a run', () => {
  it('are refused where they are not possible, with the present status', async () => {
    const ann = await as(KEYS.ann);
    const run_id = await create(ann);
    const early = await ann.call('run.complete', { run_id });
    expect(dataOf(early)).toMatchObject({
      error: { details: { reason: 'wrong_status', status: 'created' } },
    });
    await ann.call('run.cancel', { run_id, reason: 'not needed' });
    expect(outcomeOf(await ann.call('run.cancel', { run_id, reason: 'not needed' }))).toBe('ok');
    expect(outcomeOf(await ann.call('run.cancel', { run_id }))).toBe('conflict');
    expect(outcomeOf(await ann.call('run.start', { run_id }))).toBe('wrong_status');
    const { events } = await eventsOf(ann, run_id);
    expect(events.map(({ type, number }) => [type, number])).toEqual([
      ['run.created', 1],
      ['run.cancelled', 2],
    ]);
  });

  it('are made by one of two callers', async () => {
    const [ann, other] = [await as(KEYS.ann), await as(KEYS.ann)];
    const run_id = await started(ann);
    const ended = await Promise.all([
      ann.call('run.complete', { run_id, result: '1' }),
      other.call('run.fail', { run_id, error: { type: 'broken', message: 'It broke.' } }),
    ]);
    expect(ended.map(outcomeOf).sort()).toEqual(['ok', 'wrong_status']);
    const stored = await Promise.all([
      ann.call('run.checkpoint', { run_id: await started(ann), state: '{}', expected_version: 1 }),
      ann.call('run.log_step', { run_id, step_name: 'late', event: 'start' }),
    ]);
    expect(stored.map(outcomeOf)).toEqual(['conflict', 'wrong_status']);
  });

  it('can be read with the largest values', async () => {
    const ann = await as(KEYS.ann);
    // The JSON with the most tokens.
    const largest = (bytes: number): string => `[${'1,'.repeat(bytes / 2 - 2)}11]`;
    const run_id = await create(ann, { config: largest(8_192) });
    await ann.call('run.start', { run_id });
    expect(outcomeOf(await ann.call('run.checkpoint', { run_id, state: largest(32_770) }))).toBe(
      'invalid_input',
    );
    expect(outcomeOf(await ann.call('run.checkpoint', { run_id, state: largest(32_768) }))).toBe('ok');
    await ann.call('run.complete', { run_id, result: largest(16_384) });
    const read = dataOf(await ann.call('run.get', { run_id, checkpoint: 0 }));
    expect(JSON.stringify(read['result'])).toBe(largest(16_384));
    expect(read).toMatchObject({ checkpoint: { state: JSON.parse(largest(32_768)) as unknown } });
  });

  it('are recorded without secrets of known kinds, and without states', async () => {
    const ann = await as(KEYS.ann);
    const run_id = await started(ann);
    const data = { token: 'hunter2', text: 'line\nline' };
    await ann.call('run.log_step', { run_id, step_name: 'log in', event: 'complete', data });
    await ann.call('run.checkpoint', { run_id, state: { marker: 'state-of-the-run' } });
    const shown = await runPith(['ledger', 'show', run_id, '--index', index, '--json'], {
      env: { PITH_SECRET: SECRET },
    });
    expect(shown.stdout).toContain('[redacted]');
    expect(shown.stdout).toContain('checkpoint_version');
    expect(shown.stdout).not.toMatch(/hunter2|state-of-the-run/);
  });
});

describe('a caller that follows a run', () => {
  it('is answered when something happens, and at once when the run has ended', async () => {
    const [ann, other] = [await as(KEYS.ann), await as(KEYS.ann)];
    const run_id = await started(ann);
    const { next_since_sequence: since } = await eventsOf(ann, run_id);
    const following = eventsOf(other, run_id, { since_sequence: since, wait_ms: 15_000 });
    await pause(300);
    await ann.call('run.complete', { run_id });
    const page = await following;
    expect(page).toMatchObject({ status: 'completed', events: [{ type: 'run.completed' }] });
    const later = { since_sequence: page.next_since_sequence, wait_ms: 15_000 };
    expect(await eventsOf(other, run_id, later)).toMatchObject({ events: [] });
  });

  it('hears every two seconds that the call still waits', async () => {
    const ann = await as(KEYS.ann);
    const run_id = await started(ann);
    const { next_since_sequence: since } = await eventsOf(ann, run_id);
    const seconds: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }) => void seconds.push(progress);
    await ann.call('run.events', { run_id, since_sequence: since, wait_ms: 4_500 }, { onprogress });
    expect(seconds).toEqual([2, 4]);
  });

  it('reads them page by page, each once and in order', async () => {
    const ann = await as(KEYS.ann);
    const run_id = await started(ann);
    for (const step_name of ['read', 'write'])
      await ann.call('run.log_step', { run_id, step_name, event: 'start' });
    await ann.call('run.complete', { run_id });
    const types = ['run.created', 'run.started', 'run.step', 'run.completed'];
    const first = await eventsOf(ann, run_id, { types, limit: 2 });
    const second = await eventsOf(ann, run_id, {
      types,
      limit: 2,
      since_sequence: first.next_since_sequence,
    });
    const third = await eventsOf(ann, run_id, {
      types,
      limit: 2,
      since_sequence: second.next_since_sequence,
    });
    expect([first, second, third].map(({ events }) => events.map(({ type }) => type))).toEqual([
      ['run.created', 'run.started'],
      ['run.step', 'run.step'],
      ['run.completed'],
    ]);
    expect([first, second, third]).toMatchObject([{ partial: true }, { partial: true }, { partial: false }]);
  });

  it('does not follow itself, and stops waiting', async () => {
    const ann = await as(KEYS.ann);
    const run_id = await started(ann);
    const _meta = { 'pith/run_id': run_id };
    const { next_since_sequence } = await eventsOf(ann, run_id);
    const args = { run_id, since_sequence: next_since_sequence, wait_ms: 400 };
    expect(dataOf(await ann.call('run.events', args, { _meta }))).toMatchObject({ events: [] });
    expect(dataOf(await ann.call('run.events', args, { _meta }))).toMatchObject({ events: [] });
    await ann.call('scope.describe', {}, { _meta });
    const { events } = await eventsOf(ann, run_id, { ...args, wait_ms: 5_000 });
    expect(events.map(({ tool }) => tool)).toContain('scope.describe');
  });
});

it(`loses nothing that was acknowledged when it is killed at ${KILLS} random moments`, async () => {
  const random = randomFrom(SEED);
  const acknowledged: (readonly [run: string, number: number])[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const client = await connectClient({ era: 'v1', transport: 'stdio', index, env: ENV });
    const run_id = await started(client);
    const pid = client.pid() ?? Number.NaN;
    const timer = setTimeout(() => process.kill(pid, 'SIGKILL'), 20 + random() * 150);
    for (let number = 3; ; number++) {
      acknowledged.push([run_id, number - 1]);
      const step = { run_id, step_name: 'work', event: 'start' };
      const result = await client.call('run.log_step', step).catch(() => null);
      if (!result) break;
    }
    clearTimeout(timer);
    await client.close();
  }
  const client = await connect('v1', 'stdio');
  // The next server records what the killed ones have left.
  await pause(4_000);
  const runs = [...new Map(acknowledged)];
  const seen = await Promise.all(runs.map(async ([run]) => (await eventsOf(client, run)).events));
  const numbers = seen.map((events) => events.flatMap(({ number }) => number ?? []));
  // One change may be made although nobody was told.
  expect(runs.filter(([, last], i) => ![last, last + 1].includes(numbers[i]?.length ?? 0))).toEqual([]);
  expect(numbers).toEqual(numbers.map((found) => found.map((_, i) => i + 1)));
  const verified = await runPith(['ledger', 'verify', '--index', index], { env: { PITH_SECRET: SECRET } });
  expect(verified.stdout).toContain('is intact');
}, 120_000);

it('does not start without the run ledger', async () => {
  const env = { ...ENV, PITH_LEDGER: 'off' };
  const { code, stderr } = await runPith(['stdio', '--index', index], { env });
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('run needs the run ledger')]);
  expect(code).not.toBe(0);
});
