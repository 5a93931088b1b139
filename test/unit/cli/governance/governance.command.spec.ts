import { join } from 'node:path';
import { toolDefinitions } from '../../../../src/app.module.js';
import { checkGovernance } from '../../../../src/cli/governance/governance.command.js';
import { explainPolicy } from '../../../../src/cli/governance/policy.command.js';
import { PACKAGE_ROOT } from '../../../../src/core/package-facts.js';
import { testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

const EXAMPLE = join(PACKAGE_ROOT, 'config', 'governance.yaml');

let printed = '';

beforeEach(() => {
  printed = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});

afterEach(() => jest.restoreAllMocks());

describe('checkGovernance', () => {
  it('says what each agent of the example is offered', () => {
    checkGovernance(EXAMPLE, {}, toolDefinitions());
    expect(
      printed
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

  it('keeps the list of each agent of the example within a third of all tools', () => {
    checkGovernance(EXAMPLE, {}, toolDefinitions());
    const [all = 0, ...agents] = [...printed.matchAll(/about (\d+)/g)].map(([, tokens]) => Number(tokens));
    expect(Math.max(...agents)).toBeLessThan(all / 3);
  });

  it('warns about patterns that match no tool', () => {
    const folder = testFolder();
    writeFiles(folder.path, {
      'g.yaml':
        'version: 1\ncapabilities: { a: [kb.serach] }\npolicy: { rules: [{ name: r, tools: [graf.*], effect: deny }] }\n',
    });
    checkGovernance(folder.file('g.yaml'), {}, toolDefinitions());
    folder.remove();
    expect(printed).toContain(
      'warning: capability a: no tool matches kb.serach\nwarning: rule r: no tool matches graf.*\n',
    );
  });

  it('refuses an agent of PITH_AGENT that the file does not define', () => {
    process.env['PITH_AGENT'] = 'nobody';
    try {
      expect(() => checkGovernance(EXAMPLE, {}, toolDefinitions())).toThrow(/no agent is named nobody/);
    } finally {
      delete process.env['PITH_AGENT'];
    }
  });

  it('asks for a file if none is given', () => {
    expect(() => checkGovernance(undefined, {}, toolDefinitions())).toThrow(/There is no governance file/);
  });
});

describe('explainPolicy', () => {
  const explain = (flags: object): string => {
    explainPolicy({ tool: 'kb.search', principal: 'local', file: EXAMPLE, ...flags }, toolDefinitions());
    return printed;
  };

  it('names the rule that decides', () => {
    expect(explain({ agent: 'default' })).toBe(
      'allow: kb.search for agent default, principal local\nrule: default-reads\n',
    );
  });

  it('says what the agent lacks', () => {
    expect(explain({ agent: 'support' })).toBe(
      'deny: kb.search for agent support, principal local\nnot offered: the agent lacks a capability that the tool requires\n',
    );
  });

  it.each([
    ['2026-11-25T12:00Z', 'notify', 'regulated-office-hours'],
    ['2026-11-25T22:00Z', 'deny', 'regulated-closed'],
    ['2026-11-28T12:00Z', 'deny', 'regulated-closed'],
  ])('decides for a time: %s', (at, effect, rule) => {
    expect(
      JSON.parse(explain({ tool: 'graph_expand', agent: 'cartographer', at, json: true })),
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
    [{ args: '{"scope":5}' }, /--args: /],
    [{ at: 'soon' }, /--at: "soon" is not a time/],
    [{ agent: 'nobody' }, /no agent is named nobody/],
    [{ args: '{"scope":{"project_id":"another"}}' }, /project_id is not the project/],
  ])('refuses %j', (flags, message) => {
    expect(() => explain(flags)).toThrow(message);
  });
});
