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

  it.each([
    ['curl -H "Authorization: Basic dXNlcjpwYXNz"', 'curl -H "Authorization: Basic [secret]"'],
    ['authorization: basic YWRtaW46aHVudGVyMg==', 'authorization: basic [secret]'],
    ['Bearer eyJhbGciOiJub25lIn0.e30. is refused', 'Bearer [secret] is refused'],
    ['bearer: bearer 9f86d081884c7d65', 'bearer: bearer [secret]'],
    ['Bearer QmFzZVNpeHR5Rm91ckxldHRlcnM fails', 'Bearer [secret] fails'],
    ['token=abcdefghijkl fails', 'token=[secret] fails'],
    ['access_token: 9f86d081884c7d65', 'access_token: [secret]'],
    ['accessToken = abcdefgh', 'accessToken = [secret]'],
    ['API_TOKEN=12345678', 'API_TOKEN=[secret]'],
    ['run --token=hunter --max-tokens=4096', 'run --token=[secret] --max-tokens=4096'],
    ['tokens: [9f86d081884c7d65]', 'tokens: [secret]'],
    ['account-key: 482913', 'account-key: [secret]'],
    ['password: swordfish', 'password: [secret]'],
    ['passwords: swordfish PASSWORDS=dragon', 'passwords: [secret] PASSWORDS=[secret]'],
    ['dbPasswordProd=dragon secretKey: swordfish', 'dbPasswordProd=[secret] secretKey: [secret]'],
    ['apiKey: swordfish', 'apiKey: [secret]'],
    ['run --password=abc', 'run --password=[secret]'],
    ['Authorization: Bearer correct-horse-battery', 'Authorization: Bearer [secret]'],
    [`Basic ${Buffer.from('user:Straße').toString('base64')}`, 'Basic [secret]'],
    [`Basic ${Buffer.from('Öle:пароль').toString('base64')}`, 'Basic [secret]'],
    ['DB_PASSWORD_PROD=swordfish', 'DB_PASSWORD_PROD=[secret]'],
    ['session cookie: s3ss10n4bcd', 'session cookie: [secret]'],
    ['{"token": "abcdefgh"}', '{"token": [secret]}'],
    ['redis://user:password@host', '[secret]'],
  ])('hides the secret of %s', (text, hidden) => {
    expect(hideSecrets(text)).toBe(hidden);
  });

  it.each([
    '{"bypass": "always", "compass": "north"}',
    'What does { "name": "sail" } mean?',
    'How do I configure basic authentication?',
    'Is there a basic JavaScript example, or a basic PostgreSQL one?',
    'Does Basic configuration differ from bearer authentication?',
    'Which bearer authorization does HTTPBearer need?',
    'How do I send an Authorization: Bearer header?',
    'What is the effect of max_tokens=4096 and --max-tokens=512?',
    'Why is there no analyzer with tokenizer: standard?',
    'tokenizer = AutoTokenizer.from_pretrained(base)',
    'What does "invalid token: unexpected end of JSON" mean?',
    "SyntaxError: Unexpected token: 'export'",
    'Where do I set token_endpoint: https://login.example.com/oauth/token?',
    'Is {"max_tokens": "4096"} the default of { "tokenizer": "whitespace" }?',
    "Does fetch need credentials: 'include' for cookies?",
    'How does secretName: registry get into a pod?',
    'Which API key: personal or shared?',
    'Does CAccessToken::SetOwner change the token?',
    'What does pith_tool_duration_seconds count?',
    'Why does http://localhost:5173/@vite/client answer 404?',
  ])('leaves %s', (text) => {
    expect(hideSecrets(text)).toBe(text);
  });

  it('takes a short time for hostile texts', () => {
    const texts = ['token: ' + 'Ab'.repeat(4_000), 'Bearer ' + 'a-'.repeat(4_000), 'token:'.repeat(2_000)];
    const start = performance.now();
    for (const text of texts) hideSecrets(text);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
