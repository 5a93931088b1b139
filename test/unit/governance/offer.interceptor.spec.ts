import type { ExecutionContext } from '@nestjs/common';
import { of } from 'rxjs';
import { toolDefinitions } from '../../../src/app.module';
import { parseGovernance } from '../../../src/governance/agents/read-governance';
import { GovernanceService } from '../../../src/governance/governance.service';
import { OfferInterceptor } from '../../../src/governance/offer.interceptor';
import { ownRegistry } from '../../../src/governance/registry/tool-registry';
import { beginCall } from '../../../src/mcp/calls';
import { aCall } from '../../support/builders';

const FILE = `
version: 1
capabilities: { search: [kb.*] }
agents: { support: { capabilities: [search] } }
`;

/** Lets a call of the agent `support` through to the check of its arguments, or throws. */
function reachesInput(name: string): boolean {
  const tools = toolDefinitions();
  const file = parseGovernance(FILE, 'g.yaml', tools);
  const sdkContext = {};
  const call = aCall();
  beginCall(
    sdkContext,
    { ...call, caller: { ...call.caller, agent: 'support' } },
    tools.find((tool) => tool.name === name),
  );
  const context = {
    getType: () => 'rpc',
    getHandler: () => () => undefined,
    switchToRpc: () => ({ getContext: () => ({ getArgByIndex: () => sdkContext }) }),
  };
  let isReached = false;
  const governance = new GovernanceService(file, ownRegistry(tools, file), 'default');
  new OfferInterceptor(governance)
    .intercept(context as unknown as ExecutionContext, { handle: () => of((isReached = true)) })
    .subscribe();
  return isReached;
}

describe('OfferInterceptor', () => {
  it('lets calls of offered tools through', () => {
    expect(reachesInput('kb.search')).toBe(true);
  });

  it('refuses a tool that is not offered before its arguments are checked', () => {
    expect(() => reachesInput('graph.expand')).toThrow(
      expect.objectContaining({ code: 'SCOPE_VIOLATION', reason: 'permission_denied' }),
    );
  });
});
