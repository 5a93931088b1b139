import { PassThrough } from 'node:stream';
import { InvalidArgumentError } from '../../src/core/errors.js';
import { checkAccess } from '../../src/governance/commands/access.command.js';
import { toolDefinitions } from '../support/all-tools.js';
import { commandOutput } from '../support/command-output.js';
import { poll, runPith, startPith } from '../support/processes.js';
import { testFolder } from '../support/test-folder.js';
import { TokenIssuer } from '../support/token-issuer.js';
import { writeFiles } from '../support/write-files.js';

const RESOURCE = 'https://docs.harbour.example/mcp';
const folder = testFolder();
const FILE = folder.file('access.yaml');
const issuer = new TokenIssuer();
const nowS = (): number => Math.floor(Date.now() / 1_000);
const good = () => ({ aud: RESOURCE, sub: 'ada', exp: nowS() + 600, groups: ['harbour'] });
const out = commandOutput({ PITH_ACCESS_FILE: FILE, PITH_HTTP_ALLOWED_HOSTS: 'docs.harbour.example' });

function writeAccess(oauth: object = {}): void {
  writeFiles(folder.path, {
    'access.yaml': JSON.stringify({
      version: 1,
      oauth: { resource: RESOURCE, issuers: [{ issuer: issuer.url }], ...oauth },
      principals: { pilots: { claims: { groups: 'harbour' }, each: 'sub', tools: ['kb.*'] } },
    }),
  });
}

beforeAll(() => issuer.start());
beforeEach(() => writeAccess());
afterAll(() => {
  issuer.stop();
  folder.remove();
});

describe('checkAccess of a file with `oauth`', () => {
  const linesFrom = async (start: string): Promise<string[]> => {
    await checkAccess(undefined, {}, toolDefinitions());
    return out.text.split('\n').filter((line) => line.startsWith(start));
  };
  const warnings = () => linesFrom('warning');

  it('has no warnings if all parts work here', async () => {
    writeAccess({ scopes: { docs: ['*'], 'docs:graph': ['graph.*'] } });
    expect(await warnings()).toEqual([]);
  });

  it('warns about a secret without which servers do not start', async () => {
    const introspection = { client_id: 'pith', client_secret: 'env:NO_SUCH_SECRET' };
    writeAccess({ issuers: [{ issuer: issuer.url, introspection }] });
    expect(await warnings()).toEqual([expect.stringMatching(/client_secret: .*NO_SUCH_SECRET is not set/)]);
  });

  it('warns about a resource whose host name is not allowed', async () => {
    process.env['PITH_HTTP_ALLOWED_HOSTS'] = 'other.example';
    expect(await warnings()).toEqual([expect.stringMatching(/docs\.harbour\.example .*ALLOWED_HOSTS/)]);
  });

  it('says that nobody can open the search page, if nobody can', async () => {
    expect(await linesFrom('note: nobody')).toEqual([expect.stringMatching(/citations have no addresses/)]);
  });

  it.each([
    ['PITH_ADMIN_TOKEN', 'the-token-of-operators'],
    ['PITH_HTTP_TOKEN', 'the-token-of-all-callers'],
    ['PITH_SEARCH_PAGE', 'public'],
    ['PITH_SEARCH_PAGE', 'off'],
  ])('does not say so with %s=%s', async (name, value) => {
    process.env[name] = value;
    expect(await linesFrom('note: nobody')).toEqual([]);
  });

  it('refuses scopes that protect nothing', async () => {
    writeAccess({ scopes: { 'docs:graph': ['grahp.*'] } });
    await expect(warnings()).rejects.toThrow(/oauth\.scopes\.docs:graph\.0: no tool matches grahp\.\*/);
  });
});

it('a server that starts prints the warnings of `pith access check` on stderr, once', async () => {
  writeFiles(folder.path, {
    'access.yaml': JSON.stringify({
      version: 1,
      oauth: {
        resource: RESOURCE,
        issuers: [{ issuer: issuer.url }],
        scopes: { docs: ['*'] },
      },
      principals: { pilots: { claims: { groups: 'harbour' }, tools: ['claim.*'] } },
    }),
  });
  const settings = { env: { PITH_ACCESS_FILE: FILE, PITH_SECRET: 'x'.repeat(32), PITH_LEDGER: 'off' } };
  const index = ['--index', folder.file('none.sqlite')];
  const { stdout } = await runPith(['access', 'check', ...index], settings);
  const warnings = stdout.match(/^warning: .*/gm);
  expect(warnings).toHaveLength(2);
  const server = startPith(['http', '--port', '0', ...index], settings);
  await poll('the warnings', () => (server.stderr().includes('warning') ? true : undefined));
  const { stderr } = await server.stop();
  expect(stderr.match(/^pith: warning: .*/gm)).toEqual(warnings?.map((line) => `pith: ${line}`));
});

describe('checkAccess of a token', () => {
  async function checkToken(text: string): Promise<void> {
    const stdin = new PassThrough();
    stdin.end(text);
    jest.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as unknown as typeof process.stdin);
    await checkAccess(undefined, { tokenStdin: true }, toolDefinitions());
  }
  const hintFor = async (text: string): Promise<unknown> => {
    const failure: unknown = await checkToken(text).catch((error: unknown) => error);
    return failure instanceof InvalidArgumentError ? failure.hint : failure;
  };

  it('explains its principal, also if it comes with the words of its header', async () => {
    await checkToken(`Authorization: Bearer ${await issuer.sign(good())}\n`);
    expect(out.text).toContain('principal: pilots:ada\n');
  });

  it('shows the claims by which no principal was found', async () => {
    const hint = await hintFor(await issuer.sign({ ...good(), groups: ['guests'] }));
    expect(hint).toContain('groups ["guests"], sub "ada"');
  });

  it('names the claim that `each` needs and the token lacks', async () => {
    expect(await hintFor(await issuer.sign({ ...good(), sub: undefined }))).toContain('sub missing');
  });

  it('shows which issuer a token names, and which ones the file trusts', async () => {
    const hint = await hintFor(await issuer.sign({ ...good(), iss: `${issuer.url}/` }));
    expect(hint).toContain(`iss "${issuer.url}/", aud "${RESOURCE}"`);
    expect(hint).toContain(`The file trusts: ${issuer.url}.`);
  });

  it('says that stdin was empty', async () => {
    await expect(checkToken('\n')).rejects.toThrow(/no token on stdin/);
  });
});
