import { ENVELOPE_BYTES, KeyRing, SEALER_BYTES } from '../../../../src/engines/redis/key-ring.js';

const FIRST = 'the first key, of more than 32 characters';
const SECOND = 'the second key, of more than 32 characters';
const text = Buffer.from('A text that nobody else should read.');
const ring = new KeyRing([FIRST]);

describe('KeyRing', () => {
  it('decrypts its own envelope for the same place', () => {
    expect(ring.open(ring.seal(text, 'here'), 'here')).toEqual(text);
    expect(ring.open(ring.seal(Buffer.alloc(0), ''), '')).toEqual(Buffer.alloc(0));
  });

  it('does not decrypt for another place', () => {
    expect(ring.open(ring.seal(text, 'here'), 'there')).toBeNull();
    expect(ring.open(ring.seal(text, 'here'), '')).toBeNull();
  });

  it('reveals nothing of the text, and never makes the same envelope twice', () => {
    const [one, other] = [ring.seal(text, 'here'), ring.seal(text, 'here')];
    expect(one.toString('latin1')).not.toContain('nobody');
    expect(one.subarray(SEALER_BYTES).equals(other.subarray(SEALER_BYTES))).toBe(false);
    expect(one.length).toBe(text.length + ENVELOPE_BYTES);
  });

  it('refuses an envelope with any bit changed', () => {
    const sealed = ring.seal(text, 'here');
    const opened = Array.from(sealed.keys(), (at) => {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      return ring.open(changed, 'here');
    });
    expect(opened.filter((one) => one !== null)).toEqual([]);
  });

  it('refuses a truncated or extended envelope', () => {
    const sealed = ring.seal(text, 'here');
    const cuts = Array.from({ length: sealed.length }, (_, end) =>
      ring.open(sealed.subarray(0, end), 'here'),
    );
    expect(cuts.filter((one) => one !== null)).toEqual([]);
    expect(ring.open(Buffer.concat([sealed, Buffer.of(0)]), 'here')).toBeNull();
  });

  it('decrypts with any of its keys, and encrypts with the first', () => {
    const both = new KeyRing([SECOND, FIRST]);
    expect(both.open(ring.seal(text, 'here'), 'here')).toEqual(text);
    expect(ring.open(both.seal(text, 'here'), 'here')).toBeNull();
    expect(new KeyRing([SECOND]).open(both.seal(text, 'here'), 'here')).toEqual(text);
  });

  it('refuses an envelope of an unknown key', () => {
    expect(new KeyRing([SECOND]).open(ring.seal(text, 'here'), 'here')).toBeNull();
    expect(new KeyRing([`${FIRST}.`]).open(ring.seal(text, 'here'), 'here')).toBeNull();
  });

  it('requires a key', () => {
    expect(() => new KeyRing([])).toThrow('needs a key');
  });
});
