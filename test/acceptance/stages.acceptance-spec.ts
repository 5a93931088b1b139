import { join } from 'node:path';
import { BackendsConfig } from '../../src/config/settings/backends.config.js';
import { IndexConfig } from '../../src/config/settings/index.config.js';
import type { Ledger } from '../../src/governance/ledger/ledger.js';
import type { CallCompletedEvent, LedgerCallFacts } from '../../src/governance/ledger/ledger-event.js';
import { openLedgerForReading } from '../../src/governance/ledger/store/open-ledger.js';
import { buildIndex, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { errorOf } from '../support/call-results.js';
import { MCP_HEADERS } from '../support/http-request.js';
import {
  connectClient,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { poll, runPith } from '../support/processes.js';
import { TRANSPORTS } from '../support/sites.js';
import { readStages, recordedStagesEnv } from '../support/stages.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');

const GOVERNANCE = `
version: 1
policy:
  rules:
    - { name: closed-all-day, tools: [test.environment], time: { time_zone: UTC }, effect: deny }
    - { name: ask-operator, tools: [test.counts], effect: approve }
    - { name: test-tools, tools: [test.*], effect: allow }
providers:
  test:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(join(__dirname, '..', 'support', 'provider-server.cjs'))}]
    timeout_ms: 1500
    budget: { bytes: 4096, tokens: 2048 }
`;

const MANIFEST = `
taxonomy:
  kind: { description: guides, values: { guide: { resource: true } } }
prompts:
  - { name: explain, description: Explains sails., messages: [{ role: user, content: Explain a sail. }] }
`;

const ENV = {
  PITH_GOVERNANCE_FILE: folder.file('g.yaml'),
  PITH_SECRET: SECRET,
  PITH_LEDGER: 'on',
  MCP_TOOL_NAMES: 'dotted',
};
const stagesFile = (name: string): string => folder.file(`${name}.jsonl`);

let http: HttpProcess;
let ledger: Ledger;

const pith = (...args: readonly string[]) => runPith([...args, '--index', index], { env: ENV });

/** Accepts the tools of the provider as soon as a server has listed them. */
async function acceptTools(): Promise<void> {
  const hash = await poll('listed tools', async () => {
    const { stdout } = await pith('providers', 'diff', 'test');
    return /--hash ([0-9a-f]{64})/.exec(stdout)?.[1];
  });
  expect(await pith('providers', 'accept', 'test', '--hash', hash)).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  writeFiles(folder.path, {
    'docs/sails.md': '---\nkind: guide\n---\n\n# Sails\n\nA sail is set before the wind.\n',
    'docs/.pith.yaml': MANIFEST,
    'g.yaml': GOVERNANCE,
  });
  await buildIndex(folder.file('docs'), index);
  http = await startHttpProcess(index, { ...ENV, ...recordedStagesEnv(stagesFile('http')) });
  await acceptTools();
  const file = folder.file('index.ledger.sqlite');
  ledger = openLedgerForReading(
    {
      ledger: { file, mode: 'on', arguments: 'off', retentionDays: 0 },
      backends: new BackendsConfig(),
      index: new IndexConfig(),
    },
    { secret: SECRET, isLasting: true },
  );
});

afterAll(async () => {
  await ledger.close();
  await http.stop();
  folder.remove();
});

const BEFORE = ['validate', 'policy', 'approval', 'ledger: started', 'execute'];
const AFTER = ['ledger: completed', 'return'];
const ALL = [...BEFORE, 'output', ...AFTER];

/** What the ledger says about the end of a call. */
type Ended = readonly [outcome: string, executed: boolean, rule: string | null, error: string | null];

const ALLOWED = 'test-tools';
const SUCCESS: Ended = ['success', true, ALLOWED, null];
const READ: Ended = ['success', true, 'default-reads', null];

interface Case {
  readonly name: string;
  readonly tool: string;
  readonly args?: Record<string, unknown>;
  readonly stages: readonly string[];
  readonly ended: Ended;
}

/** Calls that are made once. The last one ends the program of the provider. */
const CASES: readonly Case[] = [
  { name: 'a success', tool: 'test.echo', args: { text: 'x' }, stages: ALL, ended: SUCCESS },
  {
    name: 'a success of our own tool',
    tool: 'kb.search',
    args: { query: 'sail' },
    stages: ALL,
    ended: READ,
  },
  {
    name: 'an invalid input',
    tool: 'test.echo',
    args: { text: 1 },
    stages: ['validate', ...AFTER],
    ended: ['invalid', false, null, 'INVALID_ARGUMENT'],
  },
  {
    name: 'a refusal',
    tool: 'test.environment',
    stages: ['validate', 'policy', ...AFTER],
    ended: ['refused', false, 'closed-all-day', 'SCOPE_VIOLATION'],
  },
  {
    name: 'a timeout',
    tool: 'test.slow',
    args: { ms: 60_000 },
    stages: [...BEFORE, ...AFTER],
    ended: ['timed_out', true, ALLOWED, 'TIMEOUT'],
  },
  { name: 'an output over budget', tool: 'test.huge', args: { bytes: 9_000 }, stages: ALL, ended: SUCCESS },
  {
    name: 'an error of a provider',
    tool: 'test.fail',
    stages: [...BEFORE, ...AFTER],
    ended: ['error', true, ALLOWED, 'INVALID_ARGUMENT'],
  },
  {
    name: 'an invalid result of a provider',
    tool: 'test.measure_wrong',
    stages: [...BEFORE, ...AFTER],
    ended: ['error', true, ALLOWED, 'BACKEND_UNAVAILABLE'],
  },
  {
    name: 'a crash of a provider',
    tool: 'test.crash',
    stages: [...BEFORE, ...AFTER],
    ended: ['error', true, ALLOWED, 'BACKEND_UNAVAILABLE'],
  },
];

/** The lines of a call in the ledger, once its end is there. */
async function linesOf(id: string): Promise<LedgerCallFacts[]> {
  return poll(`the last line of ${id}`, async () => {
    const lines = await ledger.lines({ from: 'newest', limit: 100 });
    const events = [...lines].sort((a, b) => a.seq - b.seq).map(({ event }) => event);
    const own = events.flatMap((event) =>
      'call_id' in event && event.call_id === id && event.type.startsWith('tool.call') ? [event] : [],
    );
    return own.some(({ type }) => type === 'tool.call.completed') ? (own as LedgerCallFacts[]) : undefined;
  });
}

/** Waits until the program of the provider runs. */
async function connected(client: TestClient): Promise<void> {
  await poll('a connection to the provider', async () => {
    const answer = await client.call('test.echo', { text: 'x' }).catch(() => null);
    return answer && !answer.isError ? true : undefined;
  });
}

describe.each(TRANSPORTS)('the stages of a call, %s over %s', (era, transport) => {
  const file = stagesFile(transport === 'http' ? 'http' : era);
  let client: TestClient;

  beforeAll(async () => {
    const env = { ...ENV, ...recordedStagesEnv(file) };
    client = await connectClient({ era, transport, index, url: http.url, env });
    await connected(client);
  });

  afterAll(() => client.close());

  /** Makes one call. @returns its answer, the stages that it enters, and how it ends in the ledger */
  async function recorded<T>(work: () => Promise<T>) {
    const from = readStages(file).length;
    const answer = await work();
    const entered = await poll('the end of the call', () => {
      const stages = readStages(file).slice(from);
      return stages.at(-1)?.stage === 'return' ? stages : undefined;
    });
    const [id = '', ...others] = new Set(entered.map((stage) => stage.id));
    expect(others).toEqual([]);
    const lines = await linesOf(id);
    const { outcome, executed, rule, error_code } = lines.at(-1) as CallCompletedEvent;
    expect(lines.map((line) => Object(line).type)).toEqual([
      ...(executed ? ['tool.call.started'] : []),
      'tool.call.completed',
    ]);
    for (const line of executed ? lines : []) expect(line.rule).toBe(rule);
    const ended: Ended = [outcome, executed, rule, error_code];
    return { answer, stages: entered.map(({ stage }) => stage), ended };
  }

  it('an approval', async () => {
    const first = await recorded(() => client.call('test.counts'));
    expect(first).toMatchObject({
      stages: ['validate', 'policy', 'approval', ...AFTER],
      ended: ['waiting', false, 'ask-operator', 'SCOPE_VIOLATION'],
    });
    const { details } = errorOf(first.answer);
    expect(details).toMatchObject({ reason: 'approval_required' });
    expect(await pith('approvals', 'approve', String(details?.['approval_id']))).toMatchObject({ code: 0 });
    const second = await recorded(() => client.call('test.counts'));
    expect(second).toMatchObject({ stages: ALL, ended: ['success', true, 'ask-operator', null] });
  });

  it('a cancellation', async () => {
    const cancelling = new AbortController();
    const found = await recorded(async () => {
      const answer = client.call('test.slow', { ms: 60_000 }, { signal: cancelling.signal });
      const failure = answer.catch((error: unknown) => error);
      await poll('its execution', () => readStages(file).at(-1)?.stage === 'execute' || undefined);
      cancelling.abort('enough');
      return failure;
    });
    expect(found.answer).toBeInstanceOf(Error);
    expect(found.stages).toEqual([...BEFORE, ...AFTER]);
    expect(found.ended).toEqual(['cancelled', true, ALLOWED, null]);
  });

  it.each([
    ['a resource', () => client.readResource('docs:///sails.md')],
    ['a prompt', () => client.getPrompt('explain')],
  ] as const)('%s', async (_name, read: () => Promise<unknown>) => {
    expect(await recorded(read)).toMatchObject({
      stages: [...BEFORE, ...AFTER],
      ended: READ,
    });
  });

  it.each(CASES)('$name', async ({ tool, args = {}, stages, ended }) => {
    const found = await recorded(() => client.call(tool, args));
    expect(found).toMatchObject({ stages, ended });
    expect(errorOf(found.answer).code ?? null).toBe(ended[3]);
    if (tool === 'test.huge') expect(found.answer.structuredContent).toMatchObject({ partial: true });
  });
});

it('ends a call over HTTP when its connection closes, because nobody can receive the answer', async () => {
  const file = stagesFile('http');
  const client = await connectClient({ era: 'v2', transport: 'http', index, url: http.url });
  await connected(client);
  await client.close();
  const params = { name: 'test.slow', arguments: { ms: 60_000 } };
  const closing = new AbortController();
  const from = readStages(file).length;
  const sent = fetch(http.url, {
    method: 'POST',
    headers: MCP_HEADERS,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: closing.signal,
  }).catch((error: unknown) => error);
  const { id } = await poll('its execution', () =>
    readStages(file)
      .slice(from)
      .find(({ stage }) => stage === 'execute'),
  );
  closing.abort();
  await sent;
  expect((await linesOf(id)).at(-1)).toMatchObject({ outcome: 'cancelled', executed: true });
});
