import { createHash, randomBytes } from 'node:crypto';
import { hashOfKey, isWholeKey, makeKey, withoutKeys } from '../../../../src/governance/access/access-key.js';

const KEY = makeKey(() => Buffer.alloc(32, 7));

describe('makeKey', () => {
  it('makes a key with a prefix, 32 random bytes and a checksum', () => {
    expect(KEY).toMatch(/^pith_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc[\w-]{6}$/);
  });

  it('makes another key each time', () => {
    expect(makeKey(randomBytes)).not.toBe(makeKey(randomBytes));
  });
});

describe('isWholeKey', () => {
  it('is true for made keys', () => {
    expect([KEY, makeKey(randomBytes)].every(isWholeKey)).toBe(true);
  });

  it.each([
    '',
    'pith_',
    KEY.slice(0, -1),
    `${KEY}x`,
    KEY.replace('BwcH', 'BwcI'),
    KEY.replace('pith', 'Pith'),
  ])('is false for %s', (text) => {
    expect(isWholeKey(text)).toBe(false);
  });
});

describe('hashOfKey', () => {
  it('is SHA-256 in hexadecimal digits', () => {
    expect(hashOfKey(KEY)).toBe(`sha256:${createHash('sha256').update(KEY).digest('hex')}`);
  });
});

describe('withoutKeys', () => {
  it('removes whole and damaged keys, and keeps the rest', () => {
    expect(withoutKeys(`a ${KEY}, b ${KEY.slice(0, 40)}; pith_short`)).toBe('a pith_…, b pith_…; pith_short');
  });
});
