import { type HttpException, UnauthorizedException } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { AdminConfig } from '../../../../src/config/settings/admin.config.js';
import { HttpConfig } from '../../../../src/config/settings/http.config.js';
import { ScopeConfig } from '../../../../src/config/settings/scope.config.js';
import { BearerGuard } from '../../../../src/mcp/http/bearer.guard.js';
import { Credentials } from '../../../../src/mcp/http/credentials.js';
import {
  hasPages,
  LOCAL,
  NO_PRINCIPALS,
  principalOf,
  type Principals,
} from '../../../../src/mcp/principals.js';
import { keysOf, principals } from '../../../support/access.js';

const MCP = 'the-token-of-agents';
const ADMIN = 'the-token-of-operators';

const KEYS = keysOf('reports', 'ada');
const PRINCIPALS = principals({
  reports: { keys: [KEYS.reports], agent: 'support', scope: { doc_tags: ['guide'] } },
  ada: { keys: [KEYS.ada], permissions: ['read', 'operator'] },
});

interface Configured {
  readonly mcp?: string;
  readonly admin?: string;
  readonly known?: Principals;
  readonly searchPage?: HttpConfig['searchPage'];
}

function guardOf({
  mcp = MCP,
  admin = ADMIN,
  known = NO_PRINCIPALS,
  searchPage = 'on',
}: Configured = {}): BearerGuard {
  const credentials = new Credentials(
    Object.assign(new HttpConfig(), { token: mcp, searchPage }),
    Object.assign(new AdminConfig(), { token: admin }),
    known,
    new ScopeConfig(),
  );
  return new BearerGuard(credentials, known);
}

/** A request with this header, once it is admitted. */
async function requestWith(authorization: string | undefined, guard: BearerGuard): Promise<object> {
  const request = { headers: { authorization }, socket: { remoteAddress: '10.0.0.1' } };
  const context = new ExecutionContextHost([request, { setHeader: () => undefined }]);
  await guard.canActivate(context);
  return request;
}

/** The principal of a request with this header. */
const admit = async (
  authorization: string | undefined,
  configured?: Configured,
  guard = guardOf(configured),
) => principalOf(await requestWith(authorization, guard));

describe('BearerGuard', () => {
  it('admits a caller with the token', async () => {
    expect(await admit(`Bearer ${MCP}`)).toMatchObject({ name: 'bearer', permissions: ['read'] });
  });

  it('treats a caller with the admin token as an operator', async () => {
    const operator = { name: 'operator', permissions: ['read', 'operator', 'approve'] };
    expect(await admit(`Bearer ${ADMIN}`)).toMatchObject(operator);
    expect(await admit(`Bearer ${ADMIN}`, { mcp: '' })).toMatchObject(operator);
  });

  it.each([undefined, '', 'Bearer ', 'Bearer wrong', `Basic ${MCP}`, MCP])('refuses %p', async (header) => {
    await expect(admit(header)).rejects.toThrow(UnauthorizedException);
  });

  it.each([undefined, 'Bearer ', 'Bearer anything'])(
    'treats a caller with %p as local if neither token nor keys are configured',
    async (header) => {
      expect(await admit(header, { mcp: '', admin: '' })).toMatchObject({
        name: 'local',
        permissions: ['read'],
      });
    },
  );

  it('finds principals by their keys, in addition to the tokens', async () => {
    const configured = { known: PRINCIPALS };
    expect(await admit(`Bearer ${KEYS.reports}`, configured)).toEqual({
      name: 'reports',
      agent: 'support',
      permissions: ['read'],
      tools: null,
      scope: { doc_tags: ['guide'] },
      allowance: {},
      hasOwnMemory: false,
    });
    expect(await admit(`Bearer ${KEYS.ada}`, configured)).toMatchObject({ name: 'ada' });
    expect(await admit(`Bearer ${MCP}`, configured)).toMatchObject({ name: 'bearer' });
    expect(await admit(`Bearer ${ADMIN}`, configured)).toMatchObject({ name: 'operator' });
  });

  it.each([undefined, 'Bearer ', 'Bearer anything', `Bearer ${KEYS.ada}x`, `Basic ${KEYS.ada}`])(
    'refuses %p with an access file, also without a token',
    async (header) => {
      await expect(admit(header, { mcp: '', known: PRINCIPALS })).rejects.toThrow(UnauthorizedException);
    },
  );
});

describe('the pages of a server', () => {
  const tokens: Principals = Object.assign({}, NO_PRINCIPALS, {
    areRequired: true,
    protectedResource: { resource: '' },
    withToken: async () => ({ principal: LOCAL, scopes: [] }),
  } as never);
  const keys: Principals = Object.assign({}, tokens, { haveKeys: true });
  it.each([
    ['for nobody with access tokens alone', false, { mcp: '', admin: '', known: tokens }],
    ['for who has a key', true, { mcp: '', admin: '', known: keys }],
    ['for operators', true, { mcp: '', known: tokens }],
    ['for everybody without tokens and keys', true, { mcp: '', admin: '' }],
    ['for visitors', true, { mcp: '', admin: '', known: tokens, searchPage: 'public' as const }],
  ])('open %s', async (_, expected, configured) => {
    expect(hasPages(await requestWith('Bearer a-token', guardOf(configured)))).toBe(expected);
  });
});

describe('an address that sends wrong tokens', () => {
  /** The name of the principal, or the status of the refusal. */
  const answerTo = async (token: string, guard: BearerGuard): Promise<string> => {
    try {
      return (await admit(`Bearer ${token}`, {}, guard)).name;
    } catch (error) {
      return String((error as HttpException).getStatus());
    }
  };
  const guesses = async (guard: BearerGuard, count: number): Promise<string[]> => {
    const answers: string[] = [];
    for (let i = 0; i < count; i++) answers.push(await answerTo(`guess-${i}`, guard));
    return answers;
  };

  it('has to wait after ten', async () => {
    expect(await guesses(guardOf(), 12)).toEqual([...Array.from({ length: 10 }, () => '401'), '429', '429']);
  });

  it('learns nothing about a token while it waits', async () => {
    const guard = guardOf();
    await guesses(guard, 10);
    expect(await answerTo(MCP, guard)).toBe('429');
    expect(await answerTo(ADMIN, guard)).toBe('429');
  });

  it('does not shut out keys, or those who have sent the token before', async () => {
    const guard = guardOf({ known: PRINCIPALS });
    await answerTo(MCP, guard);
    await guesses(guard, 20);
    expect(await answerTo(KEYS.reports, guard)).toBe('reports');
    expect(await answerTo(MCP, guard)).toBe('bearer');
    expect(await answerTo(ADMIN, guard)).toBe('429');
  });

  it('shuts out tokens that were right before after a thousand wrong ones, but no keys', async () => {
    const guard = guardOf({ known: PRINCIPALS });
    await answerTo(MCP, guard);
    await guesses(guard, 1_010);
    expect(await answerTo(MCP, guard)).toBe('429');
    expect(await answerTo(KEYS.reports, guard)).toBe('reports');
  });

  it('is answered by an open server, but not as an operator', async () => {
    const guard = guardOf({ mcp: '' });
    expect(await guesses(guard, 12)).toEqual(Array.from({ length: 12 }, () => 'local'));
    expect(await answerTo(ADMIN, guard)).toBe('local');
  });
});

describe('principalOf', () => {
  it('refuses a request that no guard has seen', () => {
    expect(() => principalOf({ principal: 'operator' })).toThrow('was not authenticated');
  });
});
