import { type ExecutionContext, Logger } from '@nestjs/common';
import { firstValueFrom, throwError } from 'rxjs';
import { z } from 'zod';
import { parseConfig } from '../../../../src/config/config.js';
import { ServerConfig } from '../../../../src/config/settings/server.config.js';
import { BackendUnavailableError } from '../../../../src/core/errors.js';
import { beginCall } from '../../../../src/mcp/calls.js';
import { defineTool, McpTool } from '../../../../src/mcp/define-tool.js';
import { FailureReporter } from '../../../../src/mcp/pipeline/failure-reporter.js';
import { ErrorEnvelopeInterceptor } from '../../../../src/mcp/pipeline/output.interceptor.js';
import { resolveSurface } from '../../../../src/mcp/surface/surface.js';
import { aCall } from '../../../support/builders.js';

const TOOL = {
  name: 'kb.test',
  title: 'Test',
  description: 'For tests.',
  input: z.strictObject({}),
  output: z.strictObject({}),
  feature: 'kb',
  isCore: false,
  permission: 'read',
  budget: { bytes: 1_000, tokens: 1_000 },
  rendering: { full: () => '', summary: () => '' },
} as const;

class Tools {
  @McpTool(defineTool(TOOL))
  plain(): void {}

  @McpTool(defineTool({ ...TOOL, unexpected: 'internal_error', isPersonal: true }))
  personal(): void {}

  @McpTool(defineTool({ ...TOOL, feature: 'provider' }))
  provided(): void {}
}

const surface = resolveSurface([TOOL], parseConfig({}), {});
const lines: string[] = [];

beforeEach(() => {
  lines.length = 0;
  Logger.overrideLogger({
    log: () => undefined,
    warn: () => undefined,
    error: (line: string) => void lines.push(line),
  });
});

afterEach(() => Logger.overrideLogger(false));

/** The answer if the tool's method throws this error. */
async function failing(method: keyof Tools, error: unknown, noLog = false): Promise<unknown> {
  const sdkContext = {};
  beginCall(sdkContext, aCall());
  const context = {
    getType: () => 'rpc',
    getHandler: () => Object.getOwnPropertyDescriptor(Tools.prototype, method)?.value as unknown,
    switchToRpc: () => ({ getContext: () => ({ getArgByIndex: () => sdkContext }) }),
  } as unknown as ExecutionContext;
  const reporter = new FailureReporter(surface, Object.assign(new ServerConfig(), { noLog }));
  const interceptor = new ErrorEnvelopeInterceptor(reporter);
  return firstValueFrom(interceptor.intercept(context, { handle: () => throwError(() => error) }));
}

const SECRET_ERROR = new SyntaxError('Unexpected token in "my secret thought"');
const DOWN = new BackendUnavailableError('It is down.', {
  reason: 'db_error',
  hint: 'Wait.',
  cause: SECRET_ERROR,
});

describe('an unexpected failure', () => {
  it('is hidden from the caller and logged completely', async () => {
    expect(await failing('plain', SECRET_ERROR)).toMatchObject({
      isError: true,
      structuredContent: {
        error: { code: 'INTERNAL_ERROR', details: { reason: 'internal', diagnostic_id: 'call-1' } },
      },
    });
    expect(lines).toEqual([expect.stringContaining('my secret thought')]);
  });

  it('is also hidden if the contract has its own reason for it', async () => {
    const result = await failing('personal', SECRET_ERROR);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        error: { code: 'INTERNAL_ERROR', details: { reason: 'internal_error', diagnostic_id: 'call-1' } },
      },
    });
    expect(JSON.stringify(result)).not.toContain('secret');
  });

  it('is logged without its message, but with kind and place, for a tool on personal content', async () => {
    await failing('personal', SECRET_ERROR);
    expect(lines).toEqual([
      expect.stringMatching(/^call call-1 failed: INTERNAL_ERROR internal_error, .*SyntaxError\n +at /),
    ]);
    expect(lines.join()).not.toContain('secret');
  });

  it('does not reach the log through its cause or stack', async () => {
    const tricky = new Error('first\n    at secret (thought:1:1)\nsecret');
    await failing('personal', tricky);
    await failing('personal', 'secret');
    expect(lines.join()).not.toContain('secret');
  });
});

describe('a failure in a call of a provider', () => {
  it('is logged without its message', async () => {
    await failing('provided', SECRET_ERROR);
    expect(lines).toEqual([expect.stringMatching(/^call call-1 failed: SyntaxError\n +at /)]);
    expect(lines.join()).not.toContain('secret');
  });

  it('is logged with the cause that the provider link gives', async () => {
    const cause = 'SdkHttpError, CLIENT_HTTP_NOT_IMPLEMENTED, HTTP 500';
    const down = new BackendUnavailableError('It is down.', { reason: 'x', hint: 'Wait.', cause });
    await failing('provided', down);
    expect(lines).toEqual([
      expect.stringMatching(/BACKEND_UNAVAILABLE x, caused by SdkHttpError, .*HTTP 500$/),
    ]);
  });
});

describe('a failure of an engine', () => {
  it('is logged with its cause', async () => {
    await failing('plain', DOWN);
    expect(lines).toEqual([expect.stringContaining('my secret thought')]);
  });

  it('is logged with the kind of its cause only, for a tool on personal content', async () => {
    await failing('personal', DOWN);
    expect(lines).toEqual([expect.stringMatching(/BACKEND_UNAVAILABLE db_error, caused by SyntaxError/)]);
    expect(lines.join()).not.toContain('secret');
  });
});

describe('MCP_NO_LOG', () => {
  it.each([
    ['plain' as const, SECRET_ERROR, 'call call-1 failed: INTERNAL_ERROR internal'],
    ['personal' as const, SECRET_ERROR, 'call call-1 failed: INTERNAL_ERROR internal_error'],
    ['plain' as const, DOWN, 'call call-1 failed: BACKEND_UNAVAILABLE db_error'],
  ])('logs only code and reason: %s', async (method, error, line) => {
    await failing(method, error, true);
    expect(lines).toEqual([line]);
  });
});
