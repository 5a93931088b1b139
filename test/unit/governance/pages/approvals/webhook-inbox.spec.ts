import { signWebhook } from '../../../../../src/governance/approvals/webhook/webhook-signature.js';
import {
  type SignedRequest,
  WebhookInbox,
} from '../../../../../src/governance/pages/approvals/approval-webhook.controller.js';
import { NOW } from '../../../../support/builders.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MINUTES_5 = 300_000;

function signed(id: string, at = NOW): SignedRequest {
  const timestamp = Math.floor(at / 1_000);
  const body = Buffer.from('{}');
  return { id, timestamp: String(timestamp), body, signature: signWebhook({ id, timestamp, body }, SECRET) };
}

const inboxAt = (clock: { at: number }): WebhookInbox => {
  const now = (): number => clock.at;
  return new WebhookInbox(SECRET, { now, steady: now });
};

describe('WebhookInbox', () => {
  it('accepts a message once', () => {
    const inbox = inboxAt({ at: NOW });
    expect([inbox.accept(signed('a')), inbox.accept(signed('a')), inbox.accept(signed('b'))]).toEqual([
      null,
      'repeated',
      null,
    ]);
  });

  it.each([
    [-MINUTES_5, null],
    [MINUTES_5, null],
    [-MINUTES_5 - 1_000, 'too_old'],
    [MINUTES_5 + 1_000, 'too_old'],
  ])('with a time that differs by %d ms: %j', (difference, refusal) => {
    expect(inboxAt({ at: NOW }).accept(signed('a', NOW + difference))).toBe(refusal);
  });

  it('remembers an id as long as its message could be sent again', () => {
    const clock = { at: NOW };
    const inbox = inboxAt(clock);
    const early = signed('a', NOW + MINUTES_5);
    inbox.accept(early);
    clock.at = NOW + 2 * MINUTES_5;
    expect(inbox.accept(early)).toBe('repeated');
  });

  it('accepts a message again if it could not be processed', () => {
    const inbox = inboxAt({ at: NOW });
    inbox.accept(signed('a'));
    inbox.forget('a');
    expect(inbox.accept(signed('a'))).toBeNull();
  });

  it.each<Partial<SignedRequest>>([
    { id: 'b' },
    { id: '' },
    { timestamp: '' },
    { timestamp: '1e9' },
    { timestamp: `${NOW / 1_000}.0` },
    { signature: '' },
    { body: Buffer.from('{} ') },
  ])('refuses a message that was changed after it was signed: %j', (changed) => {
    expect(inboxAt({ at: NOW }).accept({ ...signed('a'), ...changed })).toBe('not_signed');
  });

  it('refuses more than 10,000 messages in ten minutes', () => {
    const clock = { at: NOW };
    const inbox = inboxAt(clock);
    for (let i = 0; i < 10_000; i++) inbox.accept(signed(`id-${i}`));
    expect(inbox.accept(signed('one more'.replace(/ /g, '-')))).toBe('too_many');
    clock.at += 2 * MINUTES_5 + 1;
    expect(inbox.accept(signed('later', clock.at))).toBeNull();
  });
});
