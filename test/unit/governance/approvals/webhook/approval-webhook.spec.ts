import { ApprovalWebhookConfig } from '../../../../../src/config/settings/approval-webhook.config.js';
import {
  ApprovalWebhook,
  notificationOf,
} from '../../../../../src/governance/approvals/webhook/approval-webhook.js';
import { isSignedWebhook } from '../../../../../src/governance/approvals/webhook/webhook-signature.js';
import { anApproval, REQUESTED_AT } from '../../../../support/an-approval.js';
import {
  type ReceiverAnswer,
  startReceiver,
  type WebhookReceiver,
} from '../../../../support/webhook-receiver.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const config = (set: Partial<ApprovalWebhookConfig> = {}): ApprovalWebhookConfig => ({
  ...new ApprovalWebhookConfig(),
  secret: SECRET,
  ...set,
});

let receiver: WebhookReceiver;
let webhook: ApprovalWebhook;
let failures: string[];

interface Delivery {
  readonly expiresAt?: number;
  /** Number of requests, after which nothing else is awaited. */
  readonly requests: number;
  readonly fails?: boolean;
}

/** Notifies a receiver that answers so, and waits for the requests and the report of a failure. */
async function deliver(
  answers: readonly ReceiverAnswer[],
  { requests, fails = false, ...approval }: Delivery,
): Promise<void> {
  failures = [];
  receiver = await startReceiver(...answers);
  let resolve: () => void = () => undefined;
  const failed = new Promise<void>((done) => (resolve = done));
  webhook = new ApprovalWebhook(config({ url: receiver.url }), {
    now: () => REQUESTED_AT,
    onFailure: (message) => {
      failures.push(message);
      resolve();
    },
    attemptMs: 200,
    pausesMs: [1, 1],
  });
  webhook.notify(anApproval(approval));
  if (fails) await failed;
  while (receiver.requests.length < requests) await new Promise((next) => setTimeout(next, 5));
}

afterEach(async () => {
  webhook?.close();
  await receiver?.close();
});

describe('ApprovalWebhook', () => {
  it('sends a notification, signed as Standard Webhooks', async () => {
    await deliver([204], { requests: 1 });
    const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = receiver.requests;
    const id = String(headers['webhook-id']);
    const timestamp = Number(headers['webhook-timestamp']);
    expect({ path, id, timestamp, type: headers['content-type'] }).toEqual({
      path: '/hook?token=in-the-url',
      id: 'approval_approval-1',
      timestamp: REQUESTED_AT / 1_000,
      type: 'application/json',
    });
    expect(isSignedWebhook({ id, timestamp, body }, String(headers['webhook-signature']), SECRET)).toBe(true);
    expect(JSON.parse(body)).toMatchObject({ type: 'approval.requested', data: { id: 'approval-1' } });
  });

  it('tries again with the same id until the receiver accepts', async () => {
    await deliver([500, 429, 200], { requests: 3 });
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([
      'approval_approval-1',
      'approval_approval-1',
      'approval_approval-1',
    ]);
    expect(failures).toEqual([]);
  });

  it.each<[string, ReceiverAnswer, number, string]>([
    ['answers with errors', 503, 3, 'the receiver answered 503'],
    ['does not answer', 'silence', 3, 'no answer in time'],
    ['redirects', '/elsewhere', 3, 'the receiver answered 307'],
    ['wants no more', 410, 1, 'the receiver answered 410'],
  ])('gives up if the receiver %s', async (_, answer, requests, problem) => {
    await deliver([answer], { requests, fails: true });
    expect(failures).toEqual([`approval approval-1 was not announced: ${problem}`]);
    expect(receiver.requests.map(({ path }) => path)).toEqual(
      Array.from({ length: requests }, () => '/hook?token=in-the-url'),
    );
  });

  it('does not try again when the request has expired', async () => {
    await deliver([500], { requests: 1, fails: true, expiresAt: REQUESTED_AT + 1 });
    expect(receiver.requests).toHaveLength(1);
  });

  it('sends nothing after it was closed', async () => {
    await deliver([200], { requests: 1 });
    webhook.close();
    webhook.notify(anApproval());
    await new Promise((next) => setTimeout(next, 50));
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('notificationOf', () => {
  const data = (set: Partial<ApprovalWebhookConfig>) =>
    JSON.parse(notificationOf(anApproval(), config(set))).data;

  it('names the call without its arguments', () => {
    expect(data({})).toEqual({
      id: 'approval-1',
      tool: 'kb.search',
      version: '1',
      principal: 'agent-key',
      agent: 'support',
      rule: 'search-needs-approval',
      effect: 'approve',
      safety: 'read',
      approvals_needed: 1,
      requested_at: '2026-01-01T00:00:00.000Z',
      expires_at: '2026-01-01T01:00:00.000Z',
    });
  });

  it('contains the arguments if that is enabled', () => {
    expect(data({ hasArguments: true })).toMatchObject({
      arguments_json: '{"question":"How?"}',
      arguments_omitted: 0,
    });
  });

  it.each(['https://pith.example.com', 'https://pith.example.com/'])(
    'links to the admin console at %s',
    (linkBase) => {
      expect(data({ linkBase }).link).toBe('https://pith.example.com/admin/approvals/approval-1');
    },
  );
});
