import { toolDefinitions } from '../../src/app.module.js';
import { checkAccess } from '../../src/cli/governance/access.command.js';
import { commandOutput } from '../support/command-output.js';
import { testFolder } from '../support/test-folder.js';
import { TokenIssuer } from '../support/token-issuer.js';
import { writeFiles } from '../support/write-files.js';

const RESOURCE = 'https://docs.harbour.example/mcp';
const folder = testFolder();
const FILE = folder.file('access.yaml');
const issuer = new TokenIssuer();
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
  const warnings = async (): Promise<string[]> => {
    await checkAccess(undefined, {}, toolDefinitions());
    return out.text.split('\n').filter((line) => line.startsWith('warning'));
  };

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

  it('warns about scopes that protect nothing', async () => {
    writeAccess({ scopes: { 'docs:graph': ['grahp.*'] } });
    expect(await warnings()).toEqual([
      expect.stringMatching(/oauth\.scopes\.docs:graph: no tool matches grahp\.\*/),
    ]);
  });
});
