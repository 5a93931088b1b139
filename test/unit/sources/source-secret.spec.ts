import { authorization, withoutSecrets } from '../../../src/sources/source-secret.js';

const TOKEN = 'ghp_geheim/4711';

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

describe('withoutSecrets', () => {
  it.each([
    ['itself', `fatal: bad token ${TOKEN}!`, 'fatal: bad token ***!'],
    [
      'in an address',
      `GET https://x.example/?q=${encodeURIComponent(TOKEN)}`,
      'GET https://x.example/?q=***',
    ],
    ['in Base64', `sent ${Buffer.from(TOKEN).toString('base64')}`, 'sent ***'],
  ])('hides a known secret %s', (_, text, expected) => {
    expect(withoutSecrets(text, [TOKEN])).toBe(expected);
  });

  it.each([
    [
      "unable to access 'https://ida:pw@git.example.com/a.git/'",
      "unable to access 'https://***@git.example.com/a.git/'",
    ],
    ['> Authorization: Basic aWRhOnB3\nok', '> Authorization: ***\nok'],
    ['PRIVATE-TOKEN: abc', 'PRIVATE-TOKEN: ***'],
    ['https://x.example/a?access_token=abc&page=2', 'https://x.example/a?access_token=***&page=2'],
    ['https://x.example/a.zip?X-Amz-Signature=0f0f', 'https://x.example/a.zip?X-Amz-Signature=***'],
  ])('hides what looks like a secret: %s', (text, expected) => {
    expect(withoutSecrets(text, [])).toBe(expected);
  });

  it('leaves other texts alone, also with a short secret', () => {
    expect(withoutSecrets('the repository is empty', ['e', ''])).toBe('the repository is empty');
  });
});
