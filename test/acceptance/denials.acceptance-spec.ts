import { parseConfig } from '../../src/config/config.js';
import type { Governance } from '../../src/governance/agents/governance-file.js';
import { parseGovernance } from '../../src/governance/agents/read-governance.js';
import { GovernanceService } from '../../src/governance/governance.service.js';
import { ownRegistry } from '../../src/governance/registry/tool-registry.js';
import { isLegacy } from '../../src/mcp/define-tool.js';
import { toolBehind } from '../../src/mcp/resource-requests.js';
import { canonicalName, resolveSurface, type Surface } from '../../src/mcp/surface/surface.js';
import { DOCUMENT_TEXT } from '../../src/mcp/tool-class.js';
import { toolDefinitions } from '../support/all-tools.js';
import { aCall } from '../support/builders.js';

const definitions = toolDefinitions();
const names = definitions.map(({ name }) => name);
const current = definitions.filter((definition) => !isLegacy(definition)).map(({ name }) => name);
const ALIAS = 'an.older_alias';

/** The effects that restrict calls. There is no way around them. */
const EFFECTS = ['deny', 'approve', 'review'] as const;
type Restriction = (typeof EFFECTS)[number];

interface Restricted {
  readonly service: GovernanceService;
  readonly surface: Surface;
}

const NO_RULES = parseGovernance('version: 1', 'g.yaml', []);
/** The names of tools. Each server replaces its policy. */
const OPEN = resolveSurface(definitions, parseConfig({ PITH_GOVERNANCE_FILE: 'g.yaml' }), {});

/** The rule for tools that write; without one, they are denied. */
const WRITES = { name: 'writes', safety: ['write' as const], effect: 'allow' as const };

/** A server whose policy restricts one tool, which also has an alias. Its agent has every capability. */
function restricting(tool: string, effect: Restriction): Restricted {
  const governance: Governance = {
    ...NO_RULES,
    aliases: { [ALIAS]: tool },
    agents: { default: { capabilities: ['*', 'explain'] } },
    policy: { rules: [{ name: 'closed', tools: [tool], effect }, WRITES], templates: {} },
  };
  const service = new GovernanceService(governance, ownRegistry(definitions, governance), 'default');
  return { service, surface: { ...OPEN, access: service } };
}

const OPERATOR = { ...aCall().caller, permissions: ['read', 'operator'] as const };

/** The effect and the rule that restrict an operator's call under a name; null if the rules allow it. */
function restrictionOf(
  name: string,
  { service, surface }: Restricted,
  input: Record<string, unknown> = {},
): string | null {
  const call = { ...aCall(), caller: OPERATOR, input };
  const { effect, rule } = service.explain(call, canonicalName(surface, name));
  return effect === 'allow' || rule === WRITES.name ? null : `${effect} ${rule}`;
}

/** The tools that return what a tool returns, the tool included. */
const sameAs = (tool: string): string[] =>
  ownRegistry(definitions, NO_RULES)
    .all()
    .filter(({ name, standsFor }) => name === tool || standsFor.includes(tool))
    .map(({ name }) => name);

describe.each(EFFECTS.flatMap((effect) => current.map((tool) => ({ effect, tool }))))(
  '$effect for $tool',
  ({ effect, tool }) => {
    const restricted = restricting(tool, effect);
    const closed = `${effect} closed`;

    it('holds under both spellings, and under both spellings of an alias', () => {
      const spellings = [tool, tool.replaceAll('.', '_'), ALIAS, ALIAS.replaceAll('.', '_')];
      expect(spellings.map((name) => restrictionOf(name, restricted))).toEqual(spellings.map(() => closed));
    });

    it('holds for every tool that returns the same content, and a denial lists none of them', () => {
      const others = sameAs(tool);
      expect(others.filter((name) => restrictionOf(name, restricted) !== closed)).toEqual([]);
      const listed = others.filter((name) => restricted.service.offers(OPERATOR, name));
      expect(listed).toEqual(effect === 'deny' ? [] : others);
    });

    it('does not hold for other tools', () => {
      const others = names.filter((name) => !sameAs(tool).includes(name));
      expect(others.filter((name) => restrictionOf(name, restricted) !== null)).toEqual([]);
    });
  },
);

describe.each(EFFECTS.flatMap((effect) => DOCUMENT_TEXT.map((tool) => ({ effect, tool }))))(
  '$effect for $tool, which returns document text',
  ({ effect, tool }) => {
    const restricted = restricting(tool, effect);
    const closed = `${effect} closed`;

    it.each([
      ['resources/read', 'docs:///guide/a.md'],
      ['resources/read', 'DOCS:///guide/a.md'],
      ['prompts/get', ''],
    ])('holds for %s %s, and lists no documents', (method, uri) => {
      expect(restrictionOf(toolBehind(method, uri) ?? '', restricted)).toBe(closed);
      expect(restricted.service.allows(OPERATOR, 'get_doc', aCall())).toBe(false);
    });

    it.each(['graph.describe', 'graph.expand', 'expand_neighbors'])('holds for snippets of %s', (name) => {
      expect(restrictionOf(name, restricted)).toBeNull();
      expect(restrictionOf(name, restricted, { include_snippet: true })).toBe(closed);
    });
  },
);

const LADDER = ['allow', 'notify', 'approve', 'review', 'deny'] as const;

describe.each(LADDER.flatMap((strict, i) => LADDER.slice(0, i).map((mild) => [strict, mild] as const)))(
  '%s for a tool',
  (strict, mild) => {
    it.each(['get_doc', 'search_docs', 'search_sections'])(
      `holds for %s, although a rule says ${mild}`,
      (tool) => {
        const rules = [
          { name: 'mild', tools: ['get_doc', 'search_*'], effect: mild },
          { name: 'strict', tools: ['kb.retrieve_evidence'], effect: strict },
        ];
        const governance = { ...NO_RULES, policy: { rules, templates: {} } };
        const service = new GovernanceService(governance, ownRegistry(definitions, governance), 'default');
        const decided = service.explain({ ...aCall(), input: {} }, tool);
        expect(decided).toMatchObject({ effect: strict, rule: 'strict' });
      },
    );
  },
);

describe('a name that is no tool', () => {
  const { service } = restricting('kb.search', 'deny');

  it.each(['', 'KB.SEARCH', 'kb..search', 'kb.search ', '__proto__', 'constructor'])(
    '%j is never allowed',
    (name) => {
      expect(service.explain({ ...aCall(), input: {} }, name)).toMatchObject({ effect: 'deny' });
    },
  );
});
