import { isSignedWebhook } from '../../src/governance/approvals/webhook/webhook-signature.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { SECRET as SERVER_SECRET } from '../support/builders.js';
import { connectClient, type Era } from '../support/mcp-clients.js';
import { poll, runPith } from '../support/processes.js';
import { startReceiver } from '../support/webhook-receiver.js';
import { writeFiles } from '../support/write-files.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const QUESTION = 'leave the waiting list';
const folder = testFolder();
const index = folder.file('index.sqlite');
const GOVERNANCE = `
version: 1
policy:
  rules:
    - { name: watch-searches, tools: [kb.search], effect: notify }
`;

const env = (url: string): Record<string, string> => ({
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_SECRET: SERVER_SECRET,
  PITH_LEDGER: 'on',
  MCP_TOOL_NAMES: 'dotted',
  PITH_APPROVAL_WEBHOOK_URL: url,
  PITH_APPROVAL_WEBHOOK_SECRET: SECRET,
});

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, { 'governance.yaml': GOVERNANCE });
});

afterAll(() => folder.remove());

describe('a call that a rule with the effect notify allows', () => {
  it.each<Era>(['v1', 'v2'])('is reported to the webhook, without its arguments, %s', async (era) => {
    const receiver = await startReceiver(500, 204);
    const client = await connectClient({ era, transport: 'stdio', index, env: env(receiver.url) });
    await client.call('scope.describe');
    const { _meta, isError } = await client.call('kb.search', { query: QUESTION });
    const { headers, body } = await poll('a notification', async () => receiver.requests[0], 5_000);
    const [id, timestamp] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
    expect(isSignedWebhook({ id, timestamp, body }, String(headers['webhook-signature']), SECRET)).toBe(true);
    const { type, data } = JSON.parse(body);
    expect([isError ?? false, type, data]).toEqual([
      false,
      'call.notified',
      {
        tool: 'kb.search',
        principal: 'local',
        agent: 'default',
        rule: 'watch-searches',
        run_id: expect.stringMatching(/^session:/),
        tool_call_id: _meta?.['pith/tool_call_id'],
        error_code: null,
      },
    ]);
    expect(body).not.toContain(QUESTION);
    const { stdout } = await runPith(['ledger', 'export', '--format', 'jsonl', '--index', index], {
      env: env(receiver.url),
    });
    expect(stdout).toContain(data.tool_call_id);
    expect(receiver.requests).toHaveLength(1);
    await client.close();
    await receiver.close();
  });

  it('neither waits for a receiver that is down nor fails', async () => {
    const receiver = await startReceiver('silence');
    const client = await connectClient({ era: 'v1', transport: 'stdio', index, env: env(receiver.url) });
    await client.call('kb.search', { query: QUESTION });
    const from = performance.now();
    for (let i = 0; i < 5; i++)
      expect((await client.call('kb.search', { query: QUESTION })).isError ?? false).toBe(false);
    expect(performance.now() - from).toBeLessThan(2_000);
    await client.close();
    expect(performance.now() - from).toBeLessThan(5_000);
    await receiver.close();
  });
});
