import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ApprovalStore } from '../../src/governance/approvals/approval-store.js';
import { aDecision } from '../support/an-approval.js';
import { buildIndex, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { detailsOf, outcomeOf } from '../support/call-results.js';
import { approvalsIn } from '../support/governance-stores.js';
import { httpRequest } from '../support/http-request.js';
import {
  type CallResult,
  connectClient,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { ADMIN_TOKEN } from '../support/operators-server.js';
import { TRANSPORTS } from '../support/sites.js';
import { suiteClients } from '../support/suite-clients.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const QUOTE = 'Set the sails before you raise the anchor.';
/** A paragraph with a line break, as most Markdown has. */
const REEFS = '# Reefs\n\nThe reef is taken in\nwhen the wind reaches force five.\n';
const SAILING = `# Sailing\n\n${QUOTE} Wait 5 minutes then.\n`;
const PAY = 'The captain earns 9 coins a day.';

const ENV = {
  MCP_DOMAINS: 'claim',
  PITH_GOVERNANCE_FILE: folder.file('g.yaml'),
  PITH_SECRET: SECRET,
  MCP_TOOL_NAMES: 'dotted',
  PITH_HTTP_TOKEN: 'the-token-of-the-agents',
};

type Json = Record<string, unknown>;
let http: HttpProcess;
let approvals: ApprovalStore;
const headers = { authorization: `Bearer ${ENV.PITH_HTTP_TOKEN}` };
const onQuestion = async () => 'accept' as const;
const connect = suiteClients(() => ({ index, url: http.url, env: ENV, headers, onQuestion }));

async function publish(sailing: string): Promise<void> {
  writeFiles(folder.file('docs'), {
    'sailing.md': sailing,
    'hr/pay.md': `# Pay\n\n${PAY}\n`,
    'reefs.md': REEFS,
  });
  await buildIndex(folder.file('docs'), index);
}

async function adminPage(path: string): Promise<string> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  return (await httpRequest(new URL(path, http.url).href, { method: 'GET', headers })).body;
}

const outputOf = ({ structuredContent }: CallResult): Json => structuredContent ?? {};
const evidenceOf = (result: CallResult): Json[] => outputOf(result)['evidence'] as Json[];
const idOf = (result: CallResult): string => String(outputOf(result)['claim_id']);

beforeAll(async () => {
  await publish(SAILING);
  writeFiles(folder.path, {
    'g.yaml': 'version: 1\npolicy: { rules: [{ name: claims, tools: [claim.*], effect: allow }] }\n',
  });
  http = await startHttpProcess(index, { ...ENV, PITH_ADMIN_TOKEN: ADMIN_TOKEN });
  approvals = approvalsIn({
    file: folder.file('index.governance.sqlite'),
    creates: false,
    now: Date.now,
  });
});

afterAll(async () => {
  await approvals.close();
  await http.stop();
  folder.remove();
});

const PIECE = { section_id: 'sailing.md', quote: QUOTE };

describe.each(TRANSPORTS)('claims, %s over %s', (era, transport) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await connect(era, transport);
  });

  it('are made with a quote of several lines, as kb.retrieve_evidence returned it', async () => {
    const found = await client.call('kb.retrieve_evidence', { question: 'When is the reef taken in?' });
    const [{ quote, section_id } = {}] = outputOf(found)['quotes'] as Json[];
    expect(quote).toMatch(/reef is taken in\nwhen/);
    const evidence = [{ section_id, quote }];
    const made = await client.call('claim.create', { statement: 'Reefs wait for wind.', evidence });
    expect(outcomeOf(made)).toBe('ok');
    const verified = await client.call('kb.verify', { quotes: evidence });
    expect(outputOf(verified)['quotes']).toMatchObject([{ state: 'holds' }]);
    const hidden = await client.call('kb.verify', { quotes: [{ section_id, quote: 'reef\u0000' }] });
    expect(outcomeOf(hidden)).toBe('invalid_input');
  });

  it('are made with quotes of the documents only', async () => {
    const found = await client.call('kb.retrieve_evidence', { question: 'When are the sails set?' });
    const [quote] = outputOf(found)['quotes'] as Json[];
    const evidence = [{ passage_id: quote?.['passage_id'], quote: quote?.['quote'] }];
    const made = await client.call('claim.create', { statement: 'Sails come first.', evidence });
    expect(outcomeOf(made)).toBe('ok');
    expect(evidenceOf(made)[0]).toMatchObject({
      section_id: 'sailing.md',
      stance: 'supports',
      path: 'sailing.md',
    });
    const wrong = [PIECE, { section_id: 'sailing.md', quote: 'Raise the anchor before you set the sails.' }];
    const refused = await client.call('claim.create', { statement: 'Anchors come first.', evidence: wrong });
    expect([outcomeOf(refused), detailsOf(refused).quote]).toEqual(['quote_not_found', 2]);
    const { claims } = outputOf(await client.call('claim.list'));
    expect(JSON.stringify(claims)).not.toContain('Anchors come first.');
  });

  it('are decided by operators only, and keep every decision', async () => {
    const statement = `Sails are set first, ${era} ${transport}.`;
    const claim_id = idOf(await client.call('claim.create', { statement, evidence: [PIECE] }));
    const decide = (more: Json): Promise<CallResult> =>
      client.call('claim.decide', {
        claim_id,
        statement,
        decision: 'accept',
        reason: 'It is quoted.',
        ...more,
      });
    const asked = await decide({});
    expect([outcomeOf(asked), detailsOf(asked).approver]).toEqual(['approval_required', 'operator']);
    expect(outputOf(await client.call('claim.get', { claim_id }))).toMatchObject({
      state: 'open',
      decisions: [],
    });

    const id = String(detailsOf(asked).approval_id);
    expect((await approvals.get(id))?.argumentsText).toContain(statement);
    await approvals.decide(id, aDecision({ by: 'olga' }));
    expect(outputOf(await decide({}))).toMatchObject({
      state: 'accepted',
      decisions: [{ decision: 'accept', reason: 'It is quoted.', decided_by: ['olga'] }],
    });
    const later = { claim_id, evidence: [{ section_id: 'sailing.md', quote: 'Wait 5 minutes then.' }] };
    expect(outputOf(await client.call('claim.link_evidence', later))).toMatchObject({
      ...{ state: 'accepted', evidence_total: 2, evidence_added_after_decision: 1 },
    });
    const read = await client.call('claim.get', { claim_id });
    expect(read.content[0]?.text).toContain('accepted before 1 piece of evidence was added');
    const other = { decision: 'reject', reason: 'It has changed.' };
    const again = await decide(other);
    await approvals.decide(String(detailsOf(again).approval_id), aDecision({ by: 'otto' }));
    expect(outputOf(await decide(other))).toMatchObject({
      ...{ state: 'rejected', evidence_added_after_decision: 0 },
      decisions: [{ decided_by: ['olga'] }, { decision: 'reject', decided_by: ['otto'] }],
    });
    // Nobody is asked about another statement.
    expect(outcomeOf(await decide({ statement: 'Another one.' }))).toBe('statement_differs');
  });
});

describe('after the documents were indexed again', () => {
  it('claim.verify and kb.verify say what holds, moved, changed and is gone', async () => {
    const client = await connect('v2', 'http');
    const quotes = [QUOTE, 'Wait 5 minutes then.'].map((quote) => ({ section_id: 'sailing.md', quote }));
    const made = await client.call('claim.create', { statement: 'Set sails, then wait.', evidence: quotes });
    const states = async (name: string, args: Json, list: string): Promise<unknown> =>
      (outputOf(await client.call(name, args))[list] as Json[]).map(({ state }) => state);
    const both = async () => [
      await states('claim.verify', { claim_id: idOf(made) }, 'evidence'),
      await states('kb.verify', { quotes }, 'quotes'),
    ];
    const expected = (sails: string, wait: string) => [
      [sails, wait],
      [sails, wait],
    ];
    expect(await both()).toEqual(expected('holds', 'holds'));
    await publish(SAILING.replace('5 minutes', '50 minutes'));
    expect(await both()).toEqual(expected('holds', 'changed'));
    const text = (await client.call('claim.verify', { claim_id: idOf(made) })).content[0]?.text;
    expect(text).toContain('- Wait 5 minutes then.\n+ Wait 50 minutes then.');
    const page = await adminPage(`/admin/claims/${idOf(made)}`);
    expect(page).toContain('Wait 5 minutes then.');
    expect(page).toContain('Wait 5<mark>0</mark> minutes then.');
    expect(await adminPage('/admin/claims')).toContain(`href="/admin/claims/${idOf(made)}"`);
    await publish('# Sailing\n\nOther text.\n');
    expect(await both()).toEqual(expected('gone', 'gone'));
    await publish(SAILING);
    expect(await both()).toEqual(expected('holds', 'holds'));
  });

  it('kb.verify prefers the document that a quote is from to a copy', async () => {
    const client = await connect('v1', 'http');
    writeFiles(folder.file('docs'), { 'a/copy.md': SAILING });
    await publish(`# Sailing\n\n## First\n\nLook.\n\n## Then\n\n${QUOTE}\n`);
    const quotes = ['sailing.md#old', 'none.md'].map((section_id) => ({ section_id, quote: QUOTE }));
    const found = outputOf(await client.call('kb.verify', { quotes }))['quotes'];
    expect(found).toMatchObject([
      { state: 'moved', place: { section_id: 'sailing.md#then' } },
      { state: 'moved', place: { section_id: 'a/copy.md' } },
    ]);
    rmSync(folder.file('docs/a'), { recursive: true });
    await publish(SAILING);
  });
});

describe('evidence outside the scope of a caller', () => {
  it('hides the claim as if it did not exist, and can not be linked', async () => {
    const client = await connect('v1', 'http');
    const scope = { doc_tags: ['sailing'] };
    const made = await client.call('claim.create', { statement: 'The captain is paid.', evidence: [PIECE] });
    const claim_id = idOf(made);
    const quotes = [{ section_id: 'hr/pay.md', quote: PAY }];
    const seen = async () => {
      const calls: [string, Json][] = [
        ['claim.get', { claim_id, scope }],
        ['claim.verify', { claim_id, scope }],
        ['claim.list', { limit: 1, scope }],
        ['kb.verify', { quotes, scope }],
        ['claim.link_evidence', { claim_id, evidence: [PIECE], scope }],
        ['claim.link_evidence', { claim_id, evidence: quotes, scope }],
        ['claim.create', { statement: 'Pay.', evidence: quotes, scope }],
      ];
      const answers = [];
      for (const call of calls) answers.push(await client.call(...call));
      return answers.map(({ structuredContent, content }) => JSON.stringify({ structuredContent, content }));
    };
    const before = await seen();
    const linked = await client.call('claim.link_evidence', { claim_id, evidence: quotes });
    expect(outputOf(linked)['evidence_total']).toBe(2);
    const after = await seen();
    const [get, verify, list, quoted, ...writes] = after;
    expect([get, verify, ...writes.slice(0, 2)].map((answer) => answer?.includes('claim_not_found'))).toEqual(
      [...[true, true, true, true]],
    );
    expect(list).not.toContain(claim_id);
    expect([quoted, writes[2]]).toEqual([before[3], before[6]]);
    expect([...before, ...after].join()).not.toContain(PAY);
    expect(before.slice(-2).every((answer) => answer.includes('quote_not_found'))).toBe(true);
  });
});

describe('writes', () => {
  it('are denied without a rule', async () => {
    const client = await connect('v2', 'stdio', { env: { PITH_GOVERNANCE_FILE: '' } });
    expect(outcomeOf(await client.call('claim.list'))).toBe('ok');
    const names = (await client.listTools()).map(({ name }) => name);
    expect(names.filter((name) => /^claim|verify/.test(name)).sort()).toEqual([
      'claim.get',
      'claim.list',
      'claim.verify',
      'kb.verify',
    ]);
  });

  it('that were acknowledged outlive a killed server', async () => {
    const made = new Set<string>();
    for (let round = 0; round < 2; round++) {
      const client = await connectClient({ era: 'v2', transport: 'stdio', index, env: ENV });
      const create = async (): Promise<void> => {
        const args = { statement: 'It is kept.', evidence: [PIECE] };
        const result = await client.call('claim.create', args);
        if (!result.isError) made.add(idOf(result));
      };
      const running = Array.from({ length: 8 }, () => create().catch(() => undefined));
      await Promise.any(running);
      process.kill(client.pid() ?? 0, 'SIGKILL');
      await Promise.all(running);
      await client.close().catch(() => undefined);
    }
    const client = await connect('v2', 'http');
    const found = await Promise.all([...made].map((claim_id) => client.call('claim.get', { claim_id })));
    expect(found.map((result) => [outcomeOf(result), outputOf(result)['evidence_total']])).toEqual(
      [...made].map(() => ['ok', 1]),
    );
    expect(made.size).toBeGreaterThan(0);
  });
});

describe('the examples of docs/domains.md', () => {
  it('work as they are written', async () => {
    const page = readFileSync(join(__dirname, '..', '..', 'docs', 'domains.md'), 'utf8');
    const section = page.slice(page.indexOf('\n## Claims\n')).split(/\n## (?!Claims)/)[0] ?? '';
    const examples = [...section.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json));
    const client = await connect('v2', 'http');
    for (const example of examples)
      expect(outcomeOf(await client.call(example.tool, example.arguments))).toBe('ok');
    expect(examples.map(({ tool }) => tool)).toEqual(['claim.create', 'kb.verify']);
    const yaml = /```yaml\n(.*?)```/s.exec(section)?.[1] ?? '';
    expect(yaml).toContain('tools: [claim.*], effect: allow');
  });
});
