import { join } from 'node:path';
import { isSignedWebhook } from '../../src/governance/approvals/webhook/webhook-signature.js';
import { buildIndex, testFolder } from '../support/build-index.js';
import { type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { poll } from '../support/processes.js';
import { suiteClients } from '../support/suite-clients.js';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { writeFiles } from '../support/write-files.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const CLOCK = join(__dirname, '..', 'support', 'fast-clock.cjs');
const DAY_MS = 86_400_000;
/** A minute of the servers takes a second, in which they look for a summary that is due. */
const SPEED = 60;
const ROUND_MS = 60_000 / SPEED;

const folder = testFolder();
const index = folder.file('index.sqlite');
const connect = suiteClients(() => ({ index, env: { PITH_QUESTIONS: 'on', MCP_TOOL_NAMES: 'dotted' } }));

/** A running server of a later day, whose clock is fast. */
const startLater = (receiver: WebhookReceiver, days: number): Promise<HttpProcess> =>
  startHttpProcess(index, {
    ...{ PITH_QUESTIONS: 'on', PITH_QUESTIONS_SUMMARY: 'weekly' },
    ...{ PITH_APPROVAL_WEBHOOK_URL: receiver.url, PITH_APPROVAL_WEBHOOK_SECRET: SECRET },
    PITH_APPROVAL_LINK_BASE: 'https://pith.example.com',
    ...{ NODE_OPTIONS: `--require "${CLOCK}"`, FAST_CLOCK: `${days * DAY_MS} ${SPEED}` },
  });
const received = (receiver: WebhookReceiver, count: number) =>
  poll(`message ${count}`, () => receiver.requests[count - 1], 30_000);
const rounds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * ROUND_MS));

/** Monday of the week in which the questions of this suite are asked. */
const thisWeek = (): string => {
  const today = new Date();
  const monday = today.getTime() - ((today.getUTCDay() + 6) % 7) * DAY_MS;
  return new Date(monday).toISOString().slice(0, 10);
};

let week: string;
beforeAll(async () => {
  writeFiles(folder.file('docs'), {
    'sailing.md': '# Sailing\n\nSet the sails before you raise the anchor.\n',
  });
  await buildIndex(folder.file('docs'), index);
  const client = await connect('v2', 'stdio');
  week = thisWeek();
  const asked = await client.call('kb.retrieve_evidence', { question: 'Who paints the figurehead?' });
  const question_id = String(asked.structuredContent?.['diagnostic_id']);
  await client.call('kb.feedback', { question_id, answered: 'no' });
  await client.close();
});
afterAll(() => folder.remove());

describe('the summary of the week, by running servers', () => {
  it('is sent, signed, by one of two servers of a store, and only once', async () => {
    const receiver = await startReceiver(204);
    const servers = await Promise.all([startLater(receiver, 7), startLater(receiver, 7)]);
    const { headers, body } = await received(receiver, 1);
    await rounds(4);
    await Promise.all(servers.map(({ stop }) => stop()));
    const again = await startLater(receiver, 7);
    await rounds(3);
    await again.stop();
    await receiver.close();
    const [id, timestamp] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
    expect(receiver.requests).toHaveLength(1);
    expect(isSignedWebhook({ id, timestamp, body }, String(headers['webhook-signature']), SECRET)).toBe(true);
    const gap = { state: 'open', asked: 1, question: 'Who paints the figurehead?' };
    expect(JSON.parse(body)).toMatchObject({
      type: 'gaps.weekly',
      data: { week, asked: 1, answered: 0, closed: 0, open: 1, gaps: [gap] },
    });
    expect(JSON.parse(body).data.gaps[0].link).toMatch(/^https:\/\/pith\.example\.com\/admin\/gaps\/[\w-]+$/);
  });

  it('is sent by the same server when the receiver works again', async () => {
    const receiver = await startReceiver(503, 503, 204);
    const server = await startLater(receiver, 14);
    await received(receiver, 3);
    await rounds(3);
    await server.stop();
    await receiver.close();
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
  });

  it('is sent by another server if the first one stopped before', async () => {
    const receiver = await startReceiver(503, 204);
    const first = await startLater(receiver, 21);
    await received(receiver, 1);
    await first.stop();
    const second = await startLater(receiver, 21);
    await received(receiver, 2);
    await second.stop();
    await receiver.close();
    expect(receiver.requests[1]?.headers['webhook-id']).toBe(receiver.requests[0]?.headers['webhook-id']);
  });
});
