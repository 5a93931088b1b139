import type { Scope } from '../../../src/core/scope';
import { parseGovernance } from '../../../src/governance/agents/read-governance';
import { GovernanceService } from '../../../src/governance/governance.service';
import { ownRegistry } from '../../../src/governance/registry/tool-registry';
import type { AnyTool } from '../../../src/mcp/define-tool';
import { aReader } from '../../support/a-reader';
import { toolDefinitions } from '../../support/all-tools.js';
import { aCall } from '../../support/builders';

const FILE = `
version: 1
capabilities:
  search: [kb.*, search_docs, get_doc]
  graph: [graph.*]
  deep: [graph.paths]
agents:
  support: { capabilities: [search] }
  mapper: { capabilities: [search, graph] }
  explorer: { capabilities: [search, graph, deep] }
  reader: { capabilities: ['*'], mounts: [documents] }
  careful: { capabilities: ['*'], template: careful }
  walker: { capabilities: ['*'], mounts: [graph] }
  surveyor: { capabilities: [graph] }
policy:
  templates:
    careful: [{ name: no-graph, tools: [graph.*], effect: deny }]
`;

function governance(agent = 'default'): GovernanceService {
  const file = parseGovernance(FILE, 'g.yaml', toolDefinitions());
  return new GovernanceService(file, ownRegistry(toolDefinitions(), file), agent);
}

const offered = (agent: string, names: readonly string[]): readonly string[] =>
  names.filter((name) => governance().offers(aReader({ agent }), name));

const TOOLS = [
  'kb.search',
  'search_docs',
  'graph.expand',
  'graph.paths',
  'scope.describe',
  'inner_voice.retrieve',
  'tool.list',
];

/** Every tool that returns text of documents if a flag is true. */
const withFlags = ownRegistry(toolDefinitions(), parseGovernance('version: 1', 'g.yaml', toolDefinitions()))
  .all()
  .flatMap(({ name, standsForIf }) =>
    Object.entries(standsForIf).map(([flag, tools]) => ({ name, flag, tools })),
  )
  .filter(({ tools }) => tools.includes('kb.search'));

describe('GovernanceService', () => {
  it.each<[string, string, readonly string[]]>([
    ['offers everything to the default agent', 'default', TOOLS],
    ['offers the tools of a capability', 'support', ['kb.search', 'search_docs']],
    ['requires every capability that names a tool', 'mapper', ['kb.search', 'search_docs', 'graph.expand']],
    [
      'offers a tool to an agent with all its capabilities',
      'explorer',
      ['kb.search', 'search_docs', 'graph.expand', 'graph.paths'],
    ],
    [
      'offers what works on the mounts of the agent',
      'reader',
      ['kb.search', 'search_docs', 'scope.describe'],
    ],
    [
      'offers only what works on its mounts, also of tools about tools',
      'walker',
      ['graph.expand', 'graph.paths'],
    ],
    [
      'offers nothing that the template denies',
      'careful',
      ['kb.search', 'search_docs', 'scope.describe', 'inner_voice.retrieve', 'tool.list'],
    ],
  ])('%s', (_, agent, expected) => {
    expect(offered(agent, TOOLS)).toEqual(expected);
  });

  it('withholds an older tool whose current tool works on another mount', () => {
    expect(offered('reader', ['search_sections', 'expand_neighbors', 'compute_context_bundle'])).toEqual([
      'search_sections',
    ]);
  });

  it.each(['constructor', '__proto__', 'unknown'])('offers nothing to the agent %s', (agent) => {
    expect(offered(agent, TOOLS)).toEqual([]);
  });

  it.each(['constructor', '__proto__', 'kb_search', 'kb.unknown'])(
    'offers nobody the unknown tool %s',
    (tool) => {
      expect(offered('default', [tool])).toEqual([]);
    },
  );

  it.each([
    ['', false],
    ['policy: { rules: [{ name: a, effect: approve }] }', true],
    ['policy: { templates: { careful: [{ name: a, effect: review }] } }', true],
    ['policy: { rules: [{ name: a, effect: deny }] }', false],
  ])('reports whether the rules can require approvals: %s', (policy, expected) => {
    const file = parseGovernance(`version: 1\n${policy}\n`, 'g.yaml', toolDefinitions());
    const service = new GovernanceService(file, ownRegistry(toolDefinitions(), file), 'default');
    expect(service.needsApprovals).toBe(expected);
  });

  describe('a tool whose calls an operator has to approve', () => {
    const [first] = toolDefinitions();
    const decide: AnyTool = {
      ...first,
      name: 'claim.decide',
      safety: 'write',
      approver: 'operator',
    } as AnyTool;
    const service = (rules: string, domains: readonly string[] = ['claim']): GovernanceService => {
      const file = parseGovernance(`version: 1\npolicy: { rules: [${rules}] }`, 'g.yaml', toolDefinitions());
      return new GovernanceService(file, ownRegistry([decide], file), 'default', domains);
    };

    it.each([
      ['{ name: a, effect: allow }', 'approve', 'operator'],
      ['{ name: a, effect: approve, approver: caller }', 'approve', 'operator'],
      ['{ name: a, effect: deny }', 'deny', undefined],
      ['', 'deny', undefined],
    ])('is never executed by rules alone: %s', (rules, effect, approver) => {
      const decision = service(rules).explain({ ...aCall(), input: {} }, 'claim.decide');
      expect([decision.effect, decision.approval?.approver]).toEqual([effect, approver]);
      expect(service(rules).allows(aCall().caller, 'claim.decide', aCall())).toBe(false);
    });

    it.each([
      ['a rule that allows it', '{ name: a, tools: [claim.*], effect: allow }', ['claim'], true],
      ['a rule for one principal', '{ name: a, principals: [ann], effect: allow }', ['claim'], true],
      ['a rule for other tools', '{ name: a, tools: [run.*], effect: allow }', ['claim'], false],
      ['a domain that is off', '{ name: a, effect: allow }', ['run'], false],
    ])('with %s, needs approvals or not', (_, rules, domains, expected) => {
      expect(service(rules, domains).needsApprovals).toBe(expected);
    });
  });

  it('refuses to start with an agent that the file does not define', () => {
    expect(() => governance('nobody')).toThrow(
      /PITH_AGENT: no agent is named nobody\. Agents of the governance file: default, support, mapper/,
    );
  });

  it.each<[string, string, boolean]>([
    ['allows what is not denied', 'kb.search', true],
    ['does not allow what needs an approval first', 'graph.paths', false],
    ['does not allow what stands for a tool that needs one', 'get_paths_between', false],
  ])('%s', (_, tool, expected) => {
    const file = parseGovernance(
      'version: 1\npolicy: { rules: [{ name: a, tools: [graph.*], effect: approve }] }',
      'g.yaml',
      toolDefinitions(),
    );
    const service = new GovernanceService(file, ownRegistry(toolDefinitions(), file), 'default');
    const call = aCall();
    expect(service.allows(call.caller, tool, call)).toBe(expected);
    expect(service.offers(call.caller, tool)).toBe(true);
  });

  it.each<[string, string, Partial<Scope>, string]>([
    [
      'the tags that the caller may see without those of the rule',
      '{ name: no-hr, scope: { doc_tags: [hr] }, effect: deny }',
      { docTags: ['guide', 'hr'] },
      'Call again with scope.doc_tags ["guide"].',
    ],
    [
      'which tags to leave out if the caller may see all',
      '{ name: no-hr, scope: { doc_tags: [hr] }, effect: deny }',
      {},
      'Call again with scope.doc_tags without hr; scope.describe lists the values.',
    ],
    [
      'the repositories that a rule allows',
      '{ name: ours, scope: { repositories: [docs] }, effect: allow }, { name: no-others, effect: deny }',
      {},
      'Call again with scope.repositories ["docs"].',
    ],
    [
      'nothing to narrow if all calls are denied',
      '{ name: no-hr, scope: { doc_tags: [hr] }, effect: deny }, { name: closed, tools: [kb.search], effect: deny }',
      { docTags: ['guide', 'hr'] },
      'Continue without this tool. The operator can allow it in the governance file.',
    ],
  ])('hints at the scope with which a call is allowed: %s', (_, rules, scope, hint) => {
    const file = parseGovernance(`version: 1\npolicy: { rules: [${rules}] }`, 'g.yaml', toolDefinitions());
    const service = new GovernanceService(file, ownRegistry(toolDefinitions(), file), 'default');
    const call = aCall();
    const check = (): void => service.check({ ...call, scope: { ...call.scope, ...scope } }, 'kb.search');
    expect(check).toThrow(expect.objectContaining({ hint }));
  });

  it('gives agents with other rules another version of the policy', () => {
    const version = (agent: string) => governance().policyVersion(aReader({ agent }));
    expect(version('support')).toMatch(/^[0-9a-f]{64}$/);
    expect(version('support')).toBe(version('mapper'));
    expect(version('support')).not.toBe(version('careful'));
  });

  it.each<[string, Parameters<typeof aReader>[0], readonly string[]]>([
    ['offers the tools that the principal may use', { tools: ['graph.*'] }, ['graph.expand', 'graph.paths']],
    [
      'offers a tool only if the principal may use all that return the same content',
      { tools: ['search_docs', 'kb.search'] },
      ['kb.search'],
    ],
    [
      'offers it if the principal may',
      { tools: ['search_docs', 'kb.*'], agent: 'support' },
      ['kb.search', 'search_docs'],
    ],
    ['offers no tools that read without the permission', { permissions: ['approve', 'operator'] }, []],
  ])('%s', (_, reader, expected) => {
    expect(TOOLS.filter((name) => governance().offers(aReader(reader), name))).toEqual(expected);
  });

  it.each([
    ['the principal may not use', { tools: ['kb.*'] }, 'not-offered', 'not_offered'],
    ['a rule always denies', { agent: 'careful' }, 'no-graph', 'policy_denied'],
  ])('notes the rule that refuses a tool that %s', (_, caller, rule, reason) => {
    const call = aCall({ caller });
    governance().noteRefusal(call, 'graph.expand');
    expect(call.decisions.policy).toEqual({ tool: 'graph.expand', rule, effect: 'deny' });
    expect(call.decisions.refusedAs).toBe(reason);
  });

  it.each(withFlags)(
    'refuses $name with $flag to an agent without the mount of its documents',
    ({ name, flag }) => {
      const situation = { ...aCall(), caller: { ...aCall().caller, agent: 'walker' } };
      expect(governance().explain({ ...situation, input: {} }, name)).toMatchObject({ effect: 'allow' });
      expect(governance().explain({ ...situation, input: { [flag]: true } }, name)).toMatchObject({
        ...{ effect: 'deny', rule: 'not-offered', withheld: 'mount' },
      });
    },
  );

  it.each<[string, string | null]>([
    ['surveyor', 'capability'],
    ['mapper', null],
  ])('asks for a capability that reads documents where %s wants snippets', (agent, withheld) => {
    const caller = { ...aCall().caller, agent };
    const explain = (input: object): object =>
      governance().explain({ ...aCall(), caller, input: { ...input } }, 'graph.expand');
    expect(explain({})).toMatchObject({ effect: 'allow', withheld: null });
    expect(explain({ include_snippet: true })).toMatchObject({ withheld });
  });

  it('counts the snippets of graph tools as document text', () => {
    const call = aCall({ caller: { tools: ['graph.*'] } });
    expect(() => governance().check(call, 'graph.expand')).not.toThrow();
    const asking = aCall({ caller: { tools: ['graph.*'] } });
    asking.decisions.decide({ input: { include_snippet: true } });
    expect(() => governance().check(asking, 'graph.expand')).toThrow('not permitted to this caller');
  });
});
