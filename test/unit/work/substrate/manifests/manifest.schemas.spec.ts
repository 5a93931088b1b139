import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { foldersOf, pathProblem } from '../../../../../src/work/substrate/manifests/manifest.schemas.js';
import { codePoints } from '../../../../support/code-points.js';

describe('pathProblem', () => {
  it.each(['a', 'guides/setup.md', 'a b/c', '.hidden', 'a..b/..c', 'Ä/ß.md', '😀.md', 'x'.repeat(1_024)])(
    'accepts %s',
    (path) => {
      expect(pathProblem(path)).toBeNull();
    },
  );

  it.each([
    ['', 'nothing'],
    ['x'.repeat(1_025), 'too long'],
    ['/etc/passwd', 'absolute'],
    ['C:/x', 'a drive'],
    ['c:x', 'a drive without /'],
    ['..', 'the folder above'],
    ['a/../b', 'up again'],
    ['./a', 'this folder'],
    ['a/.', 'this folder at the end'],
    ['a//b', 'an empty folder'],
    ['a/', 'a folder'],
    ['a\\b', 'a backslash'],
    ['a\u0000b', 'NUL'],
    ['a\nb', 'a line break'],
    ['A\u0308', 'another form of Ä'],
    ['\ud800', 'half a character'],
    [Array(33).fill('a').join('/'), 'too deep'],
  ])('refuses %j: %s', (path) => {
    expect(pathProblem(path)).toMatch(/^must /);
  });

  it('accepts no path that leaves a folder, on any system, or has another spelling', () => {
    const part = fc.oneof(
      fc.constantFrom('.', '..', '', 'a', 'b.md', 'C:', '\\', '..\\x'),
      fc.string({ unit: codePoints }),
    );
    const path = fc.array(part, { maxLength: 6 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(path, (each) => {
        if (pathProblem(each) !== null) return;
        expect(posix.normalize(each)).toBe(each);
        expect(posix.resolve('/root', each).startsWith('/root/')).toBe(true);
        expect(win32.resolve('D:\\root', each).startsWith('D:\\root\\')).toBe(true);
        expect(each.normalize('NFC')).toBe(each);
      }),
      { numRuns: 500 },
    );
  });
});

describe('foldersOf', () => {
  it('names the folders of a path', () => {
    expect(foldersOf('a/b/c.md')).toEqual(['a', 'a/b']);
    expect(foldersOf('c.md')).toEqual([]);
  });
});
