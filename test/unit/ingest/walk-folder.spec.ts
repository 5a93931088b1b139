import { mkdirSync, symlinkSync } from 'node:fs';
import {
  type FoundFile,
  isHidden,
  type PassedOver,
  unreadable,
  type WalkedEntry,
  walkFolder,
  type WalkOptions,
} from '../../../src/ingest/walk-folder.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.remove());

async function walkAll(options: Partial<WalkOptions> = {}): Promise<WalkedEntry[]> {
  const found: WalkedEntry[] = [];
  const isWanted = (path: string): boolean => path.endsWith('.md');
  for await (const each of walkFolder({ root: folder.path, isWanted, usesIgnoreFiles: true, ...options }))
    found.push(each);
  return found;
}
const walk = async (root = folder.path): Promise<(FoundFile | PassedOver)[]> =>
  (await walkAll({ root })).flatMap((each) =>
    each.kind === 'file' || each.kind === 'skipped' ? [each] : [],
  );
const pathsOf = async (): Promise<string[]> => (await walk()).map(({ path }) => path);

describe('walkFolder', () => {
  it('finds the wanted files below a folder, sorted by name', async () => {
    writeFiles(folder.path, { 'b.md': '', 'a/z.md': '', 'a/y/x.md': '', 'A.md': '', 'a.txt': '' });
    expect(await pathsOf()).toEqual(['A.md', 'a/y/x.md', 'a/z.md', 'b.md']);
  });

  it('returns path, size and modification time', async () => {
    writeFiles(folder.path, { 'a/b.md': '漢' });
    expect(await walk()).toEqual([
      {
        kind: 'file',
        path: 'a/b.md',
        absolute: folder.file('a/b.md'),
        bytes: 3,
        mtimeMs: expect.any(Number),
        ctimeMs: expect.any(Number),
        stat: expect.stringMatching(/^3 \S+ \S+ \d+$/),
      },
    ]);
  });

  it('accepts names with white space and in any script', async () => {
    writeFiles(folder.path, { 'a b/漢 字#.md': '' });
    expect(await pathsOf()).toEqual(['a b/漢 字#.md']);
  });

  it('separates folders by forward slashes, and keeps a backslash in a name', async () => {
    writeFiles(folder.path, { 'a/b\\c.md': '' });
    expect(await pathsOf()).toEqual(['a/b\\c.md']);
  });

  it('leaves out hidden files and folders and those of dependencies without a report', async () => {
    writeFiles(folder.path, {
      '.a.md': '',
      '.git/b.md': '',
      'node_modules/c.md': '',
      'a/node_modules/d.md': '',
      'e.md': '',
    });
    expect(await pathsOf()).toEqual(['e.md']);
  });

  it('does not treat a folder as a file, whatever its name', async () => {
    mkdirSync(folder.file('a.md'));
    expect(await pathsOf()).toEqual([]);
  });

  it('reports a link within the folder and does not follow it', async () => {
    writeFiles(folder.path, { 'a/b.md': '' });
    symlinkSync(folder.file('a'), folder.file('link'));
    symlinkSync(folder.file('a/b.md'), folder.file('link.md'));
    expect(await pathsOf()).toEqual(['a/b.md', 'link', 'link.md']);
  });

  it('does not follow circular links', async () => {
    writeFiles(folder.path, { 'a/b.md': '' });
    symlinkSync(folder.path, folder.file('a/up'));
    expect(await pathsOf()).toEqual(['a/b.md', 'a/up']);
  });

  it.each<[string, string, string]>([
    ['a link out of the folder', '..', 'link'],
    ['a link to a folder whose name has the same start', '../other', 'link'],
    ['a link to a missing target', 'nowhere', 'link'],
    ['a link to itself', 'link', 'link'],
  ])('reports %s, which needs no fixing', async (_, target, name) => {
    writeFiles(folder.path, { 'root/a.md': '', 'other/b.md': '' });
    symlinkSync(target, folder.file(`root/${name}`));
    expect(await walk(folder.file('root'))).toMatchObject([
      { kind: 'file', path: 'a.md' },
      { kind: 'skipped', path: 'link', isProblem: false },
    ]);
  });

  it.each(['objects.inv', 'searchindex.js'])(
    'skips the folders and indexes that Sphinx puts next to its pages and %s',
    async (mark) => {
      writeFiles(folder.path, {
        [`en/${mark}`]: '',
        'en/a.md': '',
        'en/_sources/a.md': '',
        'en/_static/b.md': '',
        'en/_modules/crane.html': '',
        'en/b/_static/c.md': '',
        'en/genindex.html': '',
        'en/genindex/index.html': '',
        'en/py-modindex.html': '',
        'en/search.html': '',
      });
      const reason: unknown = expect.stringContaining('Sphinx');
      expect(await walk()).toMatchObject([
        { kind: 'skipped', path: 'en/_modules', reason, isProblem: false },
        { kind: 'skipped', path: 'en/_sources', reason, isProblem: false },
        { kind: 'skipped', path: 'en/_static', reason, isProblem: false },
        { kind: 'file', path: 'en/a.md' },
        { kind: 'file', path: 'en/b/_static/c.md' },
        { kind: 'skipped', path: 'en/genindex', reason, isProblem: false },
        { kind: 'skipped', path: 'en/genindex.html', reason, isProblem: false },
        { kind: 'skipped', path: 'en/py-modindex.html', reason, isProblem: false },
        { kind: 'skipped', path: 'en/search.html', reason, isProblem: false },
      ]);
    },
  );

  it('skips the templates beside the settings of Sphinx', async () => {
    writeFiles(folder.path, { 'conf.py': '', '_templates/layout.html': '', 'a.md': '' });
    expect(await walk()).toMatchObject([
      { kind: 'skipped', path: '_templates', isProblem: false },
      { kind: 'file', path: 'a.md' },
    ]);
  });

  it('finds documents in folders with these names elsewhere', async () => {
    const names = ['_sources/a.md', '_static/b.md', '_templates/c.md', 'objects.inv/d.md'];
    writeFiles(folder.path, Object.fromEntries(names.map((name) => [name, ''])));
    expect(await pathsOf()).toEqual(names);
  });

  it('reports an unreadable folder as a problem', async () => {
    expect(await walk(folder.file('nowhere'))).toMatchObject([
      { kind: 'skipped', path: '.', isProblem: true },
    ]);
  });

  it('finds nothing in an empty folder', async () => {
    expect(await walk()).toEqual([]);
  });
});

describe('isHidden', () => {
  it.each([
    ['.git', true],
    ['.a.md', true],
    ['node_modules', true],
    ['__pycache__', true],
    ['a.md', false],
    ['node_modules.md', false],
  ])('of %s is %s', (name, hidden) => {
    expect(isHidden(name)).toBe(hidden);
  });
});

describe('unreadable', () => {
  it('tells a name that Node can not express from a file that is gone', () => {
    const gone = Object.assign(new Error('x'), { code: 'ENOENT' });
    expect(unreadable('a\uFFFD.md', gone).reason).toBe('its name is no UTF-8; rename it');
    expect(unreadable('a.md', gone).reason).toBe('it was removed during the run');
  });

  it.each(['EACCES', 'EPERM', 'ELOOP', 'ENOENT', 'EIO'])(
    'reports %s as a problem, with the path of the file',
    (code) => {
      const skipped = unreadable('a.md', Object.assign(new Error('x'), { code }));
      expect(skipped).toEqual({ kind: 'skipped', path: 'a.md', reason: expect.any(String), isProblem: true });
    },
  );

  it('gives a different reason for each error', () => {
    const reasonFor = (code: string) => unreadable('a.md', Object.assign(new Error('x'), { code })).reason;
    expect(new Set([reasonFor('EACCES'), reasonFor('ENOENT'), reasonFor('EIO')]).size).toBe(3);
  });
});

describe('ignore files', () => {
  const kept = async (options: Partial<WalkOptions> = {}): Promise<string[]> =>
    (await walkAll(options)).flatMap((each) => (each.kind === 'file' ? [each.path] : []));

  it('are respected: folders, anchored and negated patterns, comments', async () => {
    writeFiles(folder.path, {
      '.gitignore': '# built\nbuild/\n/top.md\n*.tmp.md\n!keep.tmp.md\n',
      ...{ 'a.md': '', 'top.md': '', 'b.tmp.md': '', 'keep.tmp.md': '' },
      ...{ 'sub/top.md': '', 'sub/build/x.md': '', 'build/y.md': '' },
    });
    expect(await kept()).toEqual(['a.md', 'keep.tmp.md', 'sub/top.md']);
  });

  it('in a deeper folder override those above, and .ignore overrides .gitignore', async () => {
    writeFiles(folder.path, {
      '.gitignore': 'a.md\nb.md\n',
      '.ignore': '!b.md\n',
      'sub/.gitignore': '!a.md\n/c.md\n',
      ...{ 'a.md': '', 'b.md': '', 'c.md': '', 'sub/a.md': '', 'sub/c.md': '', 'sub/deep/c.md': '' },
    });
    expect(await kept()).toEqual(['b.md', 'c.md', 'sub/a.md', 'sub/deep/c.md']);
  });

  it('do not re-include files of an ignored folder', async () => {
    writeFiles(folder.path, { '.gitignore': 'out/\n!out/a.md\n', 'out/a.md': '', 'out/.gitignore': '!*\n' });
    expect(await walkAll()).toEqual([{ kind: 'ignored', path: 'out' }]);
  });

  it('of the Git repository above the folder apply as well', async () => {
    writeFiles(folder.path, {
      ...{
        '.git/HEAD': '',
        '.gitignore': 'docs/build/\n*.tmp.md\n!b.tmp.md\n',
        'docs/.gitignore': '!c.tmp.md\n',
      },
      ...{
        'docs/a.md': '',
        'docs/build/x.md': '',
        'docs/a.tmp.md': '',
        'docs/b.tmp.md': '',
        'docs/c.tmp.md': '',
      },
    });
    expect(await kept({ root: folder.file('docs') })).toEqual(['a.md', 'b.tmp.md', 'c.tmp.md']);
    expect(await kept({ root: folder.file('docs'), usesIgnoreFiles: false })).toHaveLength(5);
  });

  it('above the folder have no effect outside of a repository, or if they ignore the folder itself', async () => {
    writeFiles(folder.path, { '.gitignore': '*.md\n', 'docs/a.md': '' });
    expect(await kept({ root: folder.file('docs') })).toEqual(['a.md']);
    writeFiles(folder.path, { '.git/HEAD': '', '.gitignore': '/docs/\n' });
    expect(await kept({ root: folder.file('docs') })).toEqual(['a.md']);
  });

  it('have no effect if they are disabled', async () => {
    writeFiles(folder.path, { '.gitignore': '*.md\n', 'a.md': '' });
    expect(await kept({ usesIgnoreFiles: false })).toEqual(['a.md']);
  });

  it('that are too long are reported and have no effect', async () => {
    writeFiles(folder.path, { '.gitignore': `*.md\n${'# x\n'.repeat(70_000)}`, 'a.md': '' });
    expect(await walkAll()).toMatchObject([
      { kind: 'skipped', path: '.gitignore', isProblem: true },
      { kind: 'file', path: 'a.md' },
    ]);
  });
});
