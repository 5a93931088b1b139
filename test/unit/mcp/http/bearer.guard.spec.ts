import { UnauthorizedException } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { AdminConfig } from '../../../../src/config/settings/admin.config.js';
import { HttpConfig } from '../../../../src/config/settings/http.config.js';
import { BearerGuard } from '../../../../src/mcp/http/bearer.guard.js';
import { NO_PRINCIPALS, principalOf, type Principals } from '../../../../src/mcp/principals.js';
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
}

/** The principal of a request with this header. */
function admit(authorization: string | undefined, configured: Configured = {}) {
  const { mcp = MCP, admin = ADMIN, known = NO_PRINCIPALS } = configured;
  const guard = new BearerGuard(
    Object.assign(new HttpConfig(), { token: mcp }),
    Object.assign(new AdminConfig(), { token: admin }),
    known,
  );
  const request = { headers: { authorization } };
  const context = new ExecutionContextHost([request, { setHeader: () => undefined }]);
  guard.canActivate(context);
  return principalOf(request);
}

describe('BearerGuard', () => {
  it('admits a caller with the token', () => {
    expect(admit(`Bearer ${MCP}`)).toMatchObject({ name: 'bearer', permissions: ['read'] });
  });

  it('treats a caller with the admin token as an operator', () => {
    const operator = { name: 'operator', permissions: ['read', 'operator', 'approve'] };
    expect(admit(`Bearer ${ADMIN}`)).toMatchObject(operator);
    expect(admit(`Bearer ${ADMIN}`, { mcp: '' })).toMatchObject(operator);
  });

  it.each([undefined, '', 'Bearer ', 'Bearer wrong', `Basic ${MCP}`, MCP])('refuses %p', (header) => {
    expect(() => admit(header)).toThrow(UnauthorizedException);
  });

  it.each([undefined, 'Bearer ', 'Bearer anything'])(
    'treats a caller with %p as local if neither token nor keys are configured',
    (header) => {
      expect(admit(header, { mcp: '', admin: '' })).toMatchObject({ name: 'local', permissions: ['read'] });
    },
  );

  it('finds principals by their keys, in addition to the tokens', () => {
    const configured = { known: PRINCIPALS };
    expect(admit(`Bearer ${KEYS.reports}`, configured)).toEqual({
      name: 'reports',
      agent: 'support',
      permissions: ['read'],
      tools: null,
      scope: { doc_tags: ['guide'] },
    });
    expect(admit(`Bearer ${KEYS.ada}`, configured)).toMatchObject({ name: 'ada' });
    expect(admit(`Bearer ${MCP}`, configured)).toMatchObject({ name: 'bearer' });
    expect(admit(`Bearer ${ADMIN}`, configured)).toMatchObject({ name: 'operator' });
  });

  it.each([undefined, 'Bearer ', 'Bearer anything', `Bearer ${KEYS.ada}x`, `Basic ${KEYS.ada}`])(
    'refuses %p with an access file, also without a token',
    (header) => {
      expect(() => admit(header, { mcp: '', known: PRINCIPALS })).toThrow(UnauthorizedException);
    },
  );
});

describe('principalOf', () => {
  it('refuses a request that no guard has seen', () => {
    expect(() => principalOf({ principal: 'operator' })).toThrow('was not authenticated');
  });
});
