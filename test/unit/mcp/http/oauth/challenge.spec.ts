import { challenge, metadataPaths } from '../../../../../src/mcp/http/oauth/challenge.js';

const resource = (at: string) => ({ resource: at, issuers: [], scopes: [], needed: () => [] });

describe('challenge', () => {
  it('is plain for a server that accepts keys only', () => {
    expect(challenge(null, ['docs'])).toBe('Bearer');
  });

  it('names the metadata and the scopes', () => {
    expect(challenge(resource('https://docs.example/team/mcp'), ['a', 'b'])).toBe(
      'Bearer resource_metadata="https://docs.example/.well-known/oauth-protected-resource/team/mcp", scope="a b"',
    );
  });

  it('can not be broken out of', () => {
    const fault = { error: 'invalid_token', error_description: 'a", scope="all\\' } as const;
    expect(challenge(resource('https://docs.example'), [], fault)).toBe(
      'Bearer error="invalid_token", error_description="a, scope=all", resource_metadata="https://docs.example/.well-known/oauth-protected-resource"',
    );
  });
});

describe('metadataPaths', () => {
  it('has the path of the public address and that of this server', () => {
    expect([...metadataPaths('https://docs.example/team/mcp')]).toEqual([
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-protected-resource/team/mcp',
    ]);
  });
});
