import { Inclusion } from '../../../../src/ingest/includes/inclusion.js';
import { expandRst } from '../../../../src/ingest/includes/rst-includes.js';

/** Expands a page that includes files made by their names. */
function expand(page: string, fileNamed: (path: string) => string) {
  const inclusion = new Inclusion({ has: () => true, read: fileNamed });
  const text = expandRst(page, { page: 'page.rst', above: [], inclusion });
  return { text, reasons: new Set(inclusion.missed.map(({ why }) => why)) };
}

const includes = (count: number, level: number): string =>
  Array.from({ length: count }, (_, at) => `.. include:: ${level}-${at}.inc\n`).join('');

describe('the limits of includes', () => {
  it('allow ten levels', () => {
    const { text, reasons } = expand(
      includes(1, 0),
      (path) => `Level.\n\n${includes(1, parseInt(path) + 1)}`,
    );
    expect(text.match(/Level\./g)).toHaveLength(10);
    expect([...reasons]).toEqual(['is nested more than 10 deep']);
  });

  it('allow a thousand files of a page, also if each file includes ten', () => {
    const { text, reasons } = expand(
      includes(10, 0),
      (path) => `Level.\n\n${includes(10, parseInt(path) + 1)}`,
    );
    expect(text.match(/Level\./g)).toHaveLength(1000);
    expect(reasons.size).toBeGreaterThan(0);
  });

  it('allow two million characters more', () => {
    const { text, reasons } = expand(includes(100, 0), () => 'a'.repeat(99_999));
    expect(text.length).toBeLessThan(2_003_000);
    expect(text.match(/a{99999}/g)).toHaveLength(20);
    expect([...reasons]).toEqual(['would make the page more than 2000000 characters longer']);
  });

  it('leave out a large file', () => {
    const { reasons } = expand(includes(1, 0), () => 'a'.repeat(100_001));
    expect([...reasons]).toEqual(['is not a text of at most 100000 characters']);
  });

  it('read no more files when the page has all characters', () => {
    let reads = 0;
    expand(includes(1000, 0), () => {
      reads++;
      return 'a'.repeat(99_999);
    });
    expect(reads).toBe(20);
  });

  it('hold for values', () => {
    const inclusion = new Inclusion({ has: () => true, read: () => null });
    const put = Array.from({ length: 25 }, () => inclusion.putValue('a'.repeat(100_000)));
    expect(put.filter((isPut) => isPut)).toHaveLength(20);
  });

  it('allow ten thousand values of a page', () => {
    const inclusion = new Inclusion({ has: () => true, read: () => null });
    const put = Array.from({ length: 10_005 }, () => inclusion.putValue('a'));
    expect([inclusion.count, put.filter((isPut) => isPut).length]).toEqual([10_000, 10_000]);
  });
});
