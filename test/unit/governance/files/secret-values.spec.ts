import {
  hideSecrets,
  KnownSecrets,
  looksLikeSecret,
} from '../../../../src/governance/files/secret-values.js';

function known(given: Record<string, string>, resolved: Record<string, string>): KnownSecrets {
  const secrets = new KnownSecrets();
  secrets.add(given, resolved);
  return secrets;
}

describe('KnownSecrets', () => {
  it.each([
    ['the value', 'key=s3cr/et value!'],
    ['a value in a URL', 'GET /?key=s3cr%2Fet%20value! HTTP'],
    ['a value in JSON', '{"key":"s3cr/et value!"}'],
  ])('hides %s', (_, text) => {
    const hidden = known({ K: 'env:K' }, { K: 's3cr/et value!' }).hide(text);
    expect(hidden).toContain('[secret]');
    expect(hidden).not.toContain('s3cr');
  });

  it('hides a header with and without its scheme', () => {
    const secrets = known({ Authorization: 'Bearer env:K' }, { Authorization: 'Bearer abc-def' });
    expect(secrets.hide('Authorization: Bearer abc-def')).toBe('Authorization: [secret]');
    expect(secrets.hide('wrong token abc-def, abc-def')).toBe('wrong token [secret], [secret]');
  });

  it('hides each line of a secret with several lines', () => {
    const secrets = known({ K: 'file:k' }, { K: '-----BEGIN\nMIIB"x\n-----END' });
    expect(secrets.hide('line MIIB"x')).toBe('line [secret]');
    expect(secrets.hide(String.raw`{"k":"-----BEGIN\nMIIB\"x\n-----END"}`)).toBe('{"k":"[secret]"}');
  });

  it('hides earlier values, too, and the longest first', () => {
    const secrets = known({ K: 'file:k' }, { K: 'abcdef' });
    secrets.add({ K: 'file:k' }, { K: 'abcdefgh' });
    expect(secrets.hide('abcdef abcdefgh')).toBe('[secret] [secret]');
  });

  it('leaves values that are no references, and very short ones', () => {
    const secrets = known({ MODE: 'verbose', K: 'env:K' }, { MODE: 'verbose', K: 'a' });
    expect(secrets.hide('a verbose text')).toBe('a verbose text');
  });
});

describe('looksLikeSecret', () => {
  it.each([
    'redis://:hunter2@db:6379/0',
    'postgres://u:p/w@db',
    'token (ghp_aaaaaaaaaaaaaaaaaaaaaaaa)',
    'pith_AbCdEfGhIjKlMnOpQrStUv',
    'whsec_AbCdEfGh',
    'Authorization: Basic dXNlcjpwYXNz',
  ])('is true for %s', (value) => {
    expect(looksLikeSecret(value)).toBe(true);
  });

  it.each([
    'How do I sign in with a token?',
    'https://example.com/a:b?c=d',
    'mail to a@b.example',
    'Basic authentication with guards',
    'task-force-for-the-big-refactoring',
  ])('is false for %s', (value) => {
    expect(looksLikeSecret(value)).toBe(false);
  });
});

describe('hideSecrets', () => {
  it.each([
    ['{"password": "hunter2hunter2", "user": "ann"}', '{"password": [secret], "user": "ann"}'],
    [`{'api_key': 'abc def'}`, `{'api_key': [secret]}`],
    [`:password => 'abc def'`, ':password => [secret]'],
    ['DB_PASS=hunter2 pwd: hunter2', 'DB_PASS=[secret] pwd: [secret]'],
    [String.raw`{"token": "a\"hunter2"}`, '{"token": [secret]}'],
    ['{"password": "hunter2hun', '{"password": [secret]'],
    [String.raw`"{\"password\": \"hunter2\"}"`, String.raw`"{\"password\": [secret]"}"`],
  ])('replaces the value in %s', (text, hidden) => {
    expect(hideSecrets(text)).toBe(hidden);
  });

  it.each(['{"bypass": "always", "compass": "north"}', 'What does { "name": "sail" } mean?'])(
    'leaves %s',
    (text) => {
      expect(hideSecrets(text)).toBe(text);
    },
  );
});
