import { mkdirSync, symlinkSync } from 'node:fs';
import { isHidden, unreadable, walkFolder } from '../../../src/ingest/walk-folder.js';
import type { FoundFile, PassedOver } from '../../../src/ingest/walk-folder.js';
import { testFolder } from '../../support/test-folder.js';
import type { TestFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.remove());

async function walk(root = folder.path): Promise<(FoundFile | PassedOver)[]> {
  const found: (FoundFile | PassedOver)[] = [];
  for await (const each of walkFolder({ root, isWanted: (path) => path.endsWith('.md') })) found.push(each);
  return found;
}
const pathsOf = async (): Promise<string[]> => (await walk()).map(({ path }) => path);

describe('walkFolder', () => {
  it('finds the wanted files below a folder, in the order of their names', async () => {
    writeFiles(folder.path, { 'b.md': '', 'a/z.md': '', 'a/y/x.md': '', 'A.md': '', 'a.txt': '' });
    expect(await pathsOf()).toEqual(['A.md', 'a/y/x.md', 'a/z.md', 'b.md']);
  });

  it('tells where a file is, how large and how old', async () => {
    writeFiles(folder.path, { 'a/b.md': '漢' });
    expect(await walk()).toEqual([
      {
        kind: 'file',
        path: 'a/b.md',
        absolute: folder.file('a/b.md'),
        bytes: 3,
        mtimeMs: expect.any(Number),
      },
    ]);
  });

  it('takes names with white space and of any script', async () => {
    writeFiles(folder.path, { 'a b/漢 字#.md': '' });
    expect(await pathsOf()).toEqual(['a b/漢 字#.md']);
  });

  it('parts folders by forward slashes, and a backslash within a name is none', async () => {
    writeFiles(folder.path, { 'a/b\\c.md': '' });
    expect(await pathsOf()).toEqual(['a/b\\c.md']);
  });

  it('leaves hidden files and folders and those of others out without a word', async () => {
    writeFiles(folder.path, {
      '.a.md': '',
      '.git/b.md': '',
      'node_modules/c.md': '',
      'a/node_modules/d.md': '',
      'e.md': '',
    });
    expect(await pathsOf()).toEqual(['e.md']);
  });

  it('does not take a folder for a file, whatever its name', async () => {
    mkdirSync(folder.file('a.md'));
    expect(await pathsOf()).toEqual([]);
  });

  it('names a link within the folder and does not follow it', async () => {
    writeFiles(folder.path, { 'a/b.md': '' });
    symlinkSync(folder.file('a'), folder.file('link'));
    symlinkSync(folder.file('a/b.md'), folder.file('link.md'));
    expect(await pathsOf()).toEqual(['a/b.md', 'link', 'link.md']);
  });

  it('does not run in circles', async () => {
    writeFiles(folder.path, { 'a/b.md': '' });
    symlinkSync(folder.path, folder.file('a/up'));
    expect(await pathsOf()).toEqual(['a/b.md', 'a/up']);
  });

  it.each<[string, string, string]>([
    ['a link out of the folder', '..', 'link'],
    ['a link to a neighbour whose name begins alike', '../other', 'link'],
    ['a link to nowhere', 'nowhere', 'link'],
    ['a link to itself', 'link', 'link'],
  ])('names %s, which is no problem to mend', async (_, target, name) => {
    writeFiles(folder.path, { 'root/a.md': '', 'other/b.md': '' });
    symlinkSync(target, folder.file(`root/${name}`));
    expect(await walk(folder.file('root'))).toMatchObject([
      { kind: 'file', path: 'a.md' },
      { kind: 'skipped', path: 'link', isProblem: false },
    ]);
  });

  it('names a folder that can not be read as a problem', async () => {
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
  it.each(['EACCES', 'EPERM', 'ELOOP', 'ENOENT', 'EIO'])(
    'is a problem that names the file for %s',
    (code) => {
      const skipped = unreadable('a.md', Object.assign(new Error('x'), { code }));
      expect(skipped).toEqual({ kind: 'skipped', path: 'a.md', reason: expect.any(String), isProblem: true });
    },
  );

  it('says another reason for each', () => {
    const reasonFor = (code: string) => unreadable('a.md', Object.assign(new Error('x'), { code })).reason;
    expect(new Set([reasonFor('EACCES'), reasonFor('ENOENT'), reasonFor('EIO')]).size).toBe(3);
  });
});
