import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';
import { hashOfKey } from '../../src/governance/access/access-key.js';
import { keysOf } from '../support/access.js';
import { buildIndex, testFolder } from '../support/build-index.js';
import { errorOf } from '../support/call-results.js';
import { httpRequest } from '../support/http-request.js';
import { type HttpProcess, startHttpProcess, type TestClient } from '../support/mcp-clients.js';
import { poll, runPith } from '../support/processes.js';
import { suiteClients } from '../support/suite-clients.js';
import { writeFiles } from '../support/write-files.js';

const FILESYSTEM = createRequire(__filename).resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
const PAGE = readFileSync(join(PACKAGE_ROOT, 'docs', 'two-teams.md'), 'utf8');
const [GOVERNANCE = '', ACCESS = ''] = [...PAGE.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text);
const KEYS = keysOf('support', 'finance', 'sam', 'fay');
const folder = testFolder();
const index = folder.file('index.sqlite');
const env = {
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_ACCESS_FILE: folder.file('access.yaml'),
  PITH_SECRET: 'x'.repeat(32),
  MCP_TOOL_NAMES: 'dotted',
};
const TOOL = 'files.read_text_file';

let server: HttpProcess;
const openClient = suiteClients(() => ({ index: '', url: server.url }));
const connect = (who: 'support' | 'finance'): Promise<TestClient> =>
  openClient('v2', 'http', { headers: { authorization: `Bearer ${KEYS[who]}` } });

/** The page as an operator sees it; with a form, what it answers. */
const open = (who: 'sam' | 'fay', path: string, form?: URLSearchParams) => {
  const { href, origin } = new URL(path, server.url);
  const headers = { authorization: `Bearer ${KEYS[who]}`, accept: 'text/html' };
  const posted = { ...headers, origin, 'content-type': 'application/x-www-form-urlencoded' };
  return form
    ? httpRequest(href, { headers: posted, body: String(form) })
    : httpRequest(href, { method: 'GET', headers });
};

const toolsOf = async (client: TestClient): Promise<string[]> =>
  (await client.listTools()).map(({ name }) => name);
const pith = (...args: string[]) => runPith([...args, '--index', index], { env });

beforeAll(async () => {
  writeFiles(folder.path, {
    'docs/finance/pay.md': '# Pay\n\nSalaries are paid on the last working day.\n',
    'docs/support/desk.md': '# Desk\n\nThe desk opens at nine.\n',
    'shared/report.txt': 'All accounts are balanced.',
    'governance.yaml': GOVERNANCE.replace('npx', JSON.stringify(process.execPath))
      .replace(`'-y', '@modelcontextprotocol/server-filesystem'`, JSON.stringify(FILESYSTEM))
      .replace('/srv/shared', JSON.stringify(folder.file('shared'))),
    'access.yaml': Object.values(KEYS).reduce(
      (text, key, i) => text.replace(`sha256:${String(i + 1).padStart(64, '0')}`, hashOfKey(key)),
      ACCESS,
    ),
  });
  await buildIndex(folder.file('docs'), index);
  server = await startHttpProcess(index, env);
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

describe('docs/two-teams.md', () => {
  it('has valid files', async () => {
    const { stdout } = await pith('governance', 'check');
    expect(stdout).toContain('access.yaml is valid: 4 principals.');
    expect(stdout).not.toContain('warning');
  });

  it('leads to the first approved call, which only the operator of the team approves', async () => {
    const diff = await poll(
      'the definition',
      async () => {
        const { stdout } = await pith('providers', 'diff', 'files');
        return stdout.includes(`${TOOL}: new`) ? stdout : undefined;
      },
      20_000,
    );
    const hash = /files\.read_text_file: new, hash (\w+)/.exec(diff)?.[1] ?? '';
    await pith('providers', 'accept', 'files', '--tool', 'read_text_file', '--hash', hash);
    // Clients keep a list for a minute, so each look is a new client's.
    const finance = await poll(
      'the offer',
      async () => {
        const client = await connect('finance');
        return (await toolsOf(client)).includes(TOOL) ? client : undefined;
      },
      10_000,
    );
    expect(await toolsOf(await connect('support'))).not.toContain(TOOL);

    const call = () => finance.call(TOOL, { path: folder.file('shared/report.txt') });
    const { details } = errorOf(await call());
    expect(details).toMatchObject({ reason: 'approval_required', rule: 'ask-before-files' });
    const path = `/admin/approvals/${String(details.approval_id)}`;
    expect((await open('sam', path)).status).toBe(404);
    const { body } = await open('fay', path);
    const token = /name="token" value="([^"]+)"/.exec(body)?.[1] ?? '';
    const form = new URLSearchParams({ token, decision: 'approve', note: '' });
    expect((await open('fay', path, form)).status).toBe(303);
    expect(JSON.stringify((await call()).structuredContent)).toContain('All accounts are balanced.');
    expect(errorOf(await call()).details).toMatchObject({ reason: 'approval_required' });
  });

  it('shows each agent the documents of its team only', async () => {
    const support = await connect('support');
    const { structuredContent } = await support.call('kb.retrieve_evidence', {
      question: 'When are salaries paid?',
    });
    expect(JSON.stringify(structuredContent)).not.toContain('last working day');
  });
});
