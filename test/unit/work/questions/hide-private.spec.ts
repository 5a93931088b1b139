import { privateHider } from '../../../../src/work/questions/hide-private.js';

describe('privateHider', () => {
  it.each([
    ['a key of a service', 'Why is sk-abcdefghijklmnop1234 refused?', 'Why is [secret] refused?'],
    ['an access token', 'curl -H "Authorization: Bearer abcdef123456"', 'Authorization: Bearer [secret]'],
    ['a password in an address', 'postgres://ann:hunter22@db/app fails', '[secret] fails'],
    ['a named value', 'password=hunter22 does not work', 'password=[secret] does not work'],
    ['a value after a colon', 'api_key: abc123def fails', 'api_key: [secret] fails'],
  ])('replaces %s', (_, text, shown) => {
    expect(privateHider([])(text)).toContain(shown);
  });

  it('keeps questions about secrets', () => {
    const text = 'How do I rotate the API key, and where is the password stored?';
    expect(privateHider([])(text)).toBe(text);
  });

  it.each([
    ['a word in any case', 'Falcon', 'How does falcon start?', 'How does [redacted] start?'],
    ['a phrase', 'Project Falcon', 'Is project  falcon done?', 'Is [redacted] done?'],
    ['the end of a word', 'ACME-*', 'Where is ACME-4711x?', 'Where is [redacted]'],
    ['digits', 'INC-####', 'See INC-1234.', 'See [redacted].'],
    ['both ends', '*@acme.example', 'Mail ann@acme.example now', 'Mail [redacted] now'],
  ])('replaces %s that the operator lists', (_, entry, text, shown) => {
    expect(privateHider([entry])(text)).toContain(shown);
  });

  it('does not read entries as regular expressions, nor find them within words', () => {
    expect(privateHider(['a.b', 'cat'])('axb concatenates')).toBe('axb concatenates');
  });

  it('takes a short time for hostile texts', () => {
    expect(privateHider(['*a*b'])('a'.repeat(4_000))).toHaveLength(4_000);
  });
});
