import type { ExecutionContext } from '@nestjs/common';
import { firstValueFrom, of } from 'rxjs';
import { z } from 'zod';
import { parseConfig } from '../../../../src/config/config.js';
import { listReply, type Reply } from '../../../../src/core/reply.js';
import { beginCall, beginStreamed, type StreamedCall } from '../../../../src/mcp/calls.js';
import { defineTool, McpTool } from '../../../../src/mcp/define-tool.js';
import { OutputInterceptor } from '../../../../src/mcp/pipeline/output.interceptor.js';
import { resolveSurface } from '../../../../src/mcp/surface/surface.js';
import { aCall } from '../../../support/builders.js';

const TOOL = defineTool({
  name: 'kb.test',
  title: 'Test',
  description: 'For tests.',
  input: z.strictObject({}),
  output: z.strictObject({ text: z.string() }),
  feature: 'kb',
  isCore: false,
  permission: 'read',
  budget: { bytes: 1_000, tokens: 1_000 },
  rendering: { full: () => 'In full.', summary: () => 'In short.' },
});

class TestTool {
  @McpTool(TOOL)
  run(): void {}
}

/** The part of a call's context that the interceptor reads. */
function aContext(request: object = {}): ExecutionContext {
  const sdkContext = {};
  beginCall(sdkContext, aCall());
  const mcpContext = { getArgByIndex: () => sdkContext, getRawRequest: () => request };
  const handler = Object.getOwnPropertyDescriptor(TestTool.prototype, 'run')?.value as unknown;
  const context = {
    getType: () => 'rpc',
    getHandler: () => handler,
    switchToRpc: () => ({ getContext: () => mcpContext }),
  };
  return context as unknown as ExecutionContext;
}

const surface = resolveSurface([TOOL], parseConfig({}), {});
const interceptor = new OutputInterceptor(surface);
const render = (reply: Reply<unknown>): Promise<unknown> =>
  firstValueFrom(interceptor.intercept(aContext(), { handle: () => of(reply) }));
const resultOf = (output: unknown): Promise<unknown> =>
  render(listReply({ count: 0, maxChars: 0 }, () => output));

describe('OutputInterceptor', () => {
  it('renders an output that matches its schema', async () => {
    expect(await resultOf({ text: 'it' })).toMatchObject({ structuredContent: { text: 'it' } });
  });

  it('passes the returned output to the reply', async () => {
    const shown: unknown[] = [];
    const reply = listReply({ count: 1, maxChars: 2_000 }, ({ maxChars }) => ({
      text: 'x'.repeat(maxChars),
    }));
    await render({ ...reply, shown: (output) => shown.push(output) });
    expect(shown).toEqual([{ text: 'x'.repeat(250) }]);
  });

  it('passes it to the route of a call that came without a message, unless the tool has', async () => {
    const request = {};
    const call: StreamedCall = { sent: null, send: null, output: null, failure: null };
    beginStreamed(request, call);
    const reply = (text: string): Reply<unknown> => listReply({ count: 0, maxChars: 0 }, () => ({ text }));
    for (const text of ['first', 'second'])
      await firstValueFrom(interceptor.intercept(aContext(request), { handle: () => of(reply(text)) }));
    expect(call.output).toEqual({ text: 'first' });
  });

  it.each([
    ['of the wrong type', { text: 1 }],
    ['without a field', {}],
    ['with an additional field', { text: 'it', secret: 'x' }],
  ])('fails for an output %s', async (_, output) => {
    await expect(resultOf(output)).rejects.toBeInstanceOf(z.ZodError);
  });
});
