import { SECRET } from '../support/builders.js';
import { ADMIN_TOKEN, type OperatorsServer, startOperatorsServer } from '../support/operators-server.js';
import { describeLooks } from '../support/page-looks.js';
import { poll } from '../support/processes.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
let admin: OperatorsServer;
/** The address of the run of the calls below. */
let run: string;

beforeAll(async () => {
  writeFiles(folder.path, { 'g.yaml': 'version: 1\n' });
  admin = await startOperatorsServer({
    PITH_SECRET: SECRET,
    PITH_GOVERNANCE_FILE: folder.file('g.yaml'),
    PITH_LEDGER_ARGUMENTS: 'on',
  });
  await admin.call(
    ['kb.search', { query: 'leave the waiting list' }],
    ['kb.search', { query: '' }],
    ['graph.expand', { node_ids: ['guides/waiting-list.mdx#order'] }],
  );
  run = await poll('the run', async () => {
    const { body } = await admin.get('/admin/runs');
    return /href="(\/admin\/runs\/run\?[^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
  });
  await poll('stored definitions', async () => (await admin.get(HISTORY)).status === 200 || undefined);
});

afterAll(async () => {
  await admin?.stop();
  folder.remove();
});

const HISTORY = '/admin/tools/history?name=kb.search';
const POLICY = `/admin/policy?${new URLSearchParams({ tool: 'kb.search', args: '{"query":"ship"}' }).toString()}`;
const addressOf = (name: string): string =>
  ({ runs: '/admin/runs', run, policy: '/admin/policy', decision: POLICY, history: HISTORY })[name] ?? name;

describeLooks(['runs', 'run', 'policy', 'decision', 'history'], (name) => ({
  url: admin.at(addressOf(name)),
  password: ADMIN_TOKEN,
}));

describe('the pages of runs', () => {
  it('show the calls with tool, rule, outcome and refs, and link diagnostics', async () => {
    const { body } = await admin.get(run);
    expect(body).toContain('<bdi>kb.search</bdi>');
    expect(body).toContain('default-reads');
    expect(body).toContain('guides/waiting-list.mdx#leaving-the-list');
    expect(body).toMatch(/\/admin\/retrievals\/[0-9a-f-]{36}/);
  });

  it('show the arguments of calls, if they are recorded', async () => {
    const { body } = await admin.get(run);
    expect(body).toContain('&quot;query&quot;:&quot;leave the waiting list&quot;');
  });

  it.each([
    ['/admin/runs?principal=nobody', 'No recorded run matches.'],
    ['/admin/runs?outcome=timed_out', 'No recorded run matches.'],
    ['/admin/runs?outcome=invalid', '/admin/runs/run?id='],
    ['/admin/runs?principal=local&since=2026-01-01T00:00&outcome=success', '/admin/runs/run?id='],
  ])('filter runs: %s', async (path, text) => {
    const { status, body } = await admin.get(path);
    expect(status).toBe(200);
    expect(body).toContain(text);
  });

  it.each([
    ['/admin/runs/run?id=no-such-run', 404],
    ['/admin/runs/run', 400],
    ['/admin/runs?outcome=never', 400],
    ['/admin/runs?before=-1', 400],
    [`/admin/runs?agent=${'x'.repeat(257)}`, 400],
  ])('refuse %s', async (path, status) => {
    expect((await admin.get(path)).status).toBe(status);
  });

  it('need the token', async () => {
    expect((await admin.get('/admin/runs', {})).status).toBe(401);
  });
});

describe('the page of the definitions of a tool', () => {
  it('shows each version with its schemas, and is linked from the list of tools', async () => {
    const { body } = await admin.get(HISTORY);
    expect(body).toContain('<bdi class="id">1</bdi>');
    expect(body).toContain('&quot;input_schema&quot;');
    expect((await admin.get('/admin/tools')).body).toContain(`href="${HISTORY}"`);
  });

  it.each([
    ['/admin/tools/history?name=no.such', 404],
    ['/admin/tools/history', 400],
    [`/admin/tools/history?name=${'x'.repeat(257)}`, 400],
  ])('refuses %s', async (path, status) => {
    expect((await admin.get(path)).status).toBe(status);
  });

  it('needs the token', async () => {
    expect((await admin.get(HISTORY, {})).status).toBe(401);
  });
});

describe('the page of the policy', () => {
  it('shows the decision and its rule, and calls nothing', async () => {
    const { body } = await admin.get(POLICY);
    expect(body).toContain('Decision: allow');
    expect(body).toContain('default-reads');
  });

  it('shows arguments as text', async () => {
    const { body } = await admin.get(
      `/admin/policy?tool=kb.search&args=${encodeURIComponent('</textarea><b>')}`,
    );
    expect(body).toContain('Refused before the policy: INVALID_ARGUMENT');
    expect(body).not.toContain('<b>');
  });

  it.each([
    ['a long name', `tool=${'x'.repeat(257)}`],
    ['long arguments', `args=${'x'.repeat(4_001)}`],
    ['an unknown field', 'other=1'],
  ])('refuses %s', async (_, query) => {
    expect((await admin.get(`/admin/policy?${query}`)).status).toBe(400);
  });
});
