import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';
import { checkGovernance } from '../../src/governance/commands/governance.command.js';
import { explainPolicy } from '../../src/governance/commands/policy.command.js';
import { toolDefinitions } from '../support/all-tools.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { commandOutput } from '../support/command-output.js';
import { runPith } from '../support/run-pith.js';
import { writeFiles } from '../support/write-files.js';

const EXAMPLE = join(PACKAGE_ROOT, 'config', 'governance.yaml');

const out = commandOutput();

describe('checkGovernance', () => {
  it('says what each agent of the example is offered', async () => {
    await checkGovernance(EXAMPLE, {}, toolDefinitions());
    expect(
      out.text
        .replace(/about \d+/g, 'about N')
        .replace(EXAMPLE, 'FILE')
        .split('\n'),
    ).toEqual([
      'FILE is valid.',
      'agent default: 18 of 18 tools, about N tokens',
      'agent support: 1 of 18 tools, about N tokens',
      'agent researcher: 4 of 18 tools, about N tokens',
      'agent reader: 2 of 18 tools, about N tokens',
      'agent cartographer: 4 of 18 tools, about N tokens',
      'agent auditor: 3 of 18 tools, about N tokens',
      '',
    ]);
  });

  it('keeps the list of each agent of the example within a third of all tools', async () => {
    await checkGovernance(EXAMPLE, {}, toolDefinitions());
    const [all = 0, ...agents] = [...out.text.matchAll(/about (\d+)/g)].map(([, tokens]) => Number(tokens));
    expect(Math.max(...agents)).toBeLessThan(all / 3);
  });

  it('warns about a rule that another leaves nothing to decide', async () => {
    const folder = testFolder();
    const rules =
      '[{ name: all, tools: [kb.*], effect: allow }, { name: ask, tools: [kb.search], effect: approve }]';
    writeFiles(folder.path, { 'g.yaml': `version: 1\npolicy: { rules: ${rules} }\n` });
    await checkGovernance(folder.file('g.yaml'), {}, toolDefinitions());
    folder.remove();
    expect(out.text).toContain(
      'warning: rule ask never applies: the rule all above it decides all its calls. Move ask up.\n',
    );
  });

  it('warns about a rule of a template that a rule of the file leaves nothing to decide', async () => {
    const folder = testFolder();
    const policy =
      'rules: [{ name: all, tools: [kb.*], effect: allow }], templates: { t: [{ name: ask, tools: [kb.search], effect: approve }] }';
    writeFiles(folder.path, { 'g.yaml': `version: 1\npolicy: { ${policy} }\n` });
    await checkGovernance(folder.file('g.yaml'), {}, toolDefinitions());
    folder.remove();
    expect(out.text.match(/warning: rule .*/g)).toEqual([
      'warning: rule ask never applies: the rule all above it decides all its calls. ' +
        'Rules of templates come last: narrow all, or remove ask.',
    ]);
  });

  it.each(['kb.serach', '"kb.(a|b)"', 'KB.*', '" kb.search "', '"{kb,graph}.*"'])(
    'refuses a denial that can match no tool: %s',
    async (pattern) => {
      const folder = testFolder();
      const rules = `[{ name: r, tools: [${pattern}], effect: deny }]`;
      writeFiles(folder.path, { 'g.yaml': `version: 1\npolicy: { rules: ${rules} }\n` });
      const { code, stdout, stderr } = await runPith(['governance', 'check', folder.file('g.yaml')]);
      folder.remove();
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('g.yaml:2: policy.rules.0.tools.0: ');
    },
  );

  it('says which patterns match nothing yet', async () => {
    const folder = testFolder();
    writeFiles(folder.path, {
      'g.yaml':
        'version: 1\nproviders: { files: { command: node } }\naliases: { files.find: kb.search }\n' +
        "policy: { rules: [{ name: r, tools: ['files.*', '*.delete', 'claim.*', kb.search], effect: deny }] }\n",
    });
    await checkGovernance(folder.file('g.yaml'), {}, toolDefinitions());
    folder.remove();
    expect(out.text.match(/note: rule .*/g)).toEqual([
      'note: rule r: no tool matches files.* yet; it applies to later tools of files',
      'note: rule r: no tool matches *.delete yet; it applies to later tools of files',
    ]);
  });

  it('says which agents a change of the file leaves without tools', async () => {
    const folder = testFolder();
    const before =
      'version: 1\ncapabilities: { answer: [kb.search] }\nagents: { bot: { capabilities: [answer] } }\n';
    writeFiles(folder.path, {
      'old.yaml': before,
      'new.yaml': before.replace('answer: [kb.search]', 'answer: [kb.search], docs: [kb.*]'),
    });
    await checkGovernance(folder.file('new.yaml'), { against: folder.file('old.yaml') }, toolDefinitions());
    folder.remove();
    expect(out.text.split('\n').filter((line) => /loses|gains|bot is/.test(line))).toEqual([
      'agent bot loses: kb.search',
      'warning: agent bot is offered no tool',
      'note: agent bot is not offered kb.search: it lacks docs, which names it too',
    ]);
  });

  it('warns about principals that are not defined', async () => {
    const folder = testFolder();
    writeFiles(folder.path, {
      'g.yaml':
        'version: 1\npolicy: { rules: [{ name: r, principals: [bob, local, b*, "local:*", "bob:*"], effect: deny }] }\n',
    });
    await checkGovernance(folder.file('g.yaml'), {}, toolDefinitions());
    folder.remove();
    expect(out.text.split('\n').filter((line) => line.startsWith('warning'))).toEqual([
      'warning: rule r: no principal matches bob. Known principals: local, bearer, operator, visitor',
      'warning: rule r: no principal matches bob:*. Known principals: local, bearer, operator, visitor',
      'warning: agent default is offered no tool',
    ]);
  });

  it('refuses patterns of the access file that can match no tool', async () => {
    const folder = testFolder();
    const oauth =
      '{ resource: http://127.0.0.1/mcp, issuers: [{ issuer: http://127.0.0.1 }], scopes: { g: [grahp.*] } }';
    const principals = '{ pilots: { claims: { groups: pilots }, tools: [kb.serach, kb.*] } }';
    writeFiles(folder.path, {
      'g.yaml': 'version: 1\n',
      'a.yaml': `version: 1\noauth: ${oauth}\nprincipals: ${principals}\n`,
    });
    process.env['PITH_ACCESS_FILE'] = folder.file('a.yaml');
    const checked = checkGovernance(folder.file('g.yaml'), {}, toolDefinitions());
    await expect(checked).rejects.toThrow(/principals\.pilots\.tools\.0: no tool matches kb\.serach/);
    await expect(checked).rejects.toThrow(/oauth\.scopes\.g\.0: no tool matches grahp\.\*/);
    folder.remove();
  });

  it('warns about providers that can not be started', async () => {
    const folder = testFolder();
    const text = `version: 1
providers:
  one: { command: npx -y some-server }
  two: { command: node, env: { TOKEN: 'env:PITH_TEST_NOT_SET' } }
  three: { command: "${folder.file('a program')}" }
  four: { command: nodee }
  five: { command: node, cwd: /nowhere }
`;
    writeFiles(folder.path, { 'g.yaml': text, 'a program': '' });
    await checkGovernance(folder.file('g.yaml'), {}, toolDefinitions());
    folder.remove();
    expect(out.text.split('\n').filter((line) => line.startsWith('warning'))).toEqual([
      'warning: providers.five.cwd: there is no folder /nowhere',
      'warning: providers.four.command: there is no program "nodee" on PATH. Install it, or correct its name or path',
      'warning: providers.one.command: there is no program "npx -y some-server". Write its arguments in args',
      'warning: providers.two.env: TOKEN: the variable PITH_TEST_NOT_SET is not set.',
    ]);
  });

  it('warns about tools that write and that no rule allows', async () => {
    const folder = testFolder();
    const rules =
      '[{ name: runs, tools: [run.*], effect: allow }, { name: ask, tools: [schema.*], effect: approve }]';
    writeFiles(folder.path, { 'g.yaml': `version: 1\npolicy: { rules: ${rules} }\n` });
    process.env['MCP_DOMAINS'] = 'run,schema,knowledge,document';
    await checkGovernance(folder.file('g.yaml'), {}, toolDefinitions());
    folder.remove();
    expect(out.text.match(/warning: .*/g)).toEqual([
      'warning: MCP_DOMAINS names tools that write, but no rule allows them: knowledge.kb_create. ' +
        'No agent is offered them. Add a rule to the governance file; docs/domains.md has examples.',
    ]);
  });

  describe('names of documents in scopes', () => {
    const folder = testFolder();
    const text = `version: 1
policy:
  rules:
    - { name: no-hr, scope: { doc_tags: [gude] }, effect: deny }
    - { name: no-guide, scope: { repositories: [elsewhere] }, effect: deny }
    - { name: no-test, scope: { project_ids: [handbok], environments: [tset] }, effect: deny }
`;
    const lines = async (): Promise<string[]> => {
      await checkGovernance(folder.file('g.yaml'), { index: folder.file('index.sqlite') }, toolDefinitions());
      return out.text.split('\n').filter((line) => /^(?:warning|note)/.test(line));
    };
    beforeAll(() => writeFiles(folder.path, { 'g.yaml': text }));
    afterAll(() => folder.remove());

    it('are not compared without an index, which is said', async () => {
      expect(await lines()).toEqual([
        `note: scopes were not compared with the index: there is no index at ${folder.file('index.sqlite')} yet`,
      ]);
    });

    it('are compared with those of the index', async () => {
      await buildIndex(FIXTURE_CORPUS, folder.file('index.sqlite'));
      const found = await lines();
      expect(found.map((line) => line.split('. ')[0])).toEqual([
        'warning: rule no-hr: no document of the index has "gude" in doc_tags',
        'warning: rule no-guide: no document of the index has "elsewhere" in repositories',
        'warning: rule no-test: no document of the index has "handbok" in project_ids',
        'warning: rule no-test: no document of the index has "tset" in environments',
      ]);
    });
  });

  it('refuses an agent of PITH_AGENT that the file does not define', async () => {
    process.env['PITH_AGENT'] = 'nobody';
    try {
      await expect(checkGovernance(EXAMPLE, {}, toolDefinitions())).rejects.toThrow(
        /no agent is named nobody/,
      );
    } finally {
      delete process.env['PITH_AGENT'];
    }
  });

  it('asks for a file if none is given', async () => {
    await expect(checkGovernance(undefined, {}, toolDefinitions())).rejects.toThrow(
      /There is no governance file/,
    );
  });
});

describe('explainPolicy', () => {
  const explain = async (flags: object): Promise<string> => {
    await explainPolicy(
      { tool: 'kb.search', principal: 'local', file: EXAMPLE, ...flags },
      toolDefinitions(),
    );
    return out.text;
  };

  it('names the rule that decides', async () => {
    expect(await explain({ agent: 'default' })).toBe(
      'allow: kb.search for agent default, principal local\nrule: default-reads\n',
    );
  });

  it('says what the agent lacks', async () => {
    expect(await explain({ agent: 'support' })).toBe(
      'deny: kb.search for agent support, principal local\nnot offered: the agent lacks a capability that the tool requires\n',
    );
  });

  it.each([
    ['2026-11-25T12:00Z', 'notify', 'regulated-office-hours'],
    ['2026-11-25T22:00Z', 'deny', 'regulated-closed'],
    ['2026-11-28T12:00Z', 'deny', 'regulated-closed'],
  ])('decides for a time: %s', async (at, effect, rule) => {
    expect(
      JSON.parse(await explain({ tool: 'graph_expand', agent: 'cartographer', at, json: true })),
    ).toMatchObject({
      effect,
      rule,
      tool: 'graph.expand',
      agent: 'cartographer',
    });
  });

  it.each([
    [{ tool: 'kb.serach' }, /There is no tool kb\.serach/],
    [{ args: '{' }, /--args is not JSON/],
    [{ at: 'soon' }, /--at: "soon" is not a time/],
    [{ agent: 'nobody' }, /no agent is named nobody/],
  ])('refuses %j', async (flags, message) => {
    await expect(explain(flags)).rejects.toThrow(message);
  });

  it.each([
    [{ query: 'x', scope: { project_id: 'another' } }, 'SCOPE_VIOLATION', /project_id is not the project/],
    [{ qurey: 1 }, 'INVALID_ARGUMENT', /query/],
    [{ query: 'x', scope: 5 }, 'INVALID_ARGUMENT', /scope/],
  ])('says that the server refuses %j before the policy', async (args, code, message) => {
    const given = { agent: 'default', args: JSON.stringify(args) };
    const about = 'refused before the policy: kb.search for agent default, principal local';
    expect(await explain(given)).toContain(`${about}\n${code}: `);
    out.clear();
    expect(JSON.parse(await explain({ ...given, json: true }))).toMatchObject({
      effect: null,
      refused: { code, message: expect.stringMatching(message) },
    });
  });
});

it('a server that starts without a governance file warns about tools that write', async () => {
  const folder = testFolder();
  await buildIndex(FIXTURE_CORPUS, folder.file('index.sqlite'));
  const { stderr } = await runPith(['http', '--port', '0', '--index', folder.file('index.sqlite')], {
    env: { MCP_DOMAINS: 'run' },
    onStart: (child) =>
      child.stderr?.on('data', (data: Buffer) => {
        if (data.includes('pith: warning')) child.kill();
      }),
  });
  folder.remove();
  expect(stderr).toContain(
    'pith: warning: MCP_DOMAINS names tools that write, but no rule allows them: ' +
      'run.create, run.start, run.log_step, run.checkpoint and 3 more. No agent is offered them. ' +
      'Add a rule to a governance file (PITH_GOVERNANCE_FILE); docs/domains.md has examples.',
  );
});
