import { PassThrough } from 'node:stream';
import { hashOfKey, isWholeKey } from '../../src/governance/access/access-key.js';
import { checkAccess, printKey } from '../../src/governance/commands/access.command.js';
import { checkGovernance } from '../../src/governance/commands/governance.command.js';
import { explainPolicy } from '../../src/governance/commands/policy.command.js';
import { accessText, keyOf } from '../support/access.js';
import { toolDefinitions } from '../support/all-tools.js';
import { commandOutput } from '../support/command-output.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const FILE = folder.file('access.yaml');
const GOVERNANCE = folder.file('governance.yaml');

const out = commandOutput({ PITH_ACCESS_FILE: FILE, PITH_GOVERNANCE_FILE: GOVERNANCE });

beforeAll(() => {
  writeFiles(folder.path, {
    'access.yaml': accessText({
      reports: {
        keys: [keyOf('reports')],
        agent: 'support',
        scope: { doc_tags: ['guide', 'hr'] },
        limits: { concurrent_calls: 3, bytes_per_day: 5_000_000 },
      },
      reader: { keys: [keyOf('reader')], tools: ['kb.search', 'get_doc'] },
      ada: { keys: [keyOf('ada')], permissions: ['operator', 'approve'] },
    }),
    'governance.yaml': `
version: 1
capabilities: { answer: [kb.retrieve_evidence] }
agents: { support: { capabilities: [answer] } }
policy: { rules: [{ name: no-hr, tools: ['kb.*'], scope: { doc_tags: [hr] }, effect: deny }] }
`,
  });
});

afterAll(() => folder.remove());

/** Runs the command with text on stdin. */
async function checkKey(text: string): Promise<void> {
  const stdin = new PassThrough();
  stdin.end(text);
  jest.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as unknown as typeof process.stdin);
  await checkAccess(undefined, { keyStdin: true }, toolDefinitions());
}

describe('printKey', () => {
  it('prints a whole key with its hash', () => {
    printKey();
    const [, key = ''] = /^key: {2}(\S+)$/m.exec(out.text) ?? [];
    expect(isWholeKey(key)).toBe(true);
    expect(out.text).toContain(`\nhash: ${hashOfKey(key)}\n`);
  });

  it('prints them for programs', () => {
    printKey(true);
    const { key, hash } = JSON.parse(out.text);
    expect(hash).toBe(hashOfKey(key));
  });
});

describe('checkAccess', () => {
  it('says what each principal may do', async () => {
    process.env['PITH_DOC_TAGS'] = 'guide,reference';
    await checkAccess(undefined, {}, toolDefinitions());
    expect(out.text.replace(FILE, 'FILE').split('\n')).toEqual([
      'FILE is valid.',
      'principal reports: agent support, read, 1 tool, scope: doc_tags guide',
      'principal reader: agent default, read, 1 tool, scope: doc_tags guide, reference',
      'principal ada: agent default, operator and approve, 0 tools, scope: doc_tags guide, reference',
      expect.stringMatching(/^note: scopes were not compared with the index: there is no index/),
      '',
    ]);
  });

  it('refuses patterns that can match nothing', async () => {
    const typo = { keys: [keyOf('typo')], tools: ['kb.*', 'kb.serach', 'kb.(a|b)'] };
    writeFiles(folder.path, { 'typo.yaml': accessText({ typo }) });
    const checked = checkAccess(folder.file('typo.yaml'), {}, toolDefinitions());
    await expect(checked).rejects.toThrow(/principals\.typo\.tools\.2: "kb\.\(a\|b\)" can match no name/);
  });

  it('warns about principals without tools', async () => {
    writeFiles(folder.path, {
      'typo.yaml': accessText({
        none: { keys: [keyOf('none')], tools: ['claim.*'] },
        ada: { keys: [keyOf('ada')], permissions: ['approve'] },
      }),
    });
    await checkAccess(folder.file('typo.yaml'), {}, toolDefinitions());
    const warnings = out.text.split('\n').filter((line) => line.startsWith('warning'));
    expect(warnings).toEqual(['warning: principal none: no tools are offered to it']);
  });

  it('explains a principal by name', async () => {
    await checkAccess(undefined, { principal: 'reports' }, toolDefinitions());
    expect(out.text.split('\n')).toEqual([
      'principal: reports',
      'agent: support',
      'permissions: read',
      'scope: doc_tags guide, hr',
      'limits: 60000 calls per minute, 3 at a time, 5000000 bytes per day',
      'tools (1): kb.retrieve_evidence',
      '',
    ]);
  });

  it('names tools that a principal may use but is not offered', async () => {
    await checkAccess(undefined, { principal: 'reader' }, toolDefinitions());
    expect(out.text).toContain('\nnot offered although `tools` names them: get_doc. ');
  });

  it('says that a principal can see nothing', async () => {
    process.env['PITH_DOC_TAGS'] = 'reference';
    await checkAccess(undefined, { principal: 'reports' }, toolDefinitions());
    expect(out.text).toContain('\nscope: nothing: it lies outside PITH_PROJECT');
  });

  it('explains the principal of a key, without printing the key', async () => {
    await checkKey(`${keyOf('reports')}\n`);
    expect(out.text).toContain('principal: reports\n');
    expect(out.text).not.toContain(keyOf('reports'));
  });

  it.each([
    ['another key', keyOf('nobody'), /Add its hash/],
    ['a damaged key', keyOf('reports').slice(0, -1), /not a complete key/],
  ])('does not know %s', async (_, key, hint) => {
    const failure: unknown = await checkKey(key).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: 'No principal has this key.',
      hint: expect.stringMatching(hint),
    });
    expect(JSON.stringify(failure)).not.toContain(key.slice(0, 20));
  });

  it('names the principals if one is unknown', async () => {
    const failure: unknown = await checkAccess(undefined, { principal: 'bot' }, toolDefinitions()).catch(
      (e: unknown) => e,
    );
    expect(failure).toMatchObject({
      message: 'There is no principal bot.',
      hint: 'Principals: reports, reader, ada, local, bearer, operator, visitor.',
    });
  });

  it('asks for a file if none is given', async () => {
    delete process.env['PITH_ACCESS_FILE'];
    await expect(checkAccess(undefined, {}, [])).rejects.toThrow(/There is no access file/);
  });
});

describe('checkGovernance', () => {
  it('also checks the access file', async () => {
    await checkGovernance(undefined, {}, toolDefinitions());
    expect(out.text).toContain(`\n${FILE} is valid: 3 principals.\n`);
    writeFiles(folder.path, { 'broken.yaml': 'version: 2\nprincipals: {}\n' });
    process.env['PITH_ACCESS_FILE'] = folder.file('broken.yaml');
    await expect(checkGovernance(undefined, {}, toolDefinitions())).rejects.toThrow(
      /broken\.yaml:1: version/,
    );
  });
});

describe('explainPolicy', () => {
  it('decides for the agent, the scope and the tools of the principal', async () => {
    await explainPolicy({ tool: 'kb.retrieve_evidence', principal: 'reports' }, toolDefinitions());
    await explainPolicy({ tool: 'scope.describe', principal: 'reader' }, toolDefinitions());
    expect(out.text).toContain(
      'deny: kb.retrieve_evidence for agent support, principal reports\nrule: no-hr\n',
    );
    expect(out.text).toContain('the access file does not permit it to the principal');
  });

  it('refuses a scope outside that of the principal', async () => {
    const args = '{"scope":{"doc_tags":["reference"]}}';
    await explainPolicy({ tool: 'kb.search', principal: 'reports', args }, toolDefinitions());
    expect(out.text).toMatch(
      /^refused before the policy: .*\nSCOPE_VIOLATION: .*doc_tags is outside the scope/,
    );
  });
});
