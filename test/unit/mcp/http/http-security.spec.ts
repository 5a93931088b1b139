import { InvalidConfigurationError } from '../../../../src/config/invalid-configuration.js';
import { HttpConfig } from '../../../../src/config/settings/http.config.js';
import {
  allowedNames,
  checkBinding,
  isLoopback,
  isSameToken,
} from '../../../../src/mcp/http/http-security.js';

const http = (config: Partial<HttpConfig> = {}) => Object.assign(new HttpConfig(), config);
const TOKEN = 'sixteen-characters';

describe('isLoopback', () => {
  it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1'])('is true for %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '::',
    '192.168.1.1',
    '127.0.0.1.example.org',
    'localhost.example.org',
    '128.0.0.1',
    '',
  ])('is false for %j', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

describe('checkBinding', () => {
  it.each<[string, Partial<HttpConfig>]>([
    ['loopback without a token', {}],
    ['loopback with a token', { token: TOKEN }],
    ['any address with a token', { host: '0.0.0.0', token: TOKEN }],
    ['any address with an access file', { host: '0.0.0.0', accessFile: 'access.yaml' }],
    ['visitors with a token', { searchPage: 'public', token: TOKEN }],
    ['visitors with an access file', { searchPage: 'public', accessFile: 'access.yaml' }],
  ])('allows %s', (_, config) => {
    expect(() => checkBinding(http(config))).not.toThrow();
  });

  it.each(['0.0.0.0', '::', '192.168.1.1', 'docs.example.org'])('refuses %s without a token', (host) => {
    expect(() => checkBinding(http({ host }))).toThrow(InvalidConfigurationError);
  });

  it('refuses tags for visitors where there are none', () => {
    expect(() => checkBinding(http({ publicDocTags: ['manual'], token: TOKEN }))).toThrow(
      /PITH_PUBLIC_DOC_TAGS limits only the visitors/,
    );
  });

  it('refuses visitors where everybody is the caller `local`', () => {
    expect(() => checkBinding(http({ searchPage: 'public' }))).toThrow(
      /PITH_SEARCH_PAGE=public needs PITH_HTTP_TOKEN or PITH_ACCESS_FILE/,
    );
  });
});

describe('allowedNames', () => {
  it('allows the loopback names by default', () => {
    expect(allowedNames(http())).toEqual({
      hosts: ['localhost', '127.0.0.1', '[::1]'],
      origins: ['localhost', '127.0.0.1', '[::1]'],
    });
  });

  it('allows the configured names, too', () => {
    const config = http({ allowedHosts: ['docs.example.org'], allowedOrigins: ['app.example.org'] });
    expect(allowedNames(config).hosts).toContain('docs.example.org');
    expect(allowedNames(config).origins).toContain('app.example.org');
    expect(allowedNames(config).origins).not.toContain('docs.example.org');
  });

  it.each([
    ['192.168.1.1', '192.168.1.1'],
    ['fd00::1', '[fd00::1]'],
  ])('allows the address that the server listens on: %s', (host, name) => {
    expect(allowedNames(http({ host })).hosts).toContain(name);
  });

  it.each(['0.0.0.0', '::'])('does not allow %s, which is not a host name', (host) => {
    expect(allowedNames(http({ host })).hosts).toEqual(['localhost', '127.0.0.1', '[::1]']);
  });
});

describe('isSameToken', () => {
  it.each([
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'abcd', false],
    ['', 'abc', false],
    ['', '', false],
  ])('%j and %j: %s', (given, expected, isSame) => {
    expect(isSameToken(given, expected)).toBe(isSame);
  });
});
