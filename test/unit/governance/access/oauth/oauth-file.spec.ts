import { InvalidConfigurationError } from '../../../../../src/config/invalid-configuration.js';
import { protectedResource } from '../../../../../src/governance/access/file-principals.js';
import { metadataUrls } from '../../../../../src/governance/access/oauth/authorization-server.js';
import { parseAccess } from '../../../../../src/governance/access/read-access.js';
import { NO_GOVERNANCE } from '../../../../../src/governance/agents/governance-file.js';
import { toolDefinitions } from '../../../../support/all-tools.js';

const ISSUER = { issuer: 'https://login.example' };
const RESOURCE = 'https://docs.example/mcp';

function read(oauth: object | undefined, principal: object = { claims: { sub: 'ada' } }) {
  return parseAccess(JSON.stringify({ version: 1, oauth, principals: { bot: principal } }), 'a.yaml', {
    governance: NO_GOVERNANCE,
    tools: toolDefinitions(),
  });
}

function problemsOf(...given: Parameters<typeof read>): string {
  try {
    read(...given);
    return '';
  } catch (error) {
    if (error instanceof InvalidConfigurationError) return error.problems.join('\n');
    throw error;
  }
}

describe('the part `oauth` of an access file', () => {
  it('fills in algorithms, tolerance and scopes', () => {
    expect(read({ resource: RESOURCE, issuers: [ISSUER] }).oauth).toEqual({
      resource: RESOURCE,
      issuers: [{ ...ISSUER, algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'] }],
      clock_tolerance_s: 30,
      scopes: {},
    });
  });

  it.each<[string, object | undefined, object, RegExp]>([
    ['a principal with neither keys nor claims', undefined, {}, /needs keys, or claims/],
    ['claims without issuers', undefined, { claims: { sub: 'a' } }, /no tokens are accepted/],
    ['no claims', oauthOf(ISSUER), { claims: {} }, /at least one claim/],
    [
      'each without claims',
      oauthOf(ISSUER),
      { each: 'sub', keys: [`sha256:${'a'.repeat(64)}`] },
      /Add `claims`/,
    ],
    [
      'groups of tokens that are one principal',
      oauthOf(ISSUER),
      { claims: { sub: 'a' }, groups_claim: 'groups' },
      /add `each`/,
    ],
    [
      'an issuer without encryption',
      oauthOf({ issuer: 'http://login.example' }),
      { claims: { sub: 'a' } },
      /https/,
    ],
    [
      'an issuer with a password',
      oauthOf({ issuer: 'https://a:b@login.example' }),
      { claims: { sub: 'a' } },
      /https/,
    ],
    [
      'a shared secret',
      oauthOf({ ...ISSUER, algorithms: ['HS256'] }),
      { claims: { sub: 'a' } },
      /algorithms/,
    ],
    ['no signature', oauthOf({ ...ISSUER, algorithms: ['none'] }), { claims: { sub: 'a' } }, /algorithms/],
    ['an issuer twice', oauthOf(ISSUER, ISSUER), { claims: { iss: 'x', sub: 'a' } }, /listed twice/],
    [
      'claims that two issuers can write',
      oauthOf(ISSUER, { issuer: 'https://other.example' }),
      { claims: { sub: 'a' } },
      /add `iss`/,
    ],
    [
      'a secret in the file',
      oauthOf({ ...ISSUER, introspection: { client_id: 'a', client_secret: 'hunter2' } }),
      { claims: { sub: 'a' } },
      /client_secret: write where the secret is: env:NAME or file:PATH/,
    ],
    [
      'a scope with a space',
      { ...oauthOf(ISSUER), scopes: { 'a b': ['*'] } },
      { claims: { sub: 'a' } },
      /scopes.*visible ASCII without spaces/,
    ],
    [
      'a claim that is a number',
      oauthOf(ISSUER),
      { claims: { level: 5 } },
      /level: use a text, true or false/,
    ],
  ])('refuses %s', (_, oauth, principal, problem) => {
    const problems = problemsOf(oauth, principal);
    expect(problems).toMatch(problem);
    expect(problems).not.toContain('hunter2');
  });

  it('accepts an issuer on this machine without encryption', () => {
    expect(problemsOf(oauthOf({ issuer: 'http://127.0.0.1:9000' }))).toBe('');
    expect(problemsOf(oauthOf({ issuer: 'http://[::1]:9000' }))).toBe('');
  });
});

describe('protectedResource', () => {
  const oauth = read({
    ...oauthOf(ISSUER),
    scopes: { docs: ['*'], memory: ['inner_voice.*'], none: ['claim.verify'] },
  }).oauth;
  if (!oauth) throw new Error('no oauth');
  const { needed, scopes } = protectedResource(oauth);

  it('tells which scopes a tool needs', () => {
    expect([needed(null), needed('kb.search'), needed('inner_voice.retrieve')]).toEqual([
      ['docs'],
      ['docs'],
      ['docs', 'memory'],
    ]);
    expect(scopes).toEqual(['docs', 'memory', 'none']);
  });
});

describe('metadataUrls', () => {
  it('follows RFC 8414 and OpenID Connect', () => {
    expect(metadataUrls('https://login.example')).toEqual([
      'https://login.example/.well-known/oauth-authorization-server',
      'https://login.example/.well-known/openid-configuration',
    ]);
    expect(metadataUrls('https://login.example/realms/a/')).toEqual([
      'https://login.example/.well-known/oauth-authorization-server/realms/a',
      'https://login.example/.well-known/openid-configuration/realms/a',
      'https://login.example/realms/a/.well-known/openid-configuration',
    ]);
  });
});

function oauthOf(...issuers: readonly object[]): object {
  return { resource: RESOURCE, issuers };
}
