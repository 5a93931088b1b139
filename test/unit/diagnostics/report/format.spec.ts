import * as format from '../../../../src/diagnostics/report/format.js';

const spaced = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('format', () => {
  it.each([
    [0, '0 ms'],
    [0.456, '0.46 ms'],
    [12.34, '12.3 ms'],
    [1_234.5, '1,235 ms'],
    [10_003, '10.0 s'],
  ])('writes %d ms as %s', (ms, text) => expect(spaced(format.formatMs(ms))).toBe(text));

  it.each([
    [0, '0 B'],
    [1_023, '1023 B'],
    [1_024, '1.0 KiB'],
    [143_000_000, '136 MiB'],
  ])('writes %d bytes as %s', (bytes, text) => expect(spaced(format.formatBytes(bytes))).toBe(text));

  it.each([
    [0, 0, '0%'],
    [1, 100_000, '<0.1%'],
    [1, 200, '0.5%'],
    [1, 3, '33%'],
  ])('writes %d of %d as %s', (part, whole, text) => expect(format.formatShare(part, whole)).toBe(text));

  it.each([
    [0, '0 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [100_000_000, '1 d 3 h'],
  ])('writes a duration of %d ms as %s', (ms, text) => expect(spaced(format.formatDuration(ms))).toBe(text));

  it('counts in English', () => {
    expect(format.formatPlural(1, 'section')).toBe('1 section');
    expect(format.formatPlural(1_200, 'section')).toBe('1,200 sections');
  });
});
