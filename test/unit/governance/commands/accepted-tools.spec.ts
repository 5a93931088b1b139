import { statSync } from 'node:fs';
import { checkAccess } from '../../../../src/governance/commands/access.command.js';
import { checkGovernance } from '../../../../src/governance/commands/governance.command.js';
import { explainPolicy } from '../../../../src/governance/commands/policy.command.js';
import { describeOneTool, listTools } from '../../../../src/governance/commands/tools.command.js';
import { accessText, keyOf } from '../../../support/access.js';
import { toolDefinitions } from '../../../support/all-tools.js';
import { commandOutput } from '../../../support/command-output.js';
import { approvalsIn, pinsIn } from '../../../support/governance-stores.js';
import { aListedTool, reviewed } from '../../../support/provider-tools.js';
import { testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

const folder = testFolder();
const STORE = folder.file('index.governance.sqlite');
const tools = toolDefinitions();
const out = commandOutput({
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_ACCESS_FILE: folder.file('access.yaml'),
  PITH_INDEX: folder.file('index.sqlite'),
});

beforeAll(() =>
  writeFiles(folder.path, {
    'governance.yaml': `
version: 1
agents: { support: { capabilities: ['*'] } }
policy:
  rules:
    - { name: no-writes, tools: [files.write_*], effect: deny }
    - { name: files, tools: [files.*], effect: allow }
providers:
  files: { command: node, reads: [list_*] }
`,
    'access.yaml': accessText({ ann: { keys: [keyOf('ann')], tools: ['files.*'] } }),
  }),
);

afterAll(() => folder.remove());

const warnings = (): string[] => out.text.split('\n').filter((line) => line.startsWith('warning'));

describe('before a server has stored tools of providers', () => {
  it('rules about them are not warned about', async () => {
    await checkGovernance(undefined, {}, tools);
    expect(warnings()).toEqual([]);
    expect(statSync(STORE, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('an explanation says that no server has connected', async () => {
    const call = { tool: 'files_read_file', principal: 'local' };
    await expect(explainPolicy(call, tools)).rejects.toMatchObject({
      message: 'No server has connected to the provider files yet.',
      hint: expect.stringContaining('pith http'),
    });
  });

  it('a store that has only approvals is read, too', async () => {
    const file = folder.file('approvals.sqlite');
    const approvals = approvalsIn({ file, creates: true, now: Date.now });
    await approvals.list({ limit: 1 });
    await approvals.close();
    process.env['PITH_GOVERNANCE_STORE_FILE'] = file;
    await checkGovernance(undefined, {}, tools);
    expect(warnings()).toEqual([]);
  });
});

it('notes that the principal acts as another agent', async () => {
  await explainPolicy({ tool: 'kb.search', principal: 'ann', agent: 'support' }, tools);
  expect(out.text).toContain(
    'note: ann acts as agent default (PITH_AGENT), so servers decide its calls for that agent, not for support\n',
  );
});

it('says that a tool waits for acceptance', async () => {
  const pins = pinsIn({ file: STORE, creates: true });
  await pins.note('files', await reviewed([aListedTool()]));
  await pins.close();
  await expect(explainPolicy({ tool: 'files.read_file', principal: 'local' }, tools)).rejects.toMatchObject({
    message: "files.read_file waits for acceptance (new), so it can't be called.",
    hint: expect.stringContaining('pith providers diff files'),
  });
});

describe('accepted tools of providers', () => {
  beforeAll(async () => {
    const pins = pinsIn({ file: STORE, creates: true });
    const [shown] = await reviewed([aListedTool()]);
    if (!shown) throw new Error('no tool');
    await pins.note('files', [shown]);
    await pins.accept({ provider: 'files', tools: [shown], by: 'ann', at: 1 });
    await pins.close();
  });

  it('are those that rules are checked against', async () => {
    await checkGovernance(undefined, {}, tools);
    expect(warnings()).toEqual([
      'warning: rule no-writes: no tool matches files.write_* yet; it applies to later tools of files. Known tools: files.read_file',
      'warning: providers.files.reads: no tool of it matches list_*. Its tools: read_file',
    ]);
  });

  it('are listed and described', async () => {
    await listTools({}, tools);
    expect(out.text).toMatch(/^files\.read_file .*external/m);
    out.clear();
    await describeOneTool('files_read_file', { json: true }, tools);
    expect(JSON.parse(out.text)).toMatchObject({
      provider: 'files',
      input_schema: { properties: { path: { type: 'string' } } },
    });
  });

  it('are decided about, after their arguments are checked', async () => {
    const call = { tool: 'files.read_file', principal: 'local' };
    await explainPolicy({ ...call, args: '{"path":"a"}' }, tools);
    expect(out.text).toBe('allow: files.read_file for agent default, principal local\nrule: files\n');
    out.clear();
    await explainPolicy({ ...call, args: '{"pth":"a"}' }, tools);
    expect(out.text).toContain('refused before the policy: files.read_file');
  });

  it('are not decided about for an agent that is not defined', async () => {
    const call = { tool: 'files.read_file', principal: 'local', agent: 'defalt' };
    await expect(explainPolicy(call, tools)).rejects.toThrow(
      /--agent: no agent is named defalt\. Did you mean default\?/,
    );
  });

  it('count for principals', async () => {
    await checkAccess(undefined, {}, tools);
    expect(out.text).toContain('principal ann: agent default, read, 1 tool, scope');
    expect(warnings()).toEqual([]);
  });
});
