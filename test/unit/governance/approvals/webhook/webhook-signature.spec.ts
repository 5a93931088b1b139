import {
  isSignedWebhook,
  signWebhook,
} from '../../../../../src/governance/approvals/webhook/webhook-signature.js';

// The example of the libraries at github.com/standard-webhooks/standard-webhooks.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const MESSAGE = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
};
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

describe('signWebhook', () => {
  it('signs as Standard Webhooks says', () => {
    expect(signWebhook(MESSAGE, SECRET)).toBe(SIGNATURE);
  });
});

describe('isSignedWebhook', () => {
  it.each([
    ['the signature', SIGNATURE],
    ['one of several, as during a rotation', `v1,AAAA v1a,xyz ${signWebhook(MESSAGE, OTHER)} ${SIGNATURE}`],
  ])('accepts %s', (_, header) => {
    expect(isSignedWebhook(MESSAGE, header, SECRET)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['no version', SIGNATURE.slice(3)],
    ['another version', SIGNATURE.replace('v1', 'v2')],
    ['another secret', signWebhook(MESSAGE, OTHER)],
    ['a shortened signature', SIGNATURE.slice(0, -8)],
    ['a long header', `${'v1,AAAA '.repeat(200)}${SIGNATURE}`],
  ])('rejects %s', (_, header) => {
    expect(isSignedWebhook(MESSAGE, header, SECRET)).toBe(false);
  });

  it.each([
    { id: 'msg_other' },
    { timestamp: 1_614_265_331 },
    { body: '{"test": 2432232315}' },
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330', timestamp: 0 },
  ])('rejects the signature of another message: %j', (changed) => {
    expect(isSignedWebhook({ ...MESSAGE, ...changed }, SIGNATURE, SECRET)).toBe(false);
  });
});
