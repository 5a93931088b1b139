import { type Permission, PERMISSIONS } from '../../../src/core/call.js';
import { NO_GOVERNANCE } from '../../../src/governance/agents/governance-file.js';
import { GovernanceService } from '../../../src/governance/governance.service.js';
import { ownRegistry } from '../../../src/governance/registry/tool-registry.js';
import { PermissionAccess } from '../../../src/mcp/tool-access.js';
import { toolDefinitions } from '../../support/all-tools.js';
import { aCall } from '../../support/builders.js';

const definitions = toolDefinitions();
const governance = new GovernanceService(NO_GOVERNANCE, ownRegistry(definitions, NO_GOVERNANCE), 'default');
const access = new PermissionAccess(definitions, 'default');
const names = [...definitions.map(({ name }) => name), 'no.such_tool'];

/** These decide about resources and prompts, also for callers that are not offered them. */
const BEHIND_RESOURCES = ['get_doc', 'kb.read_excerpt', 'diagnostics.get'];

/** Every combination of permissions. */
const holders = PERMISSIONS.reduce<readonly (readonly Permission[])[]>(
  (before, permission) => [...before, ...before.map((held) => [...held, permission])],
  [[]],
);

const codeOf = (check: () => void): string => {
  try {
    check();
    return 'allowed';
  } catch (error) {
    return `${String(error)} ${JSON.stringify(error)}`;
  }
};

describe('PermissionAccess', () => {
  it.each(holders.map((permissions) => [permissions.join(' and ') || 'no permission', permissions] as const))(
    'decides as governance without a file does, with %s',
    (_, permissions) => {
      const caller = { ...aCall().caller, agent: 'default', tools: null, permissions };
      for (const name of names) {
        const asked = { ...aCall(), caller };
        expect([name, access.offers(caller, name)]).toEqual([name, governance.offers(caller, name)]);
        expect([name, access.allows(caller, name)]).toEqual([name, governance.allows(caller, name, asked)]);
        if (governance.offers(caller, name) || BEHIND_RESOURCES.includes(name))
          expect([name, codeOf(() => access.check(asked, name))]).toEqual([
            name,
            codeOf(() => governance.check(asked, name)),
          ]);
      }
    },
  );

  it.each([
    ['whose tools are limited', { tools: ['kb.*'] }],
    ['that acts as another agent', { agent: 'reader' }],
  ])('offers nothing to a caller %s, which only governance can decide about', (_, limits) => {
    const caller = { ...aCall().caller, agent: 'default', tools: null, permissions: PERMISSIONS, ...limits };
    expect(names.filter((name) => access.offers(caller, name))).toEqual([]);
  });
});
