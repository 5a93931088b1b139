import type { ExecutionContext } from '@nestjs/common';
import type { GovernanceService } from '../../../src/governance/governance.service.js';
import { PolicyStage } from '../../../src/governance/policy.stage.js';
import { beginCall } from '../../../src/mcp/calls.js';
import { aCall } from '../../support/builders.js';

/** The tool that the policy was asked about when a resource was read. */
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
  const governance = { check } as unknown as GovernanceService;
  new PolicyStage(governance).pass(context as unknown as ExecutionContext);
  return asked;
}

describe('PolicyStage', () => {
  it('asks the policy about the tool that returns the same content', () => {
    expect(askedFor('docs:///a.md')).toEqual(['get_doc']);
  });

  it('refuses a resource that no tool decides about', () => {
    expect(() => askedFor('elsewhere://x')).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', reason: 'resource_not_found' }),
    );
  });
});
