import type { ExecutionContext } from '@nestjs/common';
import { toolDefinitions } from '../../../src/app.module';
import { parseGovernance } from '../../../src/governance/agents/read-governance';
import { GovernanceService } from '../../../src/governance/governance.service';
import { OfferStage } from '../../../src/governance/offer.stage';
import { ownRegistry } from '../../../src/governance/registry/tool-registry';
import { beginCall } from '../../../src/mcp/calls';
import { aCall } from '../../support/builders';

const FILE = `
version: 1
capabilities: { search: [kb.*] }
agents: { support: { capabilities: [search] } }
`;

/** A call of the agent `support`. @throws PithError if it is refused */
function callTool(name: string): void {
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
  const governance = new GovernanceService(file, ownRegistry(tools, file), 'default');
  new OfferStage(governance).pass(context as unknown as ExecutionContext);
}

describe('OfferStage', () => {
  it('lets calls of offered tools through', () => {
    expect(() => callTool('kb.search')).not.toThrow();
  });

  it('refuses a tool that is not offered before its arguments are checked', () => {
    expect(() => callTool('graph.expand')).toThrow(
      expect.objectContaining({ code: 'SCOPE_VIOLATION', reason: 'permission_denied' }),
    );
  });
});
