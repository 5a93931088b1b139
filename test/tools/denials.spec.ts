import { toolDefinitions } from '../../src/app.module.js';
import { parseConfig } from '../../src/config/config.js';
import type { Governance } from '../../src/governance/agents/governance-file.js';
import { parseGovernance } from '../../src/governance/agents/read-governance.js';
import { GovernanceService } from '../../src/governance/governance.service.js';
import { toolBehind } from '../../src/governance/registry/tool-behind.js';
import { ownRegistry } from '../../src/governance/registry/tool-registry.js';
import { isLegacy } from '../../src/mcp/define-tool.js';
import { canonicalName, resolveSurface, type Surface } from '../../src/mcp/surface/surface.js';
import { DOCUMENT_TEXT } from '../../src/mcp/tool-class.js';
import { aCall } from '../support/builders.js';

const definitions = toolDefinitions();
const names = definitions.map(({ name }) => name);
const current = definitions.filter((definition) => !isLegacy(definition)).map(({ name }) => name);
const ALIAS = 'an.older_alias';

interface Denied {
  readonly service: GovernanceService;
  readonly surface: Surface;
}

/** A server whose policy denies one tool, which also has an alias. */
function denying(tool: string): Denied {
  const governance: Governance = {
    ...parseGovernance('version: 1', 'g.yaml', []),
    aliases: { [ALIAS]: tool },
    policy: { rules: [{ name: 'closed', tools: [tool], effect: 'deny' }], templates: {} },
  };
  const service = new GovernanceService(governance, ownRegistry(definitions, governance), 'default');
  const config = parseConfig({ PITH_GOVERNANCE_FILE: 'g.yaml' });
  return { service, surface: { ...resolveSurface(definitions, config, {}), access: service } };
}

/** The rule that denies an operator's call under a name; null if it is allowed. */
function ruleFor(
  name: string,
  { service, surface }: Denied,
  input: Record<string, unknown> = {},
): string | null {
  const caller = { ...aCall().caller, permissions: ['read', 'operator'] as const };
  const { effect, rule } = service.explain({ ...aCall(), caller, input }, canonicalName(surface, name));
  return effect === 'deny' ? rule : null;
}

const registry = denying('kb.search').service;

/** The tools that return what a tool returns, the tool included. */
const sameAs = (tool: string): string[] =>
  ownRegistry(definitions, parseGovernance('version: 1', 'g.yaml', []))
    .all()
    .filter(({ name, standsFor }) => name === tool || standsFor.includes(tool))
    .map(({ name }) => name);

describe.each(current.map((name) => [name]))('a denial of %s', (tool) => {
  const denied = denying(tool);

  it('holds under both spellings, and under both spellings of an alias', () => {
    const spellings = [tool, tool.replaceAll('.', '_'), ALIAS, ALIAS.replaceAll('.', '_')];
    expect(spellings.map((name) => ruleFor(name, denied))).toEqual(spellings.map(() => 'closed'));
  });

  it('holds for every tool that returns the same content, and lists none of them', () => {
    const others = sameAs(tool);
    expect(others.filter((name) => ruleFor(name, denied) !== 'closed')).toEqual([]);
    const caller = { ...aCall().caller, permissions: ['read', 'operator'] as const };
    expect(others.filter((name) => denied.service.offers(caller, name))).toEqual([]);
  });

  it('does not hold for other tools', () => {
    const others = names.filter((name) => !sameAs(tool).includes(name));
    expect(others.filter((name) => ruleFor(name, denied) !== null)).toEqual([]);
  });
});

describe.each(DOCUMENT_TEXT.map((name) => [name]))('a denial of %s, which returns document text', (tool) => {
  const denied = denying(tool);

  it.each([
    ['resources/read', 'docs:///guide/a.md'],
    ['resources/read', 'DOCS:///guide/a.md'],
    ['prompts/get', ''],
  ])('holds for %s %s', (method, uri) => {
    expect(ruleFor(toolBehind(method, uri) ?? '', denied)).toBe('closed');
  });

  it.each(['graph.describe', 'graph.expand', 'expand_neighbors'])('holds for snippets of %s', (name) => {
    expect(ruleFor(name, denied, { include_snippet: true })).toBe('closed');
  });
});

describe('a name that is no tool', () => {
  it.each(['', 'KB.SEARCH', 'kb..search', 'kb.search ', '__proto__', 'constructor'])(
    '%j is never allowed',
    (name) => {
      expect(registry.explain({ ...aCall(), input: {} }, name)).toMatchObject({ effect: 'deny' });
    },
  );
});
