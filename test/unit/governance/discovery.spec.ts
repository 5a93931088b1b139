import type { ActingAgent } from '../../../src/governance/agents/discover-tools';
import { type Governance, NO_GOVERNANCE } from '../../../src/governance/agents/governance-file';
import { Discovery } from '../../../src/governance/governance.service';
import { ownRegistry } from '../../../src/governance/registry/tool-registry';
import { listScratchTool } from '../../../src/scratch/list-scratch.tool';

const RULES: Governance['policy']['rules'] = [
  { name: 'not-bob', principals: ['bob'], tools: ['scratch.*'], effect: 'deny' },
];

const acting = (parts: Partial<ActingAgent> = {}): ActingAgent => ({
  name: 'default',
  principal: 'ann',
  permissions: ['read'],
  tools: null,
  agent: { capabilities: ['*'] },
  ...parts,
});

function discovery() {
  const registry = ownRegistry([listScratchTool], NO_GOVERNANCE);
  const governance = { ...NO_GOVERNANCE, policy: { rules: RULES, templates: {} } };
  return { registry, discovery: new Discovery(governance, registry) };
}

describe('Discovery', () => {
  it('gives the same answer again', () => {
    const { discovery: known } = discovery();
    expect([known.offers(acting(), 'scratch.list'), known.offers(acting(), 'scratch.list')]).toEqual([
      true,
      true,
    ]);
  });

  it('keeps principals and agents apart', () => {
    const { discovery: known } = discovery();
    known.offers(acting(), 'scratch.list');
    expect(known.offers(acting({ principal: 'bob' }), 'scratch.list')).toBe(false);
    expect(known.offers(acting({ name: 'none', agent: { capabilities: [] } }), 'scratch.list')).toBe(false);
  });

  it('decides by the rights of the principal, which may change', () => {
    const { discovery: known } = discovery();
    known.offers(acting(), 'scratch.list');
    expect(known.offers(acting({ permissions: ['approve'] }), 'scratch.list')).toBe(false);
    expect(known.offers(acting({ tools: ['kb.*'] }), 'scratch.list')).toBe(false);
  });

  it.each([
    ['with no other capability', ['explain'], true],
    ['with all others', ['*', 'explain'], true],
    ['without it, with all others', ['*'], false],
    ['without any', [], false],
  ])('offers a tool with a capability of its own to an agent %s: %s', (_, capabilities, isOffered) => {
    const registry = ownRegistry([{ ...listScratchTool, capability: 'explain' }], NO_GOVERNANCE);
    const known = new Discovery(NO_GOVERNANCE, registry);
    expect(known.offers(acting({ agent: { capabilities } }), 'scratch.list')).toBe(isOffered);
  });

  it('requires the capabilities of the file as well as that of the tool', () => {
    const governance = { ...NO_GOVERNANCE, capabilities: { explain: ['kb.*'], look: ['scratch.*'] } };
    const registry = ownRegistry([{ ...listScratchTool, capability: 'explain' }], governance);
    const known = new Discovery(governance, registry);
    const offers = (name: string, capabilities: string[]): boolean =>
      known.offers(acting({ name, agent: { capabilities } }), 'scratch.list');
    expect([offers('a', ['explain']), offers('b', ['look', 'explain'])]).toEqual([false, true]);
  });

  it('does not offer a tool whose provider is gone, and decides again about one that came back changed', () => {
    const { discovery: known, registry } = discovery();
    const [tool] = registry.all();
    const own = tool ? [tool] : [];
    registry.provide('pith', []);
    expect(known.offers(acting(), 'scratch.list')).toBe(false);
    registry.provide(
      'pith',
      own.map((each) => ({ ...each, safety: 'write' as const })),
    );
    expect(known.offers(acting(), 'scratch.list')).toBe(false);
  });
});
