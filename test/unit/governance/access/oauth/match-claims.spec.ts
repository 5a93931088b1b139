import { matchesClaims, scopesOf } from '../../../../../src/governance/access/oauth/check-claims.js';

describe('matchesClaims', () => {
  it.each<[string, Parameters<typeof matchesClaims>[0], object, boolean]>([
    ['the same text', { sub: 'ada' }, { sub: 'ada' }, true],
    ['another text', { sub: 'ada' }, { sub: 'Ada' }, false],
    ['no claim', { sub: 'ada' }, {}, false],
    ['one of the wanted values', { sub: ['ada', 'bob'] }, { sub: 'bob' }, true],
    ['a list with the value', { groups: 'crew' }, { groups: ['all', 'crew'] }, true],
    ['a list without the value', { groups: 'crew' }, { groups: ['crew-2'] }, false],
    ['two lists that share a value', { groups: ['crew', 'pilots'] }, { groups: ['x', 'pilots'] }, true],
    ['one of two claims', { sub: 'ada', groups: 'crew' }, { sub: 'ada' }, false],
    ['a truth value', { email_verified: true }, { email_verified: true }, true],
    ['a truth value as text', { email_verified: true }, { email_verified: 'true' }, false],
    [
      'a claim within another',
      { 'realm_access.roles': 'reader' },
      { realm_access: { roles: ['reader'] } },
      true,
    ],
    ['a name with dots', { 'https://x.example/roles': 'a' }, { 'https://x.example/roles': 'a' }, true],
    ['a scope', { scope: 'docs' }, { scope: 'other docs' }, true],
    ['a part of a scope', { scope: 'doc' }, { scope: 'docs' }, false],
    ['a name of every object', { constructor: 'x', 'a.toString': 'x' }, { a: {} }, false],
  ])('with %s', (_, wanted, claims, expected) => {
    expect(matchesClaims(wanted, claims as Record<string, unknown>)).toBe(expected);
  });
});

describe('scopesOf', () => {
  it.each<[object, string[]]>([
    [{ scope: 'a  b' }, ['a', 'b']],
    [{ scp: ['a', 'b', 3] }, ['a', 'b']],
    [{ scp: 'a b' }, ['a', 'b']],
    [{ scope: 7 }, []],
    [{}, []],
  ])('%j', (claims, scopes) => {
    expect(scopesOf(claims as Record<string, unknown>)).toEqual(scopes);
  });
});
