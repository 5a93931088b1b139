import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { CopyFiles, copyPathProblem } from '../../../src/sources/copy-files.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';

const LIMITS = { files: 3, bytes: 100, fileBytes: 60 };
const bytes = (text: string): Buffer => Buffer.from(text);

describe('copyPathProblem', () => {
  it.each(['a.md', 'a/b c/ü.md', '..a/b..md', '.pith.yaml', 'What is it?.md'])('allows %j', (path) => {
    expect(copyPathProblem(path)).toBeNull();
  });

  it.each([
    '../a.md',
    'a/../../b.md',
    '/etc/passwd',
    'C:/a.md',
    'a\\..\\b.md',
    'a//b.md',
    './a.md',
    'a/./b.md',
    'a\u0000.md',
    'a\nb.md',
    '.git/config',
    'a/.GIT/hooks/post-checkout',
    '.git /config',
    'git~1/config',
    `${'a'.repeat(300)}.md`,
    'a/'.repeat(600),
    '',
  ])('refuses %j', (path) => {
    expect(copyPathProblem(path)).not.toBeNull();
  });
});

describe('CopyFiles', () => {
  let folder: TestFolder;
  beforeEach(() => (folder = testFolder()));
  afterEach(() => folder.remove());

  it('writes files with their time, and reports those that it refuses', () => {
    const copy = new CopyFiles(folder.path, LIMITS);
    copy.write({ path: 'a/b.md', address: 'x', modifiedAt: '2024-05-06T07:08:09Z' }, bytes('hello'));
    copy.write({ path: '../b.md', address: 'x' }, bytes('hello'));
    copy.write({ path: 'large.md', address: 'x' }, Buffer.alloc(61));
    expect(readFileSync(folder.file('a/b.md'), 'utf8')).toBe('hello');
    expect(statSync(folder.file('a/b.md')).mtime.toISOString()).toBe('2024-05-06T07:08:09.000Z');
    expect(copy.files.map(({ path }) => path)).toEqual(['a/b.md']);
    expect(copy.refused.map(({ address }) => address)).toEqual(['"../b.md"', 'large.md']);
    expect(readdirSync(folder.path)).toEqual(['a']);
  });

  it('never overwrites, and never follows a link', () => {
    const copy = new CopyFiles(folder.path, LIMITS);
    symlinkSync('/tmp', folder.file('link.md'));
    copy.write({ path: 'link.md', address: 'x' }, bytes('hello'));
    copy.write({ path: 'a', address: 'x' }, bytes('hello'));
    copy.write({ path: 'a/b.md', address: 'x' }, bytes('hello'));
    copy.write({ path: 'a', address: 'x' }, bytes('other'));
    expect(readFileSync(folder.file('a'), 'utf8')).toBe('hello');
    expect(copy.refused.map(({ address }) => address)).toEqual(['a', 'a/b.md', 'link.md']);
  });

  it('takes over no file that the last copy lacks', () => {
    const copy = new CopyFiles(folder.file('copy'), LIMITS);
    expect(copy.link({ path: 'a.md', address: 'x' }, folder.file('last/a.md'))).toBe(false);
    expect(copy.files).toEqual([]);
  });

  it('stops at the limits of all files', () => {
    const copy = new CopyFiles(folder.path, LIMITS);
    copy.write({ path: 'a', address: 'x' }, Buffer.alloc(60));
    expect(() => copy.write({ path: 'b', address: 'x' }, Buffer.alloc(60))).toThrow('more than 100 bytes');
    const small = new CopyFiles(folder.file('small'), LIMITS);
    for (const path of ['a', 'b', 'c']) small.write({ path, address: 'x' }, bytes('x'));
    expect(() => small.write({ path: 'd', address: 'x' }, bytes('x'))).toThrow('more than 3 files');
  });

  it('lists 1,000 refusals and counts the others', () => {
    const copy = new CopyFiles(folder.path, LIMITS);
    for (let i = 0; i < 1_005; i++) copy.refuse(`${i}.md`, 'a link');
    expect(copy.refused).toHaveLength(1_001);
    expect(copy.refused.at(-1)?.address).toBe('5 more');
  });
});
