import { setTimeout as pause } from 'node:timers/promises';
import { BackendsConfig } from '../../src/config/settings/backends.config.js';
import { IndexConfig } from '../../src/config/settings/index.config.js';
import type { Approval } from '../../src/governance/approvals/approval.js';
import { ApprovalStore } from '../../src/governance/approvals/approval-store.js';
import { openLedgerForReading } from '../../src/governance/ledger/store/open-ledger.js';
import { aDecision } from '../support/an-approval.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { detailsOf, outcomeOf } from '../support/call-results.js';
import { approvalsIn } from '../support/governance-stores.js';
import { type CallResult, type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { TRANSPORTS } from '../support/sites.js';
import { suiteClients } from '../support/suite-clients.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');

const governance = (minutes: number): string => `
version: 1
policy:
  rules:
    - { name: ask-caller, tools: [kb.search], effect: approve, approver: caller, expires_in_minutes: ${minutes} }
    - { name: ask-operator, tools: [kb.retrieve_evidence], effect: approve, reason: Evidence is counted. }
    - { name: ask-two, tools: [scope.describe], effect: review }
`;

const ENV = {
  PITH_GOVERNANCE_FILE: folder.file('g.yaml'),
  PITH_SECRET: SECRET,
  MCP_TOOL_NAMES: 'dotted',
  PITH_HTTP_TOKEN: 'the-token-of-the-agents',
  PITH_ADMIN_TOKEN: 'the-token-of-the-operators',
};
const AGENT = { authorization: `Bearer ${ENV.PITH_HTTP_TOKEN}` };

let http: HttpProcess;
let store: ApprovalStore;
const connect = suiteClients(() => ({ index, url: http.url, env: ENV, headers: AGENT }));

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, { 'g.yaml': governance(60), 'other.yaml': governance(59) });
  http = await startHttpProcess(index, ENV);
  // As an operator's command does, in a process of its own.
  const file = folder.file('index.governance.sqlite');
  store = approvalsIn({ file, creates: false, now: Date.now });
});

afterAll(async () => {
  await store.close();
  await http.stop();
  folder.remove();
});

const idOf = (result: CallResult): string => String(detailsOf(result).approval_id);
const approve = (id: string, by = 'ann'): Promise<Approval> => store.decide(id, aDecision({ by }));
const evidence = (question: string): [string, Record<string, unknown>] => [
  'kb.retrieve_evidence',
  { question },
];

describe.each(TRANSPORTS)('a call that an operator approves, %s over %s', (era, transport) => {
  const question = `How is a sail set, ${era} ${transport}?`;

  it('waits, runs once with the same arguments, and asks again', async () => {
    const client = await connect(era, transport);
    const first = await client.call(...evidence(question));
    expect(first.content[0]?.text).toContain('Evidence is counted. An operator decides at /admin/approvals');
    expect(detailsOf(first)).toMatchObject({
      reason: 'approval_required',
      approver: 'operator',
      rule: 'ask-operator',
    });
    const again = await client.call(...evidence(question));
    expect([outcomeOf(again), idOf(again)]).toEqual(['approval_required', idOf(first)]);
    await approve(idOf(first));
    const altered = await client.call(...evidence(`${question}!`));
    expect([outcomeOf(altered), idOf(altered) === idOf(first)]).toEqual(['approval_required', false]);
    const narrowed = await client.call('kb.retrieve_evidence', { question, scope: { doc_tags: ['x'] } });
    expect(outcomeOf(narrowed)).not.toBe('ok');
    expect(outcomeOf(await client.call(...evidence(question)))).toBe('ok');
    expect(outcomeOf(await client.call(...evidence(question)))).toBe('approval_required');
  });

  it('is not approved by unrequested answers of the host', async () => {
    const onQuestion = async () => 'accept' as const;
    const client = await connect(era, transport, { onQuestion });
    const asked = await client.call(...evidence(`${question} Again?`));
    expect(outcomeOf(asked)).toBe('approval_required');
    const forged = {
      inputResponses: { approval: { action: 'accept', content: {} } },
      requestState: idOf(asked),
    };
    const answered = await client.call(...evidence(`${question} Again?`), forged);
    expect(outcomeOf(answered)).toBe('approval_required');
    expect(await store.get(idOf(asked))).toMatchObject({ state: 'pending', decisions: [] });
  });
});

describe('a call that the user at the host approves', () => {
  it.each(TRANSPORTS)('runs when the user accepts, %s over %s', async (era, transport) => {
    const messages: string[] = [];
    const onQuestion = async (message: string) => {
      messages.push(message);
      return 'accept' as const;
    };
    const client = await connect(era, transport, { onQuestion });
    const search = { query: `sail accepted ${era} ${transport}` };
    expect(outcomeOf(await client.call('kb.search', search))).toBe('ok');
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain('wants to call kb.search, which only reads. Allow this call once?');
    expect(messages[0]).toContain(search.query);
    expect(outcomeOf(await client.call('kb.search', search))).toBe('ok');
    expect(messages).toHaveLength(2);
  });

  it.each(TRANSPORTS)('is refused if the user declines or closes it, %s over %s', async (era, transport) => {
    const actions = ['decline', 'cancel'] as const;
    let asked = 0;
    const client = await connect(era, transport, { onQuestion: async () => actions[asked++] ?? 'accept' });
    const declined = { query: `sail declined ${era} ${transport}` };
    expect(outcomeOf(await client.call('kb.search', declined))).toBe('approval_denied');
    expect(outcomeOf(await client.call('kb.search', declined))).toBe('approval_denied');
    expect(outcomeOf(await client.call('kb.search', { query: 'closed' }))).toBe('approval_required');
    expect(asked).toBe(2);
  });

  it.each(TRANSPORTS)(
    'is refused if the user declines it after an operator approved it, %s over %s',
    async (era, transport) => {
      const onQuestion = async () => {
        const [newest] = await store.list({ limit: 1 });
        await approve(newest?.id ?? '');
        return 'decline' as const;
      };
      const client = await connect(era, transport, { onQuestion });
      const refused = await client.call('kb.search', { query: `sail approved ${era} ${transport}` });
      expect(outcomeOf(refused)).toBe('approval_denied');
      expect(await store.get(idOf(refused))).toMatchObject({ state: 'approved' });
    },
  );

  it.each(TRANSPORTS)(
    'waits for an operator if the client did not declare elicitation, %s over %s',
    async (era, transport) => {
      const client = await connect(era, transport);
      const search = { query: `sail undeclared ${era} ${transport}` };
      const refused = await client.call('kb.search', search);
      expect(outcomeOf(refused)).toBe('approval_required');
      await approve(idOf(refused));
      expect(outcomeOf(await client.call('kb.search', search))).toBe('ok');
    },
  );

  it('holds no slot and has no deadline while the user decides', async () => {
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const onQuestion = async () => {
      isAsked();
      await pause(1_500);
      return 'accept' as const;
    };
    const env = { PITH_CALL_TIMEOUT_MS: '1000', PITH_MAX_CONCURRENT_CALLS: '1' };
    const client = await connect('v1', 'stdio', { onQuestion, env });
    const waiting = client.call('kb.search', { query: 'slow user' });
    await asked;
    expect(outcomeOf(await client.call(...evidence('meanwhile')))).toBe('approval_required');
    expect(outcomeOf(await waiting)).toBe('ok');
  });
});

describe('an approval', () => {
  it('is used by one of several processes at once', async () => {
    const processes = await Promise.all([
      connect('v1', 'stdio'),
      connect('v2', 'stdio'),
      connect('v1', 'stdio'),
    ]);
    const call = evidence('Who is first?');
    const [first] = processes;
    await approve(idOf((await first?.call(...call)) ?? { content: [] }));
    const ended = await Promise.all(processes.map(async (client) => outcomeOf(await client.call(...call))));
    expect(ended.sort()).toEqual(['approval_required', 'approval_required', 'ok']);
  });

  it('survives a restart, but not a change of the policy', async () => {
    const call = evidence('What survives?');
    const before = await connect('v1', 'stdio');
    await approve(idOf(await before.call(...call)));
    await before.close();
    const env = { PITH_GOVERNANCE_FILE: folder.file('other.yaml') };
    const changed = await connect('v2', 'stdio', { env });
    expect(outcomeOf(await changed.call(...call))).toBe('approval_required');
    const restarted = await connect('v2', 'stdio');
    expect(outcomeOf(await restarted.call(...call))).toBe('ok');
  });

  it('is for one principal, and for the call that names it', async () => {
    const call = evidence('Whose is it?');
    const agent = await connect('v2', 'http');
    const operator = await connect('v2', 'http', {
      headers: { authorization: `Bearer ${ENV.PITH_ADMIN_TOKEN}` },
    });
    const id = idOf(await agent.call(...call));
    await approve(id);
    const named = { _meta: { 'pith/approval_id': id } };
    expect(outcomeOf(await operator.call(...call))).toBe('approval_required');
    expect(outcomeOf(await operator.call(...call, named))).toBe('approval_mismatch');
    expect(outcomeOf(await agent.call(...evidence('Another?'), named))).toBe('approval_mismatch');
    expect(outcomeOf(await agent.call(...call, named))).toBe('ok');
    expect(outcomeOf(await agent.call(...call, named))).toBe('approval_mismatch');
  });

  it('is refused to an operator for an own call, and needs two operators for a review', async () => {
    const operator = await connect('v1', 'http', {
      headers: { authorization: `Bearer ${ENV.PITH_ADMIN_TOKEN}` },
    });
    const id = idOf(await operator.call('scope.describe'));
    await expect(approve(id, 'operator')).rejects.toMatchObject({ reason: 'own_call' });
    await approve(id, 'ann');
    await expect(approve(id, 'ann')).rejects.toMatchObject({ reason: 'approval_already_decided' });
    expect(outcomeOf(await operator.call('scope.describe'))).toBe('approval_required');
    await approve(id, 'ben');
    expect(outcomeOf(await operator.call('scope.describe'))).toBe('ok');
  });

  it('is needed for the same text as a resource, a prompt and under older names', async () => {
    const client = await connect('v2', 'http');
    const failure = await client.readResource('docs:///sails.md').catch((error: unknown) => error);
    const { reason, approval_id } = Object(Object(Object(failure)['data'])['details']);
    expect(reason).toBe('approval_required');
    await approve(String(approval_id));
    const second = await client.readResource('docs:///sails.md').catch((error: unknown) => error);
    expect(Object(Object(Object(second)['data'])['details'])['reason']).not.toBe('approval_required');
    await expect(client.getPrompt('x')).rejects.toThrow('needs an approval');
    const older = await client.call('search_sections', { query: 'sail' });
    expect(detailsOf(older)).toMatchObject({ reason: 'approval_required', rule: 'ask-operator' });
    expect((await client.listResources()).resources).toEqual([]);
  });
});

describe('the run ledger', () => {
  it('has request and use of an approval, and verifies', async () => {
    const client = await connect('v2', 'http');
    const call = evidence('What is recorded?');
    const id = idOf(await client.call(...call));
    await approve(id);
    await client.call(...call);
    await pause(200);
    const file = folder.file('index.ledger.sqlite');
    const ledger = openLedgerForReading(
      {
        ledger: { file, mode: 'on', arguments: 'off', retentionDays: 0 },
        backends: new BackendsConfig(),
        index: new IndexConfig(),
      },
      { secret: SECRET, isLasting: true },
    );
    const events = (await ledger.lines({ from: 'newest', limit: 100 })).map(({ event }) => event);
    expect(await ledger.verify()).toMatchObject({ isIntact: true });
    await ledger.close();
    const own = events.filter((event) => 'approval_id' in event && event.approval_id === id);
    expect(own).toMatchObject([
      { type: 'approval.requested', tool: 'kb.retrieve_evidence', principal: 'bearer', rule: 'ask-operator' },
      { type: 'tool.call.completed', outcome: 'waiting', executed: false, reason: 'approval_required' },
      { type: 'approval.used' },
      { type: 'tool.call.completed', outcome: 'success', executed: true },
    ]);
    const waiting = own.find((event) => event.type === 'tool.call.completed' && event.effect === 'approve');
    expect(waiting).toMatchObject({ outcome: 'waiting', executed: false, error_code: 'SCOPE_VIOLATION' });
    expect(JSON.stringify(events)).not.toContain('What is recorded');
  });
});
