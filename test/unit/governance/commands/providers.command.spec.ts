import {
  acceptProvider,
  diffProviders,
  listProviders,
} from '../../../../src/governance/commands/providers.command.js';
import { START_SERVER } from '../../../../src/governance/commands/tool-trouble.js';
import { commandOutput } from '../../../support/command-output.js';
import { pinsIn } from '../../../support/governance-stores.js';
import { aListedTool, reviewed } from '../../../support/provider-tools.js';
import { testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

const folder = testFolder();
const out = commandOutput({
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_INDEX: folder.file('index.sqlite'),
});

beforeAll(() =>
  writeFiles(folder.path, {
    'governance.yaml': 'version: 1\nproviders: { files: { command: node }, unseen: { command: node } }\n',
  }),
);

afterAll(() => folder.remove());

describe('listProviders', () => {
  it('lists providers of the file before a server has stored anything', async () => {
    await listProviders({}, []);
    expect(out.text).toBe(
      `files: no server has connected to it yet\nunseen: no server has connected to it yet\n${START_SERVER}\n`,
    );
  });

  it('is the same for diff, where nothing can wait yet', async () => {
    await diffProviders('unseen', {}, []);
    expect(out.text).toBe(`unseen: no server has connected to it yet\n${START_SERVER}\n`);
  });

  it('warns about a program that this machine does not have', async () => {
    writeFiles(folder.path, { 'typo.yaml': 'version: 1\nproviders: { files: { command: nodee } }\n' });
    process.env['PITH_GOVERNANCE_FILE'] = folder.file('typo.yaml');
    await listProviders({}, []);
    expect(out.text).toContain(
      'warning: providers.files.command: there is no program "nodee" on PATH. Install it, or correct its name or path\n',
    );
  });

  it('marks providers that are no longer in the file', async () => {
    const pins = pinsIn({ file: folder.file('index.governance.sqlite'), creates: true });
    await pins.note('files', await reviewed([aListedTool()]));
    await pins.note('gone', await reviewed([aListedTool()], { provider: 'gone' }));
    await pins.close();
    await listProviders({}, []);
    expect(out.text.split('\n')).toEqual([
      'files.read_file: new, not callable',
      'gone.read_file: new, not callable (its provider is no longer in the governance file)',
      'unseen: no server has connected to it yet',
      START_SERVER,
      '2 wait for acceptance: pith providers diff',
      '',
    ]);
    out.clear();
    await listProviders({ json: true }, []);
    const rows = out.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ provider, state, in_file }) => [provider, state, in_file])).toEqual([
      ['files', 'new', true],
      ['gone', 'new', false],
      ['unseen', 'never_connected', true],
    ]);
  });
});

describe.each([
  ['diffProviders', () => diffProviders('fils', {}, [])],
  ['acceptProvider', () => acceptProvider('fils', { hash: 'x' }, [])],
])('%s', (_, run) => {
  it('names the providers if one is unknown', async () => {
    await expect(run()).rejects.toMatchObject({
      message: 'There is no provider fils.',
      hint: 'Providers: files, gone, unseen.',
    });
  });
});
