import { authorization } from '../../../src/sources/source-secret.js';

describe('authorization', () => {
  it.each([
    ['', null, ''],
    ['tok-1', null, 'Bearer tok-1'],
    ['tok-1', 'oauth2', 'Basic b2F1dGgyOnRvay0x'],
    ['ida:pass word', null, 'Basic aWRhOnBhc3Mgd29yZA=='],
    ['ida:pass word', 'oauth2', 'Basic aWRhOnBhc3Mgd29yZA=='],
    ['Bearer a:b', 'oauth2', 'Bearer a:b'],
    ['basic aWRhOng=', null, 'basic aWRhOng='],
    ['Token abc', null, 'Token abc'],
    ['ApiKey abc', 'oauth2', 'ApiKey abc'],
  ])('makes of %j, with the user %j, %j', (secret, tokenUser, expected) => {
    expect(authorization(secret, tokenUser)).toBe(expected);
  });
});
