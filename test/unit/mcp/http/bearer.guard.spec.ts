import { UnauthorizedException } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { AdminConfig } from '../../../../src/config/settings/admin.config.js';
import { HttpConfig } from '../../../../src/config/settings/http.config.js';
import { BearerGuard } from '../../../../src/mcp/http/bearer.guard.js';

const MCP = 'the-token-of-agents';
const ADMIN = 'the-token-of-operators';

/** The fields that the guard sets on a request with this header. */
function admit(authorization: string | undefined, tokens: { mcp?: string; admin?: string } = {}) {
  const { mcp = MCP, admin = ADMIN } = tokens;
  const guard = new BearerGuard(
    Object.assign(new HttpConfig(), { token: mcp }),
    Object.assign(new AdminConfig(), { token: admin }),
  );
  const request: Record<string, unknown> = { headers: { authorization } };
  const context = new ExecutionContextHost([request, { setHeader: () => undefined }]);
  guard.canActivate(context);
  return { principal: request['principal'], isOperator: request['isOperator'] ?? false };
}

describe('BearerGuard', () => {
  it('admits a caller with the token', () => {
    expect(admit(`Bearer ${MCP}`)).toEqual({ principal: 'bearer', isOperator: false });
  });

  it('treats a caller with the admin token as an operator', () => {
    expect(admit(`Bearer ${ADMIN}`)).toEqual({ principal: 'operator', isOperator: true });
    expect(admit(`Bearer ${ADMIN}`, { mcp: '' })).toEqual({ principal: 'operator', isOperator: true });
  });

  it.each([undefined, '', 'Bearer ', 'Bearer wrong', `Basic ${MCP}`, MCP])('refuses %p', (header) => {
    expect(() => admit(header)).toThrow(UnauthorizedException);
  });

  it.each([undefined, 'Bearer ', 'Bearer anything'])(
    'treats a caller with %p as local if no token is configured',
    (header) => {
      expect(admit(header, { mcp: '', admin: '' })).toEqual({ principal: 'local', isOperator: false });
    },
  );
});
