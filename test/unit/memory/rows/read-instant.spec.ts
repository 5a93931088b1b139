import { readEnd, readInstant } from '../../../../src/memory/rows/read-instant.js';

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

describe('readInstant', () => {
  it.each([
    ['2025-09-02', '2025-09-02T00:00:00.000Z'],
    ['2025-09-02T21:11:00Z', '2025-09-02T21:11:00.000Z'],
    ['2025-09-02T21:11Z', '2025-09-02T21:11:00.000Z'],
    ['2025-09-02 21:11:00', '2025-09-02T21:11:00.000Z'],
    ['2025-09-02T21:11:00.123456789Z', '2025-09-02T21:11:00.123Z'],
    ['2025-09-02T23:11:00+02:00', '2025-09-02T21:11:00.000Z'],
    ['2025-09-02T23:11:00+0200', '2025-09-02T21:11:00.000Z'],
    ['2025-09-02T23:11:00+02', '2025-09-02T21:11:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(iso(readInstant(text))).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '2025',
    '2025-09',
    '2025-02-30',
    '2025-13-01',
    '2025-09-02T25:00:00Z',
    '02.09.2025',
    '2025-09-02x',
    '1756847460',
  ])('returns null for %j', (text) => {
    expect(readInstant(text)).toBeNull();
  });
});

describe('readEnd', () => {
  it('gives the last millisecond of a day, and the same instant for a time', () => {
    expect(iso(readEnd('2025-09-02'))).toBe('2025-09-02T23:59:59.999Z');
    expect(iso(readEnd('2025-09-02T21:11:00Z'))).toBe('2025-09-02T21:11:00.000Z');
    expect(readEnd('soon')).toBeNull();
  });
});
