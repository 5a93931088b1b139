import { withoutSecrets } from '../../../src/sources/without-secrets.js';

const TOKEN = 'ghp_geheim/4711';

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
