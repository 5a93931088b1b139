import { argumentsText } from '../../../../src/governance/ledger/ledger.stage.js';

describe('argumentsText', () => {
  it('is canonical JSON', () => {
    expect(argumentsText({ query: 'sail', limit: 5, deep: [{ b: null, a: true }] }, false)).toBe(
      '{"deep":[{"a":true,"b":null}],"limit":5,"query":"sail"}',
    );
  });

  it.each([
    ['a key of a service', { q: `use sk-${'a'.repeat(20)}` }, '{"q":"[redacted]"}'],
    ['a bearer token', { headers: ['Bearer abcdefgh12'] }, '{"headers":["[redacted]"]}'],
    ['an address with a password', { url: 'https://me:word@host/' }, '{"url":"[redacted]"}'],
    ['a private key', { text: '-----BEGIN PRIVATE KEY-----' }, '{"text":"[redacted]"}'],
    ['a field with the name of a secret', { api_key: 'short' }, '{"api_key":"[redacted]"}'],
    [
      'fields below such a name',
      { credentials: { user: 'me', n: 1 } },
      '{"credentials":{"n":1,"user":"[redacted]"}}',
    ],
  ])('replaces %s', (_, args, text) => {
    expect(argumentsText(args, false)).toBe(text);
  });

  it('replaces every text of a tool whose texts are private', () => {
    expect(argumentsText({ query: 'how I felt', sources: ['diary'], limit: 3 }, true)).toBe(
      '{"limit":3,"query":"[redacted]","sources":["[redacted]"]}',
    );
  });

  it.each(['x', 'ü', '😀'])('clips long arguments of %s at 2,048 bytes, with a mark', (character) => {
    const text = argumentsText({ query: character.repeat(5_000) }, false);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048);
    expect(Buffer.byteLength(text)).toBeGreaterThan(2_040);
    expect(text).toMatch(new RegExp(`^\\{"query":"${character}+…$`, 'u'));
  });

  it('does not clip shorter arguments', () => {
    expect(argumentsText({ q: 'x'.repeat(2_040) }, false)).toHaveLength(2_048);
  });
});
