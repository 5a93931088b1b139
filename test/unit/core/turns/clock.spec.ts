import { CALL_HISTORY } from '../../../../src/admin/admin.module.js';
import { FormTokens } from '../../../../src/admin/forms/form-tokens.js';
import { parseConfig } from '../../../../src/config/config.js';
import { serverSecret } from '../../../../src/config/server-secret.js';
import { ScopeConfig } from '../../../../src/config/settings/scope.config.js';
import { steadyNow, SYSTEM_CLOCK } from '../../../../src/core/turns/clock.js';
import { Backend } from '../../../../src/engines/backend.js';
import { openScratch } from '../../../../src/engines/open-scratch.js';
import type { AuthorizationServer } from '../../../../src/governance/access/oauth/authorization-server.js';
import { Introspection } from '../../../../src/governance/access/oauth/token-verifier.js';
import { signWebhook } from '../../../../src/governance/approvals/webhook/webhook-signature.js';
import { WebhookInbox } from '../../../../src/governance/pages/approvals/approval-webhook.controller.js';
import { Credentials } from '../../../../src/mcp/http/credentials.js';
import { CallerLimits } from '../../../../src/mcp/pipeline/caller-limits.js';
import { CallRunner } from '../../../../src/mcp/transport/call-runner.js';
import { warnSeldom } from '../../../../src/telemetry/start-telemetry.js';
import { aFinishedCall } from '../../../support/a-finished-call.js';
import { aCall, anOwner, aPassage, NOW, SECRET } from '../../../support/builders.js';

const HOUR_MS = 3_600_000;
const OWNER = anOwner();
const WEBHOOK = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** True once it is over. */
type IsOver = () => boolean | Promise<boolean>;

async function rate(): Promise<IsOver> {
  const limits = new CallerLimits({ ...parseConfig({}).limits, ratePerMinute: 1 });
  const runner = new CallRunner({ limits, now: Date.now } as unknown as ConstructorParameters<
    typeof CallRunner
  >[0]);
  const isAdmitted: IsOver = () =>
    runner
      .limited(aCall({ now: Date.now }), async () => ({}))
      .then(
        () => true,
        () => false,
      );
  await isAdmitted();
  return isAdmitted;
}

function guesses(): IsOver {
  const { http, admin } = parseConfig({ PITH_HTTP_TOKEN: 'the-right-token-of-it' });
  const noKeys = { withKey: () => null } as unknown as ConstructorParameters<typeof Credentials>[2];
  const credentials = new Credentials(http, admin, noKeys, new ScopeConfig());
  const sender = { ip: '192.0.2.1' } as unknown as Parameters<Credentials['find']>[1];
  const isChecked = (): boolean => {
    try {
      return credentials.find('wrong', sender) === null;
    } catch {
      return false;
    }
  };
  while (isChecked());
  return isChecked;
}

async function passages(): Promise<IsOver> {
  const config = parseConfig({ PITH_SCRATCH_TTL_S: '60', PITH_SECRET: SECRET });
  const store = openScratch(config, serverSecret(config), () => undefined);
  await store.put(OWNER, [{ id: 'p', passage: aPassage() }]);
  return async () => (await store.list(OWNER, 1)).length === 0;
}

async function history(): Promise<IsOver> {
  const calls = await CALL_HISTORY.useFactory();
  calls.observe(aFinishedCall());
  return () => calls.series(Date.now()).total.calls === 0;
}

async function tokens(): Promise<IsOver> {
  let asked = 0;
  global.fetch = async () => {
    asked++;
    return Response.json({ active: true, aud: 'pith' });
  };
  const server = {
    settings: { issuer: 'https://issuer.example' },
    introspectionEndpoint: async () => 'https://issuer.example/introspect',
  } as unknown as AuthorizationServer;
  const terms = { audiences: ['pith'], toleranceMs: 0, ...SYSTEM_CLOCK };
  const introspection = new Introspection(server, terms);
  const ask = (): Promise<unknown> => introspection.claimsOf('token', (run) => run());
  await ask();
  return async () => {
    await ask();
    return asked > 1;
  };
}

async function breaker(): Promise<IsOver> {
  const limits = { timeoutMs: 1_000, concurrency: 1 };
  const backend = new Backend({ name: 'redis', title: 'Redis', ...limits, isTransient: () => true });
  let asked = 0;
  const fail = async (): Promise<never> => {
    asked++;
    throw new Error('down');
  };
  const isAsked = async (): Promise<boolean> => {
    const before = asked;
    await backend.write(fail).catch(() => undefined);
    return asked > before;
  };
  while (await isAsked());
  return isAsked;
}

function warnings(): IsOver {
  let said = 0;
  const { warn } = warnSeldom(() => said++, SYSTEM_CLOCK.steady);
  warn('first');
  return () => {
    warn('again');
    return said > 1;
  };
}

const KINDS: readonly (readonly [string, number, () => IsOver | Promise<IsOver>])[] = [
  ['the rate of a caller', 60_000, rate],
  ['the pause after wrong tokens', 6_000, guesses],
  ['the life of a passage', 60_000, passages],
  ['the six hours of the call history', 6 * HOUR_MS, history],
  ['the memory of active tokens', 10_000, tokens],
  ['the open circuit breaker', 5_000, breaker],
  ['the pause between warnings', 60_000, warnings],
];

const { fetch } = global;

beforeEach(() => jest.useFakeTimers({ now: NOW }));
afterEach(() => {
  jest.useRealTimers();
  global.fetch = fetch;
});

describe.each([
  ['back', -HOUR_MS],
  ['ahead', HOUR_MS],
])('with a clock that jumps %s by an hour', (_, jumpMs) => {
  const jump = (): void => void jest.setSystemTime(Date.now() + jumpMs);

  it.each(KINDS)('%s lasts as long as without', async (_kind, lastsMs, start) => {
    const isOver = await start();
    jest.advanceTimersByTime(lastsMs * 0.1);
    jump();
    expect(await isOver()).toBe(false);
    // The history counts five minutes together.
    jest.advanceTimersByTime(lastsMs);
    expect(await isOver()).toBe(true);
  });

  it('the history shows calls at the time of the clock', async () => {
    const calls = await CALL_HISTORY.useFactory();
    jump();
    calls.observe(aFinishedCall());
    const last = calls.series(Date.now()).points.at(-1);
    expect(last).toMatchObject({ at: NOW + jumpMs, calls: 1 });
  });

  it('a signed message is accepted once, also when the clock has jumped back again', () => {
    const inbox = new WebhookInbox(WEBHOOK, SYSTEM_CLOCK);
    const message = { id: 'a', timestamp: NOW / 1_000, body: Buffer.from('{}') };
    const request = { ...message, timestamp: String(message.timestamp) };
    const accept = () => inbox.accept({ ...request, signature: signWebhook(message, WEBHOOK) });
    expect(accept()).toBeNull();
    jump();
    expect(accept()).toBe('too_old');
    jest.advanceTimersByTime(15 * 60_000);
    jest.setSystemTime(NOW);
    expect(accept()).toBe('repeated');
  });

  it('time within the process goes on', () => {
    const before = steadyNow();
    jump();
    jest.advanceTimersByTime(1_000);
    expect(steadyNow() - before).toBe(1_000);
  });
});

describe('a form that was opened before the clock stepped back', () => {
  it('can be sent', () => {
    const forms = new FormTokens(SECRET, Date.now);
    const form = { operator: 'o', credential: 'c', path: '/p' };
    const token = forms.make(form);
    jest.setSystemTime(NOW - HOUR_MS);
    expect(forms.isValid(token, form)).toBe(true);
  });
});
