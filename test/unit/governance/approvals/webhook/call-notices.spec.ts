import { CallNotices, noticeOf } from '../../../../../src/governance/approvals/webhook/call-notices.js';
import { isSignedWebhook } from '../../../../../src/governance/approvals/webhook/webhook-signature.js';
import { aFinishedCall } from '../../../../support/a-finished-call.js';
import { NOW } from '../../../../support/builders.js';
import {
  type ReceiverAnswer,
  startReceiver,
  type WebhookReceiver,
} from '../../../../support/webhook-receiver.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let receiver: WebhookReceiver;
let notices: CallNotices;
let failures: string[];

const finished = (id: string, effect = 'notify') =>
  aFinishedCall({
    call: { id },
    decisions: { run: 'run-1', policy: { tool: 'kb.search', rule: 'watch', effect } },
  });

async function open(answers: readonly ReceiverAnswer[], maxWaiting = 100): Promise<void> {
  failures = [];
  receiver = await startReceiver(...answers);
  const onFailure = (message: string): void => void failures.push(message);
  notices = new CallNotices(
    { url: receiver.url, secret: SECRET },
    {
      now: () => NOW,
      steady: () => NOW,
      onFailure,
      pausesMs: [1],
      attemptMs: 2_000,
      closeMs: 1_000,
      maxWaiting,
    },
  );
}

afterEach(async () => {
  await notices.close();
  await receiver.close();
});

describe('CallNotices', () => {
  it('sends a signed notification of a call that a rule reports', async () => {
    await open([204]);
    notices.observe(finished('a'));
    await notices.close();
    const [request] = receiver.requests;
    const { headers = {}, body = '' } = request ?? {};
    const message = { id: String(headers['webhook-id']), timestamp: NOW / 1_000, body };
    expect(message.id).toBe('call_a');
    expect(isSignedWebhook(message, String(headers['webhook-signature']), SECRET)).toBe(true);
  });

  it('sends nothing about other calls', async () => {
    await open([204]);
    notices.observe(finished('a', 'allow'));
    notices.observe(aFinishedCall());
    await notices.close();
    expect(receiver.requests).toEqual([]);
  });

  it('tries again, and reports what was lost', async () => {
    await open([500]);
    notices.observe(finished('a'));
    while (failures.length === 0) await new Promise((next) => setTimeout(next, 5));
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(['call_a', 'call_a']);
    expect(failures).toEqual([
      'notifications of calls that were lost: 1; the last reason: the receiver answered 500',
    ]);
  });

  it('drops notifications if too many wait, and counts them', async () => {
    await open(['silence'], 2);
    for (const id of 'abcdefghij') notices.observe(finished(id));
    expect(failures).toEqual(['notifications of calls that were lost: 1; the last reason: too many wait']);
    await notices.close();
    expect(failures.at(-1)).toBe(
      'notifications of calls that were lost: 3; the last reason: the server stops',
    );
  });

  it('sends nothing after it was closed', async () => {
    await open([204]);
    await notices.close();
    notices.observe(finished('a'));
    await notices.close();
    expect(receiver.requests).toEqual([]);
  });
});

describe('noticeOf', () => {
  it('names the call without its arguments and its result', () => {
    expect(JSON.parse(noticeOf(finished('a'))?.body ?? '')).toEqual({
      type: 'call.notified',
      timestamp: new Date(NOW).toISOString(),
      data: {
        tool: 'kb.search',
        principal: 'local',
        agent: 'default',
        rule: 'watch',
        run_id: 'run-1',
        tool_call_id: 'a',
        error_code: null,
      },
    });
  });
});
