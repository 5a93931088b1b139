import { InvalidConfigurationError } from '../../src/config/invalid-configuration.js';
import { hashOfKey } from '../../src/governance/access/access-key.js';
import { parseAccess } from '../../src/governance/access/read-access.js';
import { NO_GOVERNANCE } from '../../src/governance/agents/governance-file.js';
import { keysOf } from '../support/access.js';
import { testFolder } from '../support/build-index.js';
import { httpRequest, MCP_HEADERS } from '../support/http-request.js';
import { type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { runPith } from '../support/processes.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const KEYS = keysOf('harbour', 'pilots', 'lost', 'tides', 'chief');
const hashes = (key: string) => [hashOfKey(key)];
let server: HttpProcess;

const call = async (key: string, name: string, args: object) => {
  const headers = { ...MCP_HEADERS, authorization: `Bearer ${key}` };
  const params = { name, arguments: args };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return (await httpRequest(server.url, { headers, body })).body;
};
const search = (key: string, more: object = {}) =>
  call(key, 'kb.search', { query: 'the pilot boards', ...more });

async function index(project: string, text: string): Promise<void> {
  writeFiles(folder.path, { [`${project}/page.md`]: `# The pilot\n\n${text}\n` });
  const { code } = await runPith([
    'index',
    folder.file(project),
    '--index',
    folder.file(`${project}.sqlite`),
  ]);
  expect(code).toBe(0);
}

beforeAll(async () => {
  await index('harbour', 'The pilot boards at the outer buoy.');
  await index('pilots', 'The pilot boards from the fast launch.');
  await index('tides', 'The pilot boards two hours before high water.');
  const access = {
    version: 1,
    projects: {
      pilots: { index: folder.file('pilots.sqlite') },
      tides: { index: folder.file('tides.sqlite'), settings: { PITH_CALL_TIMEOUT_MS: '9000' } },
    },
    principals: {
      harbour: { keys: hashes(KEYS.harbour) },
      pilots: { keys: hashes(KEYS.pilots), scope: { project_id: 'pilots' } },
      tides: { keys: hashes(KEYS.tides), scope: { project_id: 'tides' } },
      chief: {
        keys: hashes(KEYS.chief),
        permissions: ['read', 'operator', 'approve'],
        scope: { project_id: 'pilots' },
      },
      lost: { keys: hashes(KEYS.lost), scope: { project_id: 'nowhere' } },
    },
  };
  writeFiles(folder.path, { 'access.yaml': JSON.stringify(access) });
  server = await startHttpProcess(folder.file('harbour.sqlite'), {
    PITH_ACCESS_FILE: folder.file('access.yaml'),
  });
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

describe('several projects in one server', () => {
  const TEXTS = { harbour: 'outer buoy', pilots: 'fast launch', tides: 'high water' };
  const names = Object.keys(TEXTS) as (keyof typeof TEXTS)[];

  it.each(names)('a principal of %s sees its documents only', async (name) => {
    const body = await search(KEYS[name]);
    expect(names.filter((each) => body.includes(TEXTS[each]))).toEqual([name]);
    expect(await call(KEYS[name], 'scope.describe', {})).toContain(`"project_id":"${name}"`);
  });

  it('a project that this server does not have is out of scope', async () => {
    expect(await search(KEYS.lost)).toContain('SCOPE_VIOLATION');
  });

  it.each(['/admin', '/admin/settings', '/admin/config', '/admin/providers', '/admin/approvals', '/metrics'])(
    'an operator of another project is refused by %s',
    async (path) => {
      const headers = { authorization: `Bearer ${KEYS.chief}` };
      const reply = await httpRequest(new URL(path, server.url).href, { method: 'GET', headers });
      expect(reply.status).toBe(403);
      expect(reply.body).toContain('another project');
    },
  );

  it('no request reaches another project', async () => {
    for (const project_id of ['harbour', 'tides'])
      expect(await search(KEYS.pilots, { scope: { project_id } })).toContain('SCOPE_VIOLATION');
  });

  it('passages of one are unknown in the others', async () => {
    const id = /"passage_id":"([\w-]+)"/.exec(await search(KEYS.pilots))?.[1] ?? '';
    expect(await call(KEYS.pilots, 'kb.read_excerpt', { passage_id: id })).toContain('fast launch');
    for (const other of [KEYS.harbour, KEYS.tides])
      expect(await call(other, 'kb.read_excerpt', { passage_id: id })).toContain('passage_not_found');
  });

  it('answers the same bytes whatever the callers of other projects do', async () => {
    const bytes = async () => (await search(KEYS.pilots)).replaceAll(/[0-9a-f-]{36}/g, '');
    const before = await bytes();
    for (let i = 0; i < 20; i++)
      await Promise.all([search(KEYS.harbour, { query: `boards ${i}` }), search(KEYS.tides)]);
    expect(await bytes()).toBe(before);
  });
});

describe('a project that can not be opened', () => {
  it('stops the start, and is named', async () => {
    const access = {
      version: 1,
      projects: { pilots: { index: folder.file('pilots.sqlite'), settings: { PITH_SECTION_ENGIN: 'x' } } },
      principals: { a: { keys: hashes(KEYS.harbour) } },
    };
    writeFiles(folder.path, { 'wrong.yaml': JSON.stringify(access) });
    const { code, stderr } = await runPith(['http', '--index', folder.file('harbour.sqlite')], {
      env: { PITH_ACCESS_FILE: folder.file('wrong.yaml'), PITH_HTTP_PORT: '0' },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('projects.pilots: ');
    expect(stderr).toContain('PITH_SECTION_ENGIN');
  });

  it.each([
    ['a setting of the whole server', { index: 'a', settings: { PITH_HTTP_PORT: '1' } }, /PITH_HTTP_PORT/],
    ['no index', {}, /index/],
  ])('is refused with %s', (_, project, problem) => {
    const text = JSON.stringify({ version: 1, projects: { a: project }, principals: {} });
    expect(() => parseAccess(text, 'a.yaml', { governance: NO_GOVERNANCE, tools: [] })).toThrow(
      InvalidConfigurationError,
    );
    expect(() => parseAccess(text, 'a.yaml', { governance: NO_GOVERNANCE, tools: [] })).toThrow(problem);
  });

  it('is refused with the index of another', () => {
    const text = JSON.stringify({
      version: 1,
      projects: { a: { index: 'x.sqlite' }, b: { index: './x.sqlite' } },
      principals: {},
    });
    expect(() => parseAccess(text, 'a.yaml', { governance: NO_GOVERNANCE, tools: [] })).toThrow(
      'this is also the index of a',
    );
  });
});
