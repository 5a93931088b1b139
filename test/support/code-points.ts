import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, as the unit of a string. It draws and shrinks as fast-check's unit `binary` does, which makes a
 * table of 1.1 million strings in each suite.
 */
export const codePoints: fc.Arbitrary<string> = fc.nat(0x10ffff - SURROGATES.count).map(
  (n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count),
  (value) => {
    const n = typeof value === 'string' ? value.codePointAt(0) : undefined;
    if (n === undefined || String.fromCodePoint(n) !== value || !value.isWellFormed())
      throw new Error('not one character');
    return n < SURROGATES.first ? n : n - SURROGATES.count;
  },
);
