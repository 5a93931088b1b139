import { isSignedWebhook, signWebhook } from '../../src/governance/approvals/webhook/webhook-signature.js';
import { type ApprovingServer, startApprovingServer } from '../support/approval-rules.js';
import { httpRequest } from '../support/http-request.js';
import { poll, runPith } from '../support/processes.js';
import { startReceiver } from '../support/webhook-receiver.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

let server: ApprovingServer;
let messages = 0;

beforeAll(async () => {
  server = await startApprovingServer({ PITH_APPROVAL_WEBHOOK_SECRET: SECRET, PITH_ADMIN_TOKEN: '' });
});
afterAll(() => server?.stop());

interface Sent {
  readonly id?: string;
  /** Milliseconds from now. */
  readonly later?: number;
  readonly secret?: string;
  readonly headers?: Record<string, string>;
}

async function send(
  body: unknown,
  { id = `msg-${++messages}`, later = 0, secret = SECRET, headers }: Sent = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const timestamp = Math.floor((Date.now() + later) / 1_000);
  const reply = await httpRequest(server.at('/approvals/webhook'), {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook({ id, timestamp, body: text }, secret),
      ...headers,
    },
    body: text,
  });
  return { status: reply.status, headers: reply.headers, ...JSON.parse(reply.body) };
}

const stateOf = async (id: string): Promise<string | undefined> => (await server.store.get(id))?.state;
const by = (id: string, set: Record<string, unknown> = {}) => ({
  id,
  decision: 'approve',
  decided_by: 'ann@example.com',
  ...set,
});

describe('POST /approvals/webhook', () => {
  it('approves and rejects', async () => {
    const [first, second] = [await server.ask(), await server.ask()];
    expect(await send(by(first, { note: 'Fine.' }))).toMatchObject({
      status: 200,
      id: first,
      state: 'approved',
    });
    expect(await send(by(second, { decision: 'reject' }))).toMatchObject({ status: 200, state: 'rejected' });
    expect((await server.store.get(first))?.decisions).toMatchObject([
      { by: 'ann@example.com', via: 'webhook', verdict: 'approved', reason: 'Fine.' },
    ]);
  });

  it('needs two names for a review', async () => {
    const id = await server.ask({ effect: 'review' });
    expect(await send(by(id))).toMatchObject({ status: 200, state: 'pending' });
    expect(await send(by(id, { decided_by: 'Ann@Example.com' }))).toMatchObject({ status: 409 });
    expect(await send(by(id, { decided_by: 'ben' }))).toMatchObject({ status: 200, state: 'approved' });
  });

  it.each<[string, Sent, number]>([
    ['with another secret', { secret: OTHER }, 401],
    ['without a signature', { headers: { 'webhook-signature': '' } }, 401],
    ['without an id', { headers: { 'webhook-id': '' } }, 401],
    ['that is too old', { later: -301_000 }, 401],
    ['of the future', { later: 302_000 }, 401],
  ])('refuses a message %s', async (_, sent, status) => {
    const id = await server.ask();
    expect(await send(by(id), sent)).toMatchObject({ status, error: { code: 'UNAUTHORIZED' } });
    expect(await stateOf(id)).toBe('pending');
  });

  it('accepts a message once', async () => {
    const id = await server.ask({ effect: 'review' });
    expect(await send(by(id), { id: 'same' })).toMatchObject({ status: 200 });
    expect(await send(by(id, { decided_by: 'ben' }), { id: 'same' })).toMatchObject({ status: 409 });
    expect(await stateOf(id)).toBe('pending');
  });

  it.each<[Record<string, unknown> | string, number]>([
    ['no JSON', 400],
    ['[]', 400],
    [{ decision: 'maybe' }, 400],
    [{ decided_by: '' }, 400],
    [{ decided_by: 'ann\u202e' }, 400],
    [{ note: 'x'.repeat(501) }, 400],
    [{ extra: true }, 400],
    [{ note: 'x'.repeat(9_000) }, 400],
    [{ id: 'unknown' }, 404],
    [{ decided_by: 'agent-key' }, 403],
    [{ decided_by: 'AGENT-KEY' }, 403],
  ])('refuses %j', async (body, status) => {
    const id = await server.ask();
    const sent = typeof body === 'string' ? body : by(id, body);
    expect(await send(sent)).toMatchObject({ status, error: { hint: expect.any(String) } });
    expect(await stateOf(id)).toBe('pending');
  });

  it('answers 409 for a request that is decided or has expired', async () => {
    const [decided, expired] = [await server.ask(), await server.ask({ lifetimeMs: 1 })];
    await send(by(decided));
    expect(await send(by(decided, { decided_by: 'ben' }))).toMatchObject({ status: 409 });
    expect(await send(by(expired))).toMatchObject({ status: 409 });
  });

  it('does not read its own notifications as decisions', async () => {
    const id = await server.ask();
    expect(await send({ type: 'approval.requested', timestamp: '', data: { id } })).toMatchObject({
      status: 400,
    });
  });

  it('answers only POST', async () => {
    expect(await server.get('/approvals/webhook')).toMatchObject({ status: 404 });
  });

  it('throttles wrong signatures, not right ones', async () => {
    const id = await server.ask();
    let last = 0;
    for (let i = 0; i < 15; i++) last = Number((await send(by(id), { secret: OTHER })).status);
    expect(last).toBe(429);
    expect(await send(by(id))).toMatchObject({ status: 200 });
  });
});

describe('a call that waits', () => {
  it('is announced with a signature, approved by a webhook, and then made once', async () => {
    const receiver = await startReceiver(500, 204);
    const announcing = await startApprovingServer({
      PITH_APPROVAL_WEBHOOK_URL: receiver.url,
      PITH_APPROVAL_WEBHOOK_SECRET: SECRET,
      PITH_APPROVAL_LINK_BASE: 'https://pith.example.com',
    });
    const search = ['kb.search', { query: 'leave the waiting list' }] as const;
    const [asked] = await announcing.call(search);
    const { headers, body } = await poll('a notification', async () => receiver.requests[0], 5_000);
    const { type, data } = JSON.parse(body);
    const signed = {
      id: String(headers['webhook-id']),
      timestamp: Number(headers['webhook-timestamp']),
      body,
    };
    const decision = JSON.stringify({ id: data.id, decision: 'approve', decided_by: 'ann' });
    const timestamp = Math.floor(Date.now() / 1_000);
    const reply = await httpRequest(announcing.at('/approvals/webhook'), {
      headers: {
        'webhook-id': 'decision-1',
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signWebhook({ id: 'decision-1', timestamp, body: decision }, SECRET),
      },
      body: decision,
    });
    const [made, again] = await announcing.call(search, search);
    const lines = (await announcing.store.get(data.id))?.state;
    await announcing.stop();
    await receiver.close();
    expect(asked?.isError).toBe(true);
    expect(isSignedWebhook(signed, String(headers['webhook-signature']), SECRET)).toBe(true);
    expect({ type, ...data }).toMatchObject({
      type: 'approval.requested',
      tool: 'kb.search',
      principal: 'local',
      rule: 'search-needs-approval',
      safety: 'read',
      link: `https://pith.example.com/admin/approvals/${data.id}`,
    });
    expect(body).not.toContain('waiting list');
    expect(reply.status).toBe(200);
    expect([made?.isError ?? false, again?.isError, lines]).toEqual([false, true, 'used']);
  });

  it('is not announced without a secret: the server does not start', async () => {
    const { code, stderr } = await runPith(['http', '--port', '0'], {
      env: { PITH_APPROVAL_WEBHOOK_URL: 'https://pith.example.com/hook' },
    });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('PITH_APPROVAL_WEBHOOK_SECRET'),
    });
    expect(stderr).not.toContain('pith.example.com');
  });
});

describe('without a secret', () => {
  it('the path does not exist', async () => {
    const without = await startApprovingServer();
    const reply = await httpRequest(without.at('/approvals/webhook'), { body: '{}' });
    await without.stop();
    expect(reply.status).toBe(404);
  });
});
