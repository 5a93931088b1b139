import { readFileSync, writeFileSync } from 'node:fs';
import { doctor } from '../../../../src/cli/commands/doctor.command.js';
import { FEATURE_COMMANDS } from '../../../../src/feature-commands.js';
import { openInProcess } from '../../../../src/main.in-process.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

const PARTS = { inProcess: openInProcess, features: FEATURE_COMMANDS };
const { CODEX_HOME } = process.env;
let home: TestFolder;

beforeEach(() => {
  home = testFolder();
  process.env['CODEX_HOME'] = home.path;
});
afterEach(() => {
  jest.restoreAllMocks();
  if (CODEX_HOME === undefined) delete process.env['CODEX_HOME'];
  else process.env['CODEX_HOME'] = CODEX_HOME;
  home.remove();
});

/** The output of `pith doctor --write codex`. */
async function printed(flags: { readonly docs?: string }): Promise<string> {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  await doctor({ ...flags, write: 'codex', index: home.file('index.sqlite') }, PARTS);
  return write.mock.calls.map(([text]) => String(text)).join('');
}

describe('pith doctor --write', () => {
  it('reports that it added an entry', async () => {
    const text = await printed({ docs: home.path });
    expect(text).toContain(`\nAdded to ${home.file('config.toml')}. Restart the host.\n`);
    expect(text).not.toContain('a check above failed');
  });

  it('reports that it updated an existing entry, and keeps its environment', async () => {
    const before = '[mcp_servers.pith]\ncommand = "old"\n\n[mcp_servers.pith.env]\nA = "1"\n';
    writeFileSync(home.file('config.toml'), before);
    const text = await printed({ docs: home.path });
    expect(text).toContain(`\nUpdated the entry in ${home.file('config.toml')}; the previous file is `);
    expect(text).not.toContain('Added');
    expect(readFileSync(home.file('config.toml'), 'utf8')).toContain('[mcp_servers.pith.env]\nA = "1"\n');
  });

  it('warns if it wrote the entry although a check failed', async () => {
    const text = await printed({});
    expect(text).toContain('WRONG');
    expect(text).toContain(`\nAdded to ${home.file('config.toml')}. Restart the host.\n`);
    expect(text).toMatch(/\nIt was written, but a check above failed: correct it first\.\n$/u);
  });
});
