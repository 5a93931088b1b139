import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { poll, runPith } from '../support/processes.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const packages = createRequire(__filename);
const ENV = {
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_AGENT: 'assistant',
  PITH_SECRET: SECRET,
  MCP_TOOL_NAMES: 'dotted',
};

/** The example of the documentation, with the installed packages and folders of the test. */
function example(): string {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'providers.md'), 'utf8');
  const [, yaml = ''] = /```yaml\n([^`]*connector\.notes[^`]*)```/.exec(page) ?? [];
  return yaml
    .replaceAll('command: npx', `command: ${JSON.stringify(process.execPath)}`)
    .replace(/'-y', '(@modelcontextprotocol\/server-\w+)'/g, (_, name: string) =>
      JSON.stringify(packages.resolve(`${name}/dist/index.js`)),
    )
    .replaceAll('/srv', folder.path);
}

let client: TestClient;
const connectors = async (): Promise<string[]> =>
  (await client.listTools()).map(({ name }) => name).filter((name) => name.startsWith('connector.'));

const pith = (...args: readonly string[]) => runPith([...args, '--index', index], { env: ENV });

async function accept(provider: string): Promise<void> {
  const shown = async (): Promise<string | undefined> =>
    / --hash ([0-9a-f]{64})/.exec((await pith('providers', 'diff', provider)).stdout)?.[1];
  const hash = await poll(`${provider} listed`, shown, 30_000);
  expect(await pith('providers', 'accept', provider, '--hash', hash)).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, { 'governance.yaml': example(), 'shared/a.txt': 'The quay is closed.' });
  client = await connectClient({ era: 'v1', transport: 'stdio', index, env: ENV });
  await accept('connector.files');
  await accept('connector.notes');
  const last = ['connector.files.read_text_file', 'connector.notes.read_graph'];
  const areListed = async (): Promise<boolean> => {
    const names = await connectors();
    return last.every((name) => names.includes(name));
  };
  await poll('tools', async () => ((await areListed()) ? true : undefined), 20_000);
}, 120_000);

afterAll(async () => {
  await client?.close();
  folder.remove();
});

describe('the connectors of the documentation', () => {
  it('are listed, without what a rule denies', async () => {
    const names = await connectors();
    expect(names).toEqual(
      expect.arrayContaining(['connector.files.read_text_file', 'connector.notes.read_graph']),
    );
    expect(names).not.toContain('connector.files.move_file');
  });

  it('are called by their full names, and their text is marked as theirs', async () => {
    const path = folder.file('shared/a.txt');
    const read = await client.call('connector.files.read_text_file', { path });
    expect(read.structuredContent).toMatchObject({
      provider: 'connector.files',
      data: { content: 'The quay is closed.' },
    });
    const entities = [{ name: 'Quay', entityType: 'place', observations: ['closed'] }];
    await client.call('connector.notes.create_entities', { entities });
    const graph = await client.call('connector.notes.read_graph', {});
    expect(graph.structuredContent).toMatchObject({ data: { entities } });
  });

  it('cause no warning', async () => {
    const { stderr, code } = await pith('governance', 'check');
    expect([code, stderr]).toEqual([0, '']);
  });
});
