import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { dataOf, reasonOf } from '../support/call-results.js';
import { type HttpProcess, startHttpProcess, type TestClient } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { ONE_OF_EACH } from '../support/sites.js';
import { suiteClients } from '../support/suite-clients.js';
import { writeFiles } from '../support/write-files.js';

const LIMITS = '# Limits\n\nCalls per minute:\n\n| Plan | Calls |\n|---|--:|\n| Free | 60 |\n';

const folder = testFolder();
const index = folder.file('index.sqlite');
const ENV = {
  MCP_DOMAINS: 'document,substrate',
  MCP_TOOL_NAMES: 'dotted',
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_SECRET: SECRET,
};

let http: HttpProcess;
const connect = suiteClients(() => ({ index, url: http.url, env: ENV }));

beforeAll(async () => {
  writeFiles(folder.path, {
    'governance.yaml':
      'version: 1\npolicy: { rules: [{ name: publish, tools: [substrate.*], effect: allow }] }\n',
    'unread.yaml':
      'version: 1\npolicy: { rules: [{ name: unread, tools: [substrate.artifact.get], effect: deny }] }\n',
  });
  await buildIndex(FIXTURE_CORPUS, index);
  http = await startHttpProcess(index, ENV);
});

afterAll(async () => {
  await http.stop();
  folder.remove();
});

describe.each(ONE_OF_EACH)('document.* of an artifact, for a %s client over %s', (era, transport) => {
  let client: TestClient;
  const upload = async (content: object): Promise<string> =>
    String(dataOf(await client.call('substrate.artifact.upload', { ...content })).sha256);

  beforeAll(async () => {
    client = await connect(era, transport);
  });

  it('is read without being indexed, and marked as untrusted', async () => {
    const artifact = await upload({ text: LIMITS });
    const parsed = await client.call('document.parse', { artifact, path: 'limits.md' });
    expect(dataOf(parsed)).toMatchObject({
      document: { path: 'limits.md', title: 'Limits' },
      counts: { outline: 1, sections: 1 },
    });
    expect(parsed._meta?.['pith/untrusted']).toEqual({ repositories: ['artifacts'] });
    const { tables } = dataOf(await client.call('document.extract_tables', { artifact, path: 'limits.md' }));
    expect(tables).toMatchObject([{ header: [['Plan', 'Calls']], rows: [['Free', '60']], complete: true }]);
    const labels = [{ label: 'limits' }, { label: 'prices' }];
    expect(dataOf(await client.call('document.classify', { artifact, labels })).labels[0].label).toBe(
      'limits',
    );
  });

  it('is decoded as `pith index` decodes a file', async () => {
    const utf16 = Buffer.from(`\uFEFF${LIMITS}`, 'utf16le').toString('base64');
    const parsed = await client.call('document.parse', { artifact: await upload({ base64: utf16 }) });
    expect(dataOf(parsed)).toMatchObject({ document: { title: 'Limits' }, counts: { sections: 1 } });
  });

  it('is refused if it is unknown, too long or no text, or beside another source', async () => {
    const parse = async (args: object) => reasonOf(await client.call('document.parse', { ...args }));
    expect(await parse({ artifact: 'a'.repeat(64) })).toBe('artifact_not_found');
    expect(await parse({ artifact: await upload({ text: 'a'.repeat(65_537) }) })).toBe('artifact_too_long');
    expect(await parse({ artifact: await upload({ base64: '/w==' }) })).toBe('document_malformed');
    expect(await parse({ artifact: 'a'.repeat(64), text: 'b' })).toBe('source_missing');
  });
});

it('an artifact of another project does not exist', async () => {
  await pithIndex(FIXTURE_CORPUS, folder.file('other.sqlite'), '--project', 'other');
  const own = await connect('v1', 'stdio');
  const env = { PITH_WORK_FILE: folder.file('index.work.sqlite') };
  const other = await connect('v1', 'stdio', { index: folder.file('other.sqlite'), env });
  const { sha256 } = dataOf(await own.call('substrate.artifact.upload', { text: 'Only here.' }));
  expect(reasonOf(await other.call('document.parse', { artifact: sha256 }))).toBe('artifact_not_found');
});

it('callers who may not read artifacts may not parse them, but may send texts', async () => {
  const env = { PITH_GOVERNANCE_FILE: folder.file('unread.yaml') };
  const client = await connect('v1', 'stdio', { env });
  const refused = await client.call('document.parse', { artifact: 'a'.repeat(64) });
  expect(reasonOf(refused)).toBe('permission_denied');
  expect(dataOf(await client.call('document.parse', { text: LIMITS })).counts.sections).toBe(1);
});
