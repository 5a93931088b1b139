import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { cleanEnv, PROGRAM } from '../support/mcp-clients.js';
import { runPith } from '../support/run-pith.js';

const RUNNER = join(__dirname, '..', 'support', 'run-graph.mjs');
const QUESTION = { question: 'When does a ship leave the waiting list?' };

const folder = testFolder();
const index = folder.file('index.sqlite');

interface Told {
  readonly type: string;
  readonly content: string;
  readonly status?: string;
  readonly name?: string;
  readonly artifact?: { readonly refs: readonly { type: string }[]; readonly toolCallId: string };
}

interface Ran {
  readonly bound: readonly string[];
  readonly interrupts: readonly (readonly Record<string, unknown>[])[];
  readonly messages: readonly Told[];
}

interface Scenario {
  readonly threadId: string;
  /** The tool calls of each message of the model. */
  readonly messages: readonly (readonly { readonly name: string; readonly args: object }[])[];
  readonly resumes?: readonly object[];
  readonly env?: Record<string, string>;
}

/** Runs the example graph of the docs with a server of its own. */
async function runGraph({ env, ...scenario }: Scenario): Promise<Ran> {
  const file = folder.file(`${scenario.threadId}.json`);
  const server = {
    command: process.execPath,
    args: [PROGRAM, 'stdio', '--index', index],
    env: cleanEnv({ PITH_LEDGER: 'on', ...env }),
  };
  writeFileSync(file, JSON.stringify({ ...scenario, server }));
  const { stdout } = await promisify(execFile)(process.execPath, [RUNNER, file]);
  return JSON.parse(stdout) as Ran;
}

const toolMessages = ({ messages }: Ran): readonly Told[] => messages.filter(({ type }) => type === 'tool');

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
}, 60_000);

describe('the example graph of docs/langgraph.md', () => {
  it('binds the tools of the server and answers from the documents', async () => {
    const ran = await runGraph({
      threadId: 'thread-1',
      messages: [[{ name: 'kb_retrieve_evidence', args: QUESTION }]],
    });
    const [message] = toolMessages(ran);
    expect(ran.bound).toContain('kb_retrieve_evidence');
    expect(message).toMatchObject({ name: 'kb_retrieve_evidence', status: 'success' });
    expect(message?.content).toContain('A ship leaves the waiting list when it gets a berth');
    expect(ran.messages.at(-1)?.content).toBe('done');
  }, 60_000);

  it('puts the calls of a thread into one run of the ledger', async () => {
    await runGraph({
      threadId: 'thread-2',
      messages: [[{ name: 'kb_search', args: { query: 'ship' } }], [{ name: 'scope_describe', args: {} }]],
    });
    const { stdout } = await runPith(['ledger', 'show', 'thread-2', '--index', index]);
    expect(stdout).toMatch(/kb\.search/);
    expect(stdout).toMatch(/scope\.describe/);
  }, 60_000);

  it('answers all calls of one message, also those that fail', async () => {
    const ran = await runGraph({
      threadId: 'thread-3',
      messages: [
        [
          { name: 'kb_search', args: { query: 'ship' } },
          { name: 'kb_search', args: { query: 'ship', nothing: 1 } },
          { name: 'no_such_tool', args: {} },
        ],
      ],
    });
    expect(toolMessages(ran).map(({ status }) => status)).toEqual(['success', 'error', 'error']);
  }, 60_000);

  const RULE = (fields: string): string => `version: 1
policy: { rules: [{ name: ask, tools: [kb.retrieve_evidence], effect: approve${fields} }] }`;
  const QUESTIONS = [[{ name: 'kb_retrieve_evidence', args: QUESTION }]];

  function governed(name: string, fields: string): Record<string, string> {
    writeFileSync(folder.file(`${name}.yaml`), RULE(fields));
    const own = { PITH_GOVERNANCE_STORE_FILE: folder.file(`${name}.sqlite`) };
    return { PITH_GOVERNANCE_FILE: folder.file(`${name}.yaml`), ...own };
  }

  it('is interrupted when the caller has to approve, and makes the call when it does', async () => {
    const env = governed('caller', ', approver: caller');
    const ran = await runGraph({
      threadId: 'thread-5',
      env,
      messages: QUESTIONS,
      resumes: [{ decision: 'approve' }],
    });
    expect(ran.interrupts).toMatchObject([[{ type: 'approval_required', approver: 'caller' }]]);
    expect(toolMessages(ran)).toMatchObject([{ status: 'success' }]);
  }, 60_000);

  it('tells the model when the caller rejects', async () => {
    const env = governed('rejecting', ', approver: caller');
    const ran = await runGraph({
      threadId: 'thread-6',
      env,
      messages: QUESTIONS,
      resumes: [{ decision: 'reject' }],
    });
    expect(toolMessages(ran)).toMatchObject([{ status: 'error' }]);
  }, 60_000);

  it('is interrupted again until an operator has approved', async () => {
    const approve = [process.execPath, PROGRAM, 'approvals', 'approve', '--index', index];
    const resumes = [{ decision: 'approve' }, { decision: 'approve', approve }];
    const ran = await runGraph({
      threadId: 'thread-7',
      env: governed('operator', ''),
      messages: QUESTIONS,
      resumes,
    });
    expect(ran.interrupts).toMatchObject([
      [{ approver: 'operator', rule: 'ask', tool: 'kb_retrieve_evidence', args: QUESTION }],
      [{ approver: 'operator' }],
    ]);
    expect(toolMessages(ran)).toMatchObject([{ status: 'success' }]);
  }, 60_000);

  it('gives references as artifacts if the server sends envelopes', async () => {
    const ran = await runGraph({
      threadId: 'thread-4',
      env: { MCP_RESPONSE_ENVELOPE: 'on' },
      messages: [[{ name: 'kb_search', args: { query: 'ship' } }]],
    });
    const [message] = toolMessages(ran);
    expect(message?.artifact?.toolCallId).toMatch(/^[0-9a-f-]{36}$/);
    expect(message?.artifact?.refs).toContainEqual({ type: 'section', id: expect.any(String) });
  }, 60_000);
});
