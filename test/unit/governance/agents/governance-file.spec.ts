import { InvalidConfigurationError } from '../../../../src/config/invalid-configuration';
import { parseGovernance, readGovernance } from '../../../../src/governance/agents/read-governance';
import { toolDefinitions } from '../../../support/all-tools.js';

const TOOLS = toolDefinitions();

/** The problems of a file, or [] if it is valid. */
function problemsOf(text: string): readonly string[] {
  try {
    parseGovernance(text, 'g.yaml', TOOLS);
    return [];
  } catch (error) {
    if (error instanceof InvalidConfigurationError) return error.problems;
    throw error;
  }
}

describe('parseGovernance', () => {
  it('fills in what the file leaves out', () => {
    expect(parseGovernance('version: 1', 'g.yaml', TOOLS)).toEqual({
      version: 1,
      capabilities: {},
      agents: {},
      aliases: {},
      policy: { rules: [], templates: {} },
      providers: {},
    });
  });

  it('reads capabilities, agents, rules and templates', () => {
    const text = `
version: 1
capabilities: { search: [kb.*] }
agents: { support: { capabilities: [search], mounts: [documents], template: careful } }
policy:
  rules: [{ name: office, tools: ['*'], effect: deny, time: { from: '18:00', to: '08:00' } }]
  templates: { careful: [{ name: no-memory, tools: [inner_voice.*], effect: deny }] }
`;
    expect(parseGovernance(text, 'g.yaml', TOOLS)).toMatchObject({
      agents: { support: { capabilities: ['search'], mounts: ['documents'], template: 'careful' } },
      policy: {
        rules: [{ name: 'office', time: { from: '18:00', to: '08:00', time_zone: 'UTC' } }],
        templates: { careful: [{ name: 'no-memory' }] },
      },
    });
  });

  it('knows the capabilities that tools have of their own', () => {
    const text = "version: 1\nagents: { bot: { capabilities: ['*', explain] } }";
    const tools = TOOLS.map((tool) => ({ ...tool, capability: 'explain' }));
    expect(parseGovernance(text, 'g.yaml', tools).agents).toEqual({
      bot: { capabilities: ['*', 'explain'] },
    });
  });

  it.each<[string, string, string]>([
    ['a file without version', 'agents: {}', 'g.yaml:1: version: this field is missing. Expected: 1.'],
    [
      'a star without quotes',
      'version: 1\ncapabilities:\n  all: [*]',
      "g.yaml:3: not valid YAML: YAML reads a value that begins with * as an alias. Put it in quotes, such as '*' or 'kb.*'.",
    ],
    [
      'a pattern with a star without quotes',
      'version: 1\ncapabilities:\n  all: [*.read]',
      "g.yaml:3: YAML reads a value that begins with * as an alias. Put it in quotes, such as '*' or 'kb.*'.",
    ],
    [
      'an alias for a tool that does not exist',
      'version: 1\naliases:\n  find: kb.serach',
      'g.yaml:3: aliases.find: no tool is named kb.serach. Did you mean kb.search? Tools: ',
    ],
    [
      'an alias that hides a tool',
      'version: 1\naliases: { kb_search: kb.retrieve_evidence }',
      'g.yaml:2: aliases.kb_search: the alias would hide the tool kb.search. Choose another name.',
    ],
    [
      'an alias that hides an older name',
      'version: 1\naliases: { search_sections: kb.search }',
      'g.yaml:2: aliases.search_sections: the alias would hide the tool search_sections. Choose another name.',
    ],
    [
      'an alias of an alias',
      'version: 1\naliases:\n  find: kb.search\n  look: find',
      'g.yaml:4: aliases.look: find is an alias; use the name of a tool.',
    ],
    [
      'an alias of an older name',
      'version: 1\naliases: { look: search_sections }',
      'g.yaml:2: aliases.look: search_sections is an older name; use the name of a current tool.',
    ],
    [
      'an alias that is not a name',
      'version: 1\naliases: { "a b": kb.search }',
      'g.yaml:2: aliases.a b: use up to 64 letters, digits, dots, hyphens and underscores.',
    ],
    [
      'a rule with the name of one of Pith',
      'version: 1\npolicy:\n  rules:\n    - { name: default-deny, effect: allow }',
      'g.yaml:4: policy.rules.0: default-deny is a rule of Pith itself. Choose another name.',
    ],
    [
      'a rule that spells a tool with an underscore',
      'version: 1\npolicy:\n  rules:\n    - { name: a, tools: [kb.search, kb_search], effect: deny }',
      'g.yaml:4: policy.rules.0.tools.1: no tool matches kb_search. Write names with their dots, such as kb.search.',
    ],
    [
      'a pattern with an underscore in a template',
      'version: 1\npolicy:\n  templates:\n    t: [{ name: a, tools: [graph_*], effect: deny }]',
      'g.yaml:4: policy.templates.t.0.tools.0: no tool matches graph_*. Write names with their dots, such as graph.describe.',
    ],
    [
      'a capability that spells a tool with an underscore',
      'version: 1\ncapabilities:\n  search: [kb_search]',
      'g.yaml:3: capabilities.search.0: no tool matches kb_search. Write names with their dots, such as kb.search.',
    ],
    [
      'a rule for an alias',
      'version: 1\naliases: { find.it: kb.search }\npolicy: { rules: [{ name: a, tools: [find_it], effect: deny }] }',
      'g.yaml:3: policy.rules.0.tools.0: find_it matches only the alias find.it. Write kb.search.',
    ],
    [
      'a rule that spells the tool of a provider with an underscore',
      'version: 1\nproviders: { files: { command: x } }\npolicy: { rules: [{ name: a, tools: [files_read], effect: deny }] }',
      'g.yaml:3: policy.rules.0.tools.0: no tool matches files_read. Write names with their dots, such as files.read.',
    ],
    ...(
      [
        'kb.{search,expand}',
        '(kb|graph).search',
        '!kb.search',
        'kb.search ',
        'kb.[rs]*',
        'kb.?',
        'kb/search',
      ] as const
    ).map((pattern): [string, string, string] => [
      `a denial with characters that no tool has: ${pattern}`,
      `version: 1\npolicy:\n  rules:\n    - { name: a, tools: ["${pattern}"], effect: deny }`,
      `g.yaml:4: policy.rules.0.tools.0: "${pattern}" can match no name: names have letters, digits, dots,`,
    ]),
    [
      'a capability with characters that no tool has',
      'version: 1\ncapabilities:\n  a: [kb.search, "kb.(x)"]',
      'g.yaml:3: capabilities.a.1: "kb.(x)" can match no name',
    ],
    [
      'reads of a provider with characters that no tool has',
      'version: 1\nproviders:\n  files: { command: node, reads: ["{list,read}"] }',
      'g.yaml:3: providers.files.reads.0: "{list,read}" can match no name',
    ],
    [
      'a denial in another case',
      'version: 1\npolicy:\n  rules:\n    - { name: a, tools: [Graph.*], effect: deny }',
      'g.yaml:4: policy.rules.0.tools.0: no tool matches Graph.*, because case counts. Write graph.*.',
    ],
    [
      'a denial that matches nothing',
      'version: 1\npolicy:\n  rules:\n    - { name: a, tools: [graph.pahts], effect: deny }',
      'g.yaml:4: policy.rules.0.tools.0: no tool matches graph.pahts. Did you mean graph.paths? Tools: ',
    ],
    [
      'a capability that matches nothing',
      'version: 1\ncapabilities:\n  a: [knowledge.search]',
      'g.yaml:3: capabilities.a.0: no tool matches knowledge.search',
    ],
    [
      'a rule for an agent that is not defined',
      'version: 1\nagents: { support: { capabilities: [] } }\npolicy:\n  rules:\n    - { name: a, agents: [supprt], effect: deny }',
      'g.yaml:5: policy.rules.0.agents.0: no agent matches supprt. Did you mean support? Known agents: default, support.',
    ],
    [
      'a rule for an agent that can have no name',
      'version: 1\npolicy:\n  rules:\n    - { name: a, agents: [" default"], effect: deny }',
      'g.yaml:4: policy.rules.0.agents.0: " default" can match no name',
    ],
    [
      'a rule for a claim without the name before it',
      'version: 1\npolicy:\n  rules:\n    - { name: a, principals: ["ada@example.com"], effect: deny }',
      'g.yaml:4: policy.rules.0.principals.0: "ada@example.com" can match no name',
    ],
    [
      'a rule for a pattern of tags',
      'version: 1\npolicy:\n  rules:\n    - { name: a, scope: { doc_tags: ["hr-*"] }, effect: deny }',
      'g.yaml:4: policy.rules.0.scope.doc_tags.0: values of a scope are no patterns',
    ],
    [
      'an unknown field',
      'version: 1\nagnets: {}',
      'g.yaml:2: agnets: this field is unknown. Did you mean agents? Known fields: version, capabilities, agents, aliases, policy, providers.',
    ],
    [
      'an unknown effect',
      'version: 1\npolicy:\n  rules:\n    - name: a\n      effect: maybe',
      'g.yaml:5: policy.rules.0.effect: found "maybe". Expected one of: allow, notify, approve, review, deny.',
    ],
    [
      'an approver of a denial',
      'version: 1\npolicy:\n  rules:\n    - name: a\n      effect: deny\n      approver: caller',
      'g.yaml:6: policy.rules.0.approver: only for the effect approve. Remove it, or use effect: approve.',
    ],
    [
      'a review by the caller',
      'version: 1\npolicy:\n  rules:\n    - name: a\n      effect: review\n      approver: caller',
      'g.yaml:6: policy.rules.0.approver: only for the effect approve. Remove it, or use effect: approve.',
    ],
    [
      'an allowance that expires',
      'version: 1\npolicy:\n  rules:\n    - name: a\n      effect: allow\n      expires_in_minutes: 5',
      'g.yaml:6: policy.rules.0.expires_in_minutes: only for the effects approve and review. Remove it, or use one of them.',
    ],
    [
      'an approval that never expires',
      'version: 1\npolicy:\n  rules:\n    - name: a\n      effect: approve\n      expires_in_minutes: 99999',
      'g.yaml:6: policy.rules.0.expires_in_minutes: found 99999, expected at most 10080.',
    ],
    [
      'an unknown time zone',
      'version: 1\npolicy:\n  rules:\n    - name: a\n      effect: deny\n      time: { time_zone: Mars/Base }',
      'g.yaml:6: policy.rules.0.time.time_zone: use a name of the IANA database, such as Europe/Berlin.',
    ],
    [
      'a capability that is not defined',
      'version: 1\nagents:\n  bot:\n    capabilities: [serach]\ncapabilities: { read: [kb.*], search: [kb.*] }',
      'g.yaml:4: agents.bot.capabilities.0: no capability is named serach. Did you mean search? Capabilities of this file: read, search.',
    ],
    [
      'a template that is not defined',
      'version: 1\nagents:\n  bot:\n    capabilities: []\n    template: strict',
      'g.yaml:5: agents.bot.template: no template is named strict. Templates of this file: none.',
    ],
    [
      'two rules with one name, in two places',
      'version: 1\npolicy:\n  rules:\n    - { name: a, effect: deny }\n  templates:\n    t:\n      - { name: a, effect: allow }',
      'g.yaml:7: policy.templates.t.0: two rules are named a. Rename one.',
    ],
    [
      'a name that no object can have',
      'version: 1\ncapabilities:\n  __proto__: [kb.search]',
      "g.yaml:3: __proto__ can't be used as a name.",
    ],
    ['text that is not YAML', 'version: 1\nagents: {', 'g.yaml:2: not valid YAML: '],
    [
      'a name that occurs twice',
      'version: 1\nagents: {}\nagents: {}',
      'g.yaml:3: not valid YAML: this name occurs twice in one map. Remove one, or merge both.',
    ],
    [
      'a line that is indented by a tab',
      'version: 1\nagents:\n\tbot: {}',
      'g.yaml:3: not valid YAML: a tab indents this line. Use spaces.',
    ],
    [
      'a list in the place of a map',
      'version: 1\nagents:\n  - bot',
      'g.yaml:3: agents: found a list, expected a map of names.',
    ],
    [
      'a number in the place of a text',
      'version: 1\naliases:\n  find: 5',
      'g.yaml:3: aliases.find: found 5, expected a text.',
    ],
    [
      'a misspelt field of a rule',
      'version: 1\npolicy:\n  rules:\n    - name: a\n      effct: deny',
      'g.yaml:5: policy.rules.0.effct: this field is unknown. Did you mean effect? Known fields: name, tools,',
    ],
    [
      'a misspelt mount',
      'version: 1\nagents:\n  bot: { capabilities: [], mounts: [document] }',
      'g.yaml:3: agents.bot.mounts.0: found "document". Did you mean documents? Expected one of: documents, graph,',
    ],
    [
      'a misspelt permission of a provider',
      'version: 1\nproviders:\n  files: { command: node, allow: [root] }',
      'g.yaml:3: providers.files.allow.0: found "root". Did you mean roots? Expected one of: roots, elicitation',
    ],
  ])('names the line of %s', (_, text, problem) => {
    expect(problemsOf(text).join('\n')).toContain(problem);
  });

  it('names every problem, not only the first', () => {
    expect(problemsOf('version: 2\nagents:\n  bot: {}')).toHaveLength(2);
  });

  it('refuses aliases that expand without end', () => {
    const bomb = [
      'a: &a [x]',
      ...'bcdefgh'.split('').map((n, i) => `${n}: &${n} [${`*${'abcdefg'[i]},`.repeat(9)}]`),
    ];
    expect(problemsOf(bomb.join('\n'))).toHaveLength(1);
  });
});

describe('mounts', () => {
  it('are parts of the server and providers', () => {
    const file = (mounts: string): string =>
      `version: 1\nproviders: { connector.mail: { command: node } }\nagents: { bot: { capabilities: [], mounts: [${mounts}] } }`;
    expect(problemsOf(file('graph, registry, connector.mail'))).toEqual([]);
    expect(problemsOf(file('connector.post'))).toEqual([
      expect.stringContaining('agents.bot.mounts.0: found "connector.post". Did you mean connector.mail?'),
    ]);
  });
});

describe('patterns', () => {
  const PROVIDERS = 'providers: { files: { command: node }, connector.mail: { command: node } }';
  const problemsWith = (tools: string, more = ''): readonly string[] =>
    problemsOf(
      `version: 1\n${PROVIDERS}\n${more}\npolicy: { rules: [{ name: a, tools: [${tools}], effect: deny }] }`,
    );

  it('may name tools that a provider lists later', () => {
    const patterns =
      "'files.*', files.read, 'files.Read*', '*.delete', 'fil*', 'connector.mail.send', 'connector.*'";
    expect(problemsWith(patterns)).toEqual([]);
  });

  it('may name tools that are turned off', () => {
    expect(problemsWith("'claim.*', substrate.pointer.advance, inner_voice.retrieve, search_docs")).toEqual(
      [],
    );
  });

  it('may name a provider in whose namespace an alias is', () => {
    expect(problemsWith("'files.*'", 'aliases: { files.find: kb.search }')).toEqual([]);
    expect(problemsWith('files.find', 'aliases: { files.find: kb.search }')).toEqual([
      'g.yaml:4: policy.rules.0.tools.0: files.find is an alias. Write kb.search.',
    ]);
  });

  it.each(['filez.*', 'mail.*', 'connector.post.*', 'files', "'files.'"])(
    'may not name a namespace that nothing is in: %s',
    (pattern) => {
      expect(problemsWith(pattern)).toHaveLength(1);
    },
  );

  it('may name principals of an access file, and values of their claims', () => {
    const principals = "[ada, 'team-*', 'staff:*@example.com', '*']";
    expect(
      problemsOf(`version: 1\npolicy: { rules: [{ name: a, principals: ${principals}, effect: deny }] }`),
    ).toEqual([]);
  });
});

describe('aliases', () => {
  it('may stand for tools of a provider, which are not known yet', () => {
    const providers = 'providers: { files: { command: files } }';
    expect(problemsOf(`version: 1\naliases: { read_file: files.read }\n${providers}`)).toEqual([]);
  });

  it('have to differ even if dots are written as underscores', () => {
    expect(problemsOf('version: 1\naliases: { a.find: kb.search, a_find: kb.search }')).toEqual([
      'g.yaml:2: aliases.a.find: the aliases a_find and a.find are the same with underscores.',
      'g.yaml:2: aliases.a_find: the aliases a.find and a_find are the same with underscores.',
    ]);
  });
});

describe('readGovernance', () => {
  it('names a file that does not exist', () => {
    expect(() => readGovernance('/nowhere/g.yaml', TOOLS)).toThrow(
      /PITH_GOVERNANCE_FILE: there is no file \/nowhere\/g.yaml\. Correct the path, or create the file/,
    );
  });

  it('does not name the setting if a command was given the path', () => {
    expect(() => readGovernance('/nowhere/g.yaml', TOOLS, null)).toThrow(/- there is no file \/nowhere/);
  });
});
