import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { refusalOf } from '../support/failures.js';
import type { TestClient } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { ONE_OF_EACH, openSite, type Site, TRANSPORTS } from '../support/sites.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const URI = 'skill://pith/SKILL.md';

interface Skill {
  readonly uri: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly resources: readonly { readonly uri: string; readonly digest: string; readonly size: number }[];
}

const folder = testFolder();
const index = folder.file('index.sqlite');

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
});

afterAll(() => folder.remove());

async function skillsOf(client: TestClient): Promise<readonly Skill[]> {
  const { skills } = await client.request('skills/list', {});
  return skills as readonly Skill[];
}

describe('the Skills extension', () => {
  let site: Site;

  beforeAll(async () => {
    site = await openSite(index);
  });

  afterAll(() => site.stop());

  it.each(TRANSPORTS)('serves one skill to a %s client over %s, whose bytes are verified', async (...of) => {
    const client = site.client(...of);
    expect(client.capabilities()).toMatchObject({ extensions: { 'io.modelcontextprotocol/skills': {} } });
    const [skill, ...more] = await skillsOf(client);
    const text = (await client.readResource(URI)).contents[0]?.text ?? '';
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    expect(more).toEqual([]);
    expect(skill).toEqual({
      uri: URI,
      frontmatter: parse(text.split('---\n')[1] ?? ''),
      resources: [{ uri: URI, digest, size: Buffer.byteLength(text) }],
    });
    expect(await client.request('skills/get', { uri: URI })).toMatchObject({ skill, cacheScope: 'private' });
    expect(await refusalOf(client.request('skills/get', { uri: 'skill://none/SKILL.md' }))).toMatchObject({
      code: -32_602,
    });
  });
});

describe('a client without the tools of the skill', () => {
  let site: Site;

  beforeAll(async () => {
    site = await openSite(index, { env: { MCP_KB_V2_ENABLED: 'false' }, transports: ONE_OF_EACH });
  });

  afterAll(() => site.stop());

  it.each(ONE_OF_EACH)('(%s over %s) is served none', async (...of) => {
    const client = site.client(...of);
    expect(await skillsOf(client)).toEqual([]);
    expect((await refusalOf(client.readResource(URI))).message).toContain('Resource not found');
  });
});
