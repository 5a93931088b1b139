import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { ApprovalRequest } from '../../src/governance/approvals/approval.js';
import { aRequest } from '../support/an-approval.js';
import { SECRET } from '../support/builders.js';
import { approvalsIn } from '../support/governance-stores.js';
import { runAll, runPith } from '../support/processes.js';
import { testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index of docs.sqlite');
const file = folder.file('index of docs.governance.sqlite');
const store = approvalsIn({ file, creates: true, now: Date.now });
const user = userInfo().username;
let asked = 0;

async function ask(request: Partial<ApprovalRequest> = {}): Promise<string> {
  const id = `approval-${++asked}`;
  await store.request(aRequest({ id, binding: id, ...request }));
  return id;
}

const approvals = (args: readonly string[], env: Record<string, string> = {}) =>
  runPith(['approvals', ...args, '--index', index], { env });
const stateOf = async (id: string): Promise<string | undefined> => (await store.get(id))?.state;

afterAll(async () => {
  await store.close();
  folder.remove();
});

describe('pith approvals --help', () => {
  it('explains the commands, their options and exit codes', async () => {
    const help = await runAll({
      all: [['approvals', '--help']],
      list: [['approvals', 'list', '--help']],
      show: [['approvals', 'show', '--help']],
      approve: [['approvals', 'approve', '--help']],
      reject: [['approvals', 'reject', '--help']],
      revoke: [['approvals', 'revoke', '--help']],
    });
    const text = Object.entries(help).map(([name, { stdout }]) => `${name}\n${stdout}`);
    expect(text.join('\n')).toMatchSnapshot();
  });
});

describe('pith approvals list', () => {
  it('lists what waits, newest first; with --state others', async () => {
    const [first, second, third] = [await ask(), await ask({ tool: 'kb.\u001b[31mx' }), await ask()];
    await store.decide(third, { by: 'ann', verdict: 'rejected', via: 'admin', reason: null });
    const { pending, rejected, none, all } = await runAll({
      pending: [['approvals', 'list', '--index', index]],
      rejected: [['approvals', 'list', '--index', index, '--state', 'rejected']],
      none: [['approvals', 'list', '--index', index, '--state', 'used']],
      all: [['approvals', 'list', '--index', index, '--state', 'all', '--json']],
    });
    expect(pending?.stdout.split('\n').map((line) => line.split(' · ').slice(0, 5))).toEqual([
      [second, 'pending', 'kb.\\u001b[31mx (read)', 'support of agent-key', 'rule search-needs-approval'],
      [first, 'pending', 'kb.search (read)', 'support of agent-key', 'rule search-needs-approval'],
      [''],
    ]);
    expect(rejected?.stdout).toContain(`${third} · rejected`);
    expect(none?.stdout).toBe('There are no such requests.\n');
    expect(
      JSON.parse(all?.stdout ?? '').map(({ id, state }: { id: string; state: string }) => [id, state]),
    ).toEqual([
      [third, 'rejected'],
      [second, 'pending'],
      [first, 'pending'],
    ]);
  });

  it('says how many it leaves out', async () => {
    for (let i = 0; i < 3; i++) await ask();
    const listed = await approvals(['list', '--limit', '1']);
    expect(listed.stdout.trim().split('\n')).toHaveLength(1);
    expect(listed.stderr).toMatch(/^\d+ more; --limit lists up to \d+\.\n$/);
    const whole = await approvals(['list', '--limit', '100', '--json']);
    expect(JSON.parse(whole.stdout)).toHaveLength(1 + Number.parseInt(listed.stderr, 10));
    expect(whole.stderr).toBe('');
  });
});

describe('pith approvals show', () => {
  it('prints the call in words and its arguments, without characters that control the terminal', async () => {
    const id = await ask({
      safety: 'external',
      argumentsText: JSON.stringify({ text: 'a\u202eb\u009b31m' }),
    });
    const { code, stdout } = await approvals(['show', id]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'Agent support of principal agent-key wants to call kb.search, which acts outside this server.',
    );
    expect(stdout).toContain('"text": "a\\u202eb\\u009b31m"');
    expect(stdout).toMatch(/^State: {6}pending$/m);
  });

  it('says how much of long arguments is missing', async () => {
    const id = await ask({ argumentsText: '{"text":"begin', argumentsOmitted: 12 });
    const { stdout } = await approvals(['show', id]);
    expect(stdout).toContain('{"text":"begin\n… 12 more characters of the arguments are not stored.');
  });
});

describe('pith approvals revoke', () => {
  it('takes back an approval that was granted, and nothing else', async () => {
    const [granted, pending] = [await ask(), await ask()];
    await store.decide(granted, { by: 'ann', verdict: 'approved', via: 'admin', reason: null });
    expect(await approvals(['revoke', granted, '--note', 'Too early.'])).toMatchObject({
      code: 0,
      stdout: 'Revoked: kb.search for agent-key.\n',
    });
    expect(await store.get(granted)).toMatchObject({
      state: 'rejected',
      decisions: [{ by: 'ann' }, { by: user, via: 'command', verdict: 'revoked', reason: 'Too early.' }],
    });
    expect(await approvals(['revoke', granted])).toMatchObject({ code: 1 });
    expect(await approvals(['revoke', pending])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Reject it instead.'),
    });
    expect(await stateOf(pending)).toBe('pending');
  });
});

describe('pith approvals approve and reject', () => {
  it('record a decision under the name of the user', async () => {
    const [first, second] = [await ask(), await ask()];
    const approved = await approvals(['approve', first, '--note', 'Fine.']);
    const rejected = await approvals(['reject', second, '--json']);
    expect(approved).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Approved: kb\.search for agent-key\./),
    });
    expect(JSON.parse(rejected.stdout)).toMatchObject({ id: second, state: 'rejected' });
    expect(await store.get(first)).toMatchObject({
      state: 'approved',
      decisions: [{ by: user, via: 'command', verdict: 'approved', reason: 'Fine.' }],
    });
  });

  it('record it under the name of --as, if the access file permits it', async () => {
    const [access, governance] = [folder.file('access.yaml'), folder.file('governance.yaml')];
    writeFileSync(governance, 'version: 1\naliases: { find_docs: kb.search }\n');
    const hash = `sha256:${'0'.repeat(64)}`;
    writeFileSync(
      access,
      `version: 1\nprincipals:\n  ann: { keys: ['${hash}'], permissions: [approve] }\n  ben: { keys: ['${hash.replace(/0$/, '1')}'] }\n` +
        `  team: { keys: ['${hash.replace(/0$/, '2')}'], permissions: [approve], scope: { doc_tags: [guide] } }\n`,
    );
    const id = await ask();
    const env = { PITH_ACCESS_FILE: access, PITH_GOVERNANCE_FILE: governance };
    expect(await approvals(['approve', id, '--as', 'ben'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'ben does not have the permission approve.\n      Principals of PITH_ACCESS_FILE with this permission: ann, team.',
      ),
    });
    expect(await approvals(['approve', id, '--as', 'Nobody'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no principal Nobody.'),
    });
    expect(await approvals(['approve', id, '--as', 'team'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not within the scope of team'),
    });
    expect(await stateOf(id)).toBe('pending');
    const scope = { projectId: 'docs', environment: 'prod', docTags: ['guide'], repositories: null };
    const own = await ask({ scope });
    expect(await approvals(['approve', own, '--as', 'team'], env)).toMatchObject({ code: 0 });
    expect(await approvals(['approve', id, '--as', 'ann'], env)).toMatchObject({ code: 0 });
    expect((await store.get(id))?.decisions).toMatchObject([{ by: 'ann', via: 'command', osUser: user }]);
  });

  it('need another operator for a review', async () => {
    const id = await ask({ effect: 'review' });
    expect((await approvals(['approve', id])).stdout).toContain('A second operator has to approve it');
    expect(await approvals(['approve', id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has already decided'),
    });
    expect(await stateOf(id)).toBe('pending');
    expect((await approvals(['list'])).stdout).toMatch(
      new RegExp(`^${id} · pending, 1 of 2 approved · `, 'm'),
    );
  });

  it('warn if one user of the system gives both approvals of a review', async () => {
    const access = folder.file('two.yaml');
    const hashOf = (digit: string): string => `sha256:${digit.repeat(64)}`;
    writeFileSync(
      access,
      `version: 1\nprincipals:\n  ann: { keys: ['${hashOf('1')}'], permissions: [approve] }\n  ben: { keys: ['${hashOf('2')}'], permissions: [approve] }\n`,
    );
    const id = await ask({ effect: 'review' });
    const approve = (name: string) =>
      approvals(['approve', id, '--as', name], {
        ...{ PITH_ACCESS_FILE: access, PITH_GOVERNANCE_FILE: folder.file('governance.yaml') },
      });
    expect((await approve('ann')).stdout).not.toContain('Warning');
    expect((await approve('ben')).stdout).toContain(
      `Warning: the user ${user} of this system ran both approvals.`,
    );
  });

  it.each<[string, Partial<ApprovalRequest>, string]>([
    ['an own call', { principal: user }, 'Nobody can decide about their own call.'],
    ['arguments that are not shown in full', { argumentsOmitted: 9 }, 'too long to be shown in full'],
    ['an expired request', { lifetimeMs: 1 }, 'has expired'],
  ])('refuse %s', async (_, request, message) => {
    const id = await ask(request);
    const before = await stateOf(id);
    expect(await approvals(['approve', id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    });
    expect([before, 'expired']).toContain(await stateOf(id));
  });

  it.each([
    [['approve', 'unknown'], 1, 'There is no approval with this id.'],
    [['approve', 'unknown', '--as', 'nobody'], 1, 'There is no principal nobody.'],
    [['approve'], 2, 'missing required argument'],
    [['list', '--limit', '0'], 2, 'from 1 to 200'],
  ])('fail with a plain message: %j', async (args, code, message) => {
    expect(await approvals(args)).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });

  it('print failures as JSON', async () => {
    const { code, stdout } = await approvals(['approve', 'unknown', '--json']);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 1,
      error: { code: 'INVALID_ARGUMENT', reason: 'approval_not_found' },
    });
  });

  it('report a missing store', async () => {
    const { code, stderr } = await runPith(['approvals', 'list', '--file', folder.file('other.sqlite')]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no governance store'),
    });
  });
});

describe('the run ledger', () => {
  const env = { PITH_SECRET: SECRET, PITH_LEDGER: 'on', PITH_LEDGER_FILE: folder.file('calls.sqlite') };

  it('has a line for each decision', async () => {
    const id = await ask();
    await approvals(['approve', id], env);
    const { stdout } = await runPith(['ledger', 'export', '--index', index], { env });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).event),
    ).toMatchObject([
      { type: 'approval.decided', approval_id: id, decided_by: user, via: 'command', os_user: user },
    ]);
  });

  it('has to be writable', async () => {
    const id = await ask();
    const { code } = await approvals(['approve', id], { ...env, PITH_LEDGER_FILE: '/proc/calls.sqlite' });
    expect({ code, state: await stateOf(id) }).toEqual({ code: 1, state: 'pending' });
  });
});
