import type { ExecutionContext } from '@nestjs/common';
import { beginCall } from '../../../../src/mcp/calls.js';
import { AccessStage } from '../../../../src/mcp/pipeline/call-stages.js';
import type { ToolAccess } from '../../../../src/mcp/tool-access.js';
import { aCall } from '../../../support/builders.js';

/** The tool that was checked when a resource was read. */
function askedFor(uri: string): string[] {
  const asked: string[] = [];
  const check = (_: unknown, tool: string): void => void asked.push(tool);
  const sdkContext = {};
  beginCall(sdkContext, aCall());
  const mcp = {
    getArgByIndex: () => sdkContext,
    mcpRequest: { method: 'resources/read', params: { uri } },
  };
  const context = {
    getType: () => 'rpc',
    getHandler: () => () => undefined,
    switchToRpc: () => ({ getContext: () => mcp }),
  };
  const access = { check } as unknown as ToolAccess;
  new AccessStage(access).pass(context as unknown as ExecutionContext);
  return asked;
}

describe('AccessStage', () => {
  it('checks the tool that returns the same content', () => {
    expect(askedFor('docs:///a.md')).toEqual(['get_doc']);
  });

  it('refuses a resource that no tool decides about', () => {
    expect(() => askedFor('elsewhere://x')).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', reason: 'resource_not_found' }),
    );
  });
});
