import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { LedgerLine } from '../../src/governance/ledger/ledger-line.js';
import { aDecision } from '../support/an-approval.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { approvalsIn } from '../support/governance-stores.js';
import {
  cleanEnv,
  connectClient,
  PROGRAM,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const SECRET = { PITH_SECRET: 's'.repeat(40) };

/** `pith ledger …` */
const ledger = (...args: string[]): string =>
  execFileSync(process.execPath, [PROGRAM, 'ledger', ...args, '--index', index], {
    env: cleanEnv(SECRET),
    encoding: 'utf8',
  });

function lines(): LedgerLine[] {
  return ledger('export')
    .trim()
    .split('\n')
    .map((line): LedgerLine => JSON.parse(line));
}

const APPROVED_SEARCH = `
version: 1
policy:
  rules:
    - { name: ask-operator, tools: [kb.search], effect: approve }
`;

beforeAll(() => buildIndex(FIXTURE_CORPUS, index));

afterAll(() => folder.remove());

describe('the run ledger', () => {
  it('records calls over HTTP by default: start and end of each, with rule, agent and outcome', async () => {
    const server = await startHttpProcess(index, SECRET);
    const client: TestClient = await connectClient({ era: 'v2', transport: 'http', index, url: server.url });
    await client.call('kb.search', { query: 'waiting list of the harbour' });
    await client.call('kb.search', { query: 5 });
    await client.call('kb.search', { query: 'harbour', scope: { project_id: 'another' } });
    await client.listTools();
    await client.close();
    await server.stop();

    const events = lines().map(({ event }) => event);
    expect(events).toMatchObject([
      {
        type: 'tool.call.started',
        tool: 'kb.search',
        agent: 'default',
        principal: 'local',
        rule: 'default-reads',
      },
      {
        type: 'tool.call.completed',
        outcome: 'success',
        executed: true,
        error_code: null,
        rule: 'default-reads',
      },
      {
        type: 'tool.call.completed',
        outcome: 'invalid',
        executed: false,
        error_code: 'INVALID_ARGUMENT',
        rule: null,
      },
      {
        type: 'tool.call.completed',
        outcome: 'refused',
        executed: false,
        error_code: 'SCOPE_VIOLATION',
        rule: null,
      },
    ]);
    expect(Object(events[0])['call_id']).toBe(Object(events[1])['call_id']);
    expect(Object(events[1])['refs'].length).toBeGreaterThan(0);
  });

  it('holds no arguments', () => {
    expect(ledger('export')).not.toContain('waiting list');
  });

  it('verifies, and shows the lines of one run, also of calls that were not started', () => {
    expect(ledger('verify')).toContain('4 lines');
    const run = String(Object(lines()[0]?.event)['run_id']);
    expect(ledger('show', run).trim().split('\n')).toHaveLength(4);
  });

  it('has the events of approvals in the run of their call', async () => {
    writeFiles(folder.path, { 'g.yaml': APPROVED_SEARCH });
    const env = { ...SECRET, PITH_LEDGER: 'on', PITH_GOVERNANCE_FILE: folder.file('g.yaml') };
    const client = await connectClient({ era: 'v1', transport: 'stdio', index, env });
    const inRun = { _meta: { 'pith/run_id': 'voyage-1' } };
    const { structuredContent } = await client.call('kb_search', { query: 'harbour' }, inRun);
    const id = String(Object(Object(structuredContent)['error'])['details']['approval_id']);
    const file = folder.file('index.governance.sqlite');
    const store = approvalsIn({ file, creates: false, now: Date.now });
    expect(await store.get(id)).toMatchObject({ runId: 'voyage-1' });
    await store.decide(id, aDecision());
    await store.close();
    await client.call('kb_search', { query: 'harbour' }, inRun);
    await client.close();
    const events = ledger('show', 'voyage-1', '--json').trim().split('\n');
    expect(events.map((line) => Object(JSON.parse(line))['event']['type'])).toEqual([
      'approval.requested',
      'tool.call.completed',
      'approval.used',
      'tool.call.started',
      'tool.call.completed',
    ]);
  });

  it('is not written over STDIO unless asked for', async () => {
    const own = testFolder();
    const other = own.file('index.sqlite');
    await buildIndex(FIXTURE_CORPUS, other);
    const call = async (env: Record<string, string>): Promise<boolean> => {
      const client = await connectClient({
        era: 'v1',
        transport: 'stdio',
        index: other,
        env: { ...SECRET, ...env },
      });
      await client.call('scope.describe');
      await client.close();
      return existsSync(own.file('index.ledger.sqlite'));
    };
    expect([await call({}), await call({ PITH_LEDGER: 'on' })]).toEqual([false, true]);
    own.remove();
  });
});
