import { NO_GOVERNANCE } from '../../../../src/governance/agents/governance-file';
import type { PolicyRule } from '../../../../src/governance/policy/policy-rule';
import {
  approvalRule,
  registerTool,
  requiredCapabilities,
  schemaHash,
  standsForWith,
} from '../../../../src/governance/registry/registered-tool';
import { isLegacy } from '../../../../src/mcp/define-tool';
import { toolDefinitions } from '../../../support/all-tools.js';

const definitions = toolDefinitions();
const tools = definitions.map((definition) => registerTool(definition, NO_GOVERNANCE));
const toolNamed = (name: string) => tools.find((tool) => tool.name === name);
const names = tools.map(({ name }) => name);

/** Tools that fence names of documents or what callers wrote, or work on documents, and return no document text. */
const WITHOUT_TEXT = [
  'graph.describe',
  'graph.expand',
  'graph.parents',
  'graph.children',
  'graph.entities_for_sections',
  'graph.sections_for_entities',
  'scope.describe',
  'scratch.list',
  'substrate.artifact.get',
  'claim.list',
  'knowledge.kb_list',
  'get_paths_between',
];

describe('registerTool', () => {
  it('takes the facts of the definition, with defaults', () => {
    expect(toolNamed('scope.describe')).toMatchObject({
      namespace: 'scope',
      version: '2',
      safety: 'read',
      permission: 'read',
      mounts: ['documents'],
      standsFor: [],
      capabilities: [],
      approval: null,
      provider: 'pith',
    });
  });

  it('keeps the schemas that arguments and results are checked against', () => {
    expect(toolNamed('scratch.list')?.inputSchema).toMatchObject({
      additionalProperties: false,
      properties: { limit: { type: 'integer', maximum: 50 } },
    });
  });

  it('hashes both schemas', () => {
    const tool = toolNamed('kb.search');
    expect(tool?.schemaHash).toBe(schemaHash(tool?.inputSchema ?? {}, tool?.outputSchema ?? null));
  });

  it.each([
    ['kb.search', true],
    ['kb.expand_excerpt', false],
    ['expand_neighbors', false],
  ])('reports whether a call of %s can be repeated: %s', (name, isRepeatable) => {
    expect(toolNamed(name)?.annotations).toMatchObject({ readOnlyHint: true, idempotentHint: isRepeatable });
  });
});

describe('the tools of this server', () => {
  it('name the part of the server that they work on', () => {
    expect(tools.filter(({ mounts }) => mounts.length === 0)).toEqual([]);
  });

  it('stand for current tools if they are older ones', () => {
    const older = definitions.filter(isLegacy).map(({ name }) => toolNamed(name));
    expect(older.filter((tool) => tool?.standsFor.length === 0)).toEqual([]);
  });

  it('stand only for tools that exist', () => {
    const meant = tools.flatMap(({ standsFor, standsForIf }) => [
      ...standsFor,
      ...Object.values(standsForIf).flat(),
    ]);
    expect(meant.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('work on the mounts of the tools that they stand for', () => {
    const lacking = tools.flatMap(({ name, mounts, standsFor }) =>
      standsFor
        .flatMap((other) => toolNamed(other)?.mounts ?? [])
        .filter((mount) => !mounts.includes(mount))
        .map((mount) => `${name}: ${mount}`),
    );
    expect(lacking).toEqual([]);
  });

  it('are denied with kb.* if they read documents or fence words, except those that return no document text', () => {
    const fenced = definitions.filter(
      ({ safety = 'read', mounts, isRetrieval, rendering }) =>
        safety === 'read' &&
        (mounts?.includes('documents') || isRetrieval || /fence/i.test(String(rendering.full))),
    );
    const allowed = fenced.filter(
      ({ name, standsFor = [] }) =>
        ![name, ...standsFor].some((each) => each.startsWith('kb.')) &&
        !(standsFor.length > 0 && standsFor.every((each) => WITHOUT_TEXT.includes(each))),
    );
    expect(allowed.map(({ name }) => name)).toEqual(WITHOUT_TEXT);
  });

  it('stand for document text if they are asked for snippets', () => {
    const asked = tools.filter(({ inputSchema }) => 'include_snippet' in Object(inputSchema['properties']));
    expect(asked.map(({ name }) => name)).toEqual(['graph.describe', 'graph.expand', 'expand_neighbors']);
    expect(
      asked.filter(
        (tool) => !standsForWith(tool, { include_snippet: true }).includes('kb.retrieve_evidence'),
      ),
    ).toEqual([]);
  });
});

describe('standsForWith', () => {
  const tool = { standsFor: ['graph.expand'], standsForIf: { include_snippet: ['kb.search'] } };

  it.each([
    [{ include_snippet: true }, ['graph.expand', 'kb.search']],
    [{ include_snippet: { of: 'a document' } }, ['graph.expand', 'kb.search']],
    [{ include_snippet: false }, ['graph.expand']],
    [{ include_snippet: 'a text' }, ['graph.expand', 'kb.search']],
    [null, ['graph.expand']],
  ])('with the input %j, a call stands for %j', (input, expected) => {
    expect(standsForWith(tool, input)).toEqual(expected);
  });
});

describe('requiredCapabilities', () => {
  it('are all whose patterns name the tool', () => {
    const capabilities = { search: ['kb.*'], deep: ['kb.search'], graph: ['graph.*'] };
    expect(requiredCapabilities({ capabilities }, 'kb.search')).toEqual(['search', 'deep']);
  });
});

describe('approvalRule', () => {
  const rules: PolicyRule[] = [
    { name: 'closed', effect: 'deny' },
    { name: 'notes', tools: ['notes.*'], effect: 'approve' },
    { name: 'outside', safety: ['external'], effect: 'review' },
  ];

  it.each([
    ['kb.search', 'read', null],
    ['notes.add', 'write', 'notes'],
    ['browser.open', 'external', 'outside'],
  ] as const)('for %s (%s) is %s', (name, safety, expected) => {
    expect(approvalRule({ policy: { rules } }, { name, safety, standsFor: [], approver: null })).toBe(
      expected,
    );
  });

  it('counts rules that allow calls which an operator has to approve', () => {
    const allowed: PolicyRule[] = [{ name: 'all', tools: ['notes.*'], effect: 'allow' }];
    const ruleFor = (name: string, approver: 'operator' | null) =>
      approvalRule({ policy: { rules: allowed } }, { name, safety: 'write', standsFor: [], approver });
    expect(ruleFor('notes.add', 'operator')).toBe('all');
    expect(ruleFor('notes.add', null)).toBeNull();
    expect(ruleFor('other.add', 'operator')).toBeNull();
  });

  it('counts rules for the tools that a tool stands for', () => {
    const older = { name: 'add_note', safety: 'write', standsFor: ['notes.add'], approver: null } as const;
    expect(approvalRule({ policy: { rules } }, older)).toBe('notes');
  });

  it('also finds the rule of a template, after those for all agents', () => {
    const careful: PolicyRule[] = [{ name: 'careful-search', tools: ['kb.*', 'notes.*'], effect: 'approve' }];
    const templates = { careful };
    const ruleFor = (name: string) =>
      approvalRule({ policy: { rules, templates } }, { name, safety: 'read', standsFor: [], approver: null });
    expect([ruleFor('kb.search'), ruleFor('notes.add'), ruleFor('graph.expand')]).toEqual([
      'careful-search',
      'notes',
      null,
    ]);
  });
});

describe('schemaHash', () => {
  it('does not depend on the order of members', () => {
    expect(schemaHash({ a: 1, b: 2 }, null)).toBe(schemaHash({ b: 2, a: 1 }, null));
  });

  it('depends on the output', () => {
    expect(schemaHash({ a: 1 }, { b: 1 })).not.toBe(schemaHash({ a: 1 }, null));
  });
});
