import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { InvalidArgumentError } from '../../../src/core/errors.js';
import { type AnySource, readAddress, shownAddress, shownSource } from '../../../src/sources/read-address.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';

function hintFor(text: string): string | undefined {
  try {
    readAddress(text);
    return undefined;
  } catch (error) {
    return error instanceof InvalidArgumentError ? error.hint : undefined;
  }
}

describe('shownSource', () => {
  it.each([
    'https://git.example.com/a.git',
    'https://git.example.com/a.git#main',
    'https://git.example.com/a.git#main:docs',
    'https://git.example.com/a.git#:docs',
    'https://docs.example.com/guide/',
  ])('reads like the address: %s', (text) => expect(shownSource(readAddress(text))).toBe(text));
});

describe('readAddress', () => {
  it.each([
    ['https://docs.example.com/guide/', { kind: 'site', name: 'docs.example.com-guide' }],
    ['https://git.example.com/team/handbook.git', { kind: 'git', name: 'handbook' }],
    [
      'https://git.example.com/team/handbook.git#main:docs/en',
      { kind: 'git', address: 'https://git.example.com/team/handbook.git', branch: 'main', path: 'docs/en' },
    ],
    ['https://git.example.com/a.git#release/2.0', { branch: 'release/2.0' }],
    ['https://git.example.com/a.git#:docs/', { path: 'docs' }],
    ['https://github.com/o/r', { kind: 'git', name: 'r' }],
    ['https://gitlab.com/o/r', { kind: 'git', address: 'https://gitlab.com/o/r' }],
    ['https://bitbucket.org/o/r', { kind: 'git' }],
    ['https://codeberg.org/o/r', { kind: 'git' }],
    ['https://github.com/o', { kind: 'site' }],
    ['https://github.com/o/r/wiki', { kind: 'site' }],
    ['git@git.example.com:team/handbook.git#v2', { kind: 'git', name: 'handbook', branch: 'v2' }],
    ['ssh://git@git.example.com:2222/team/handbook', { kind: 'git', name: 'handbook' }],
    ['file:///srv/git/handbook.git', { kind: 'git', address: 'file:///srv/git/handbook.git' }],
    ['https://example.com/docs.zip', { kind: 'archive', name: 'docs' }],
    ['https://example.com/docs-1.2.tar.gz', { kind: 'archive', name: 'docs-1.2' }],
    ['https://example.com/docs.tgz', { kind: 'archive' }],
    ['https://example.com/Guide%20A.docx', { kind: 'file', name: 'guide-a' }],
    ['https://example.com/openapi.yaml', { kind: 'file', name: 'openapi' }],
    ['https://example.com/api/swagger.JSON', { kind: 'file' }],
    ['https://example.com/export.xml', { kind: 'file' }],
    ['https://example.com/notes.org', { kind: 'file' }],
    ['https://example.com/man1/bash.1', { kind: 'file', name: 'bash' }],
    ['https://example.com/docs/v1.2', { kind: 'site' }],
    ['https://example.com/sitemap.xml', { kind: 'site' }],
    ['./contracts', { kind: 'folder', name: 'contracts' }],
  ])('reads %s', (text, expected) => {
    expect(readAddress(text)).toMatchObject(expected);
  });

  describe('of a file of this machine', () => {
    let folder: TestFolder;
    beforeEach(() => (folder = testFolder()));
    afterEach(() => folder.remove());

    it('is a file, an archive or a folder by what is there', () => {
      writeFileSync(folder.file('guide.docx'), '');
      writeFileSync(folder.file('docs.zip'), '');
      mkdirSync(folder.file('docs.tar.gz'));
      expect(readAddress(folder.file('guide.docx'))).toMatchObject({ kind: 'file', name: 'guide' });
      expect(readAddress('docs.zip', { base: folder.path })).toMatchObject({ kind: 'archive', name: 'docs' });
      expect(readAddress(folder.file('docs.tar.gz')).kind).toBe('folder');
    });

    it.each([
      ['big.zip', 'archive'],
      ['guide.pdf', 'file'],
      ['docs-1.2', 'folder'],
      ['notes#1.md', 'file'],
      ['c#', 'folder'],
      ['docs.git', 'git'],
      ['docs.git#v2', 'git'],
      ['docs#v2', 'git'],
      ['docs#v2:guide.md', 'git'],
    ])('%s that is gone is of the kind %s', (name, kind) => {
      expect(readAddress(folder.file(name)).kind).toBe(kind);
    });

    it('is the same repository, also if it is not mounted now', () => {
      const read = (text: string): AnySource => readAddress(text, { base: folder.path });
      const texts = ['work#v2:guide', `${pathToFileURL(folder.file('work')).href}#v2:guide`];
      mkdirSync(folder.file('work/.git'), { recursive: true });
      const mounted = texts.map(read);
      rmSync(folder.file('work/.git'), { recursive: true });
      expect(texts.map(read)).toEqual(mounted);
      rmSync(folder.file('work'), { recursive: true });
      expect(texts.map(read)).toEqual(mounted);
    });

    it.each(['bash.1', 'openapi.yaml', 'swagger.json', 'book.xml'])('%s may be a document', (name) => {
      writeFileSync(folder.file(name), '');
      expect(readAddress(folder.file(name)).kind).toBe('file');
    });

    it('is the file before an anchor in its address', () => {
      writeFileSync(folder.file('guide.md'), '# Guide');
      expect(readAddress(`${pathToFileURL(folder.file('guide.md')).href}#install`)).toMatchObject({
        ...{ kind: 'file', address: folder.file('guide.md') },
      });
    });

    it('is a repository if it is bare, or if a branch or a folder of one is named', () => {
      for (const name of ['HEAD', 'objects', 'refs'])
        mkdirSync(folder.file(`docs.git/${name}`), { recursive: true });
      mkdirSync(folder.file('work/.git'), { recursive: true });
      mkdirSync(folder.file('c#'));
      const read = (text: string): AnySource => readAddress(text, { base: folder.path });
      const address = (name: string): string => pathToFileURL(folder.file(name)).href;
      expect(read('docs.git')).toMatchObject({ kind: 'git', name: 'docs', address: address('docs.git') });
      expect(read('./docs.git#v2:guide')).toMatchObject({ kind: 'git', branch: 'v2', path: 'guide' });
      expect(read('work#main')).toMatchObject({ kind: 'git', address: address('work'), branch: 'main' });
      expect(read('work').kind).toBe('folder');
      expect(read(`${address('work')}#main:docs`)).toMatchObject({
        ...{ kind: 'git', name: 'work', address: address('work'), branch: 'main', path: 'docs' },
      });
      expect(read(address('work')).kind).toBe('folder');
      expect(read('c#').kind).toBe('folder');
    });

    it('refuses one that is not a document', () => {
      writeFileSync(folder.file('a.png'), '');
      expect(() => readAddress(folder.file('a.png'))).toThrow('a format that is not read');
    });

    it('says how to convert one that can be converted', () => {
      writeFileSync(folder.file('a.doc'), '');
      expect(hintFor(folder.file('a.doc'))).toBe('Convert it: save as .docx.');
      writeFileSync(folder.file('b.xls'), '');
      expect(hintFor(folder.file('b.xls'))).toBe('Convert it: save as .xlsx.');
      writeFileSync(folder.file('c.py'), '');
      expect(hintFor(folder.file('c.py'))).toBe(
        `Documentation in code is read if \`include\` names it: pith add ${folder.path} --include "**/*.py"`,
      );
    });
  });

  it('refuses an empty address', () => {
    expect(() => readAddress('')).toThrow('"" can\'t be a source: it is empty.');
    expect(hintFor(' ')).toBe('Give a folder, a file or an address.');
  });

  it('refuses a branch or a folder that differs from the one in the address', () => {
    const address = 'https://example.com/a.git#v1:docs';
    expect(readAddress(address, { branch: 'v1', path: 'docs' })).toMatchObject({
      branch: 'v1',
      path: 'docs',
    });
    expect(() => readAddress(address, { branch: 'main' })).toThrow(
      'its address names the branch v1, and its settings main',
    );
    expect(() => readAddress(address, { path: 'api' })).toThrow(
      'its address names the path docs, and its settings api',
    );
  });

  it.each([
    ['ftp://example.com/docs', 'ftp is not read'],
    ['git://example.com/a.git', 'git is not read'],
    ['gopher://example.com/', 'gopher is not read'],
    ['ext::sh -c touch% /tmp/x://a', ''],
    ['https://user:pw@example.com/a.git', 'contains a user'],
    ['https://token@github.com/o/r', 'contains a user'],
    ['ssh://git:pw@example.com/a.git', 'contains a password'],
    ['ssh://-oProxyCommand=touch%20x/a.git', 'its host is not a name'],
    ['https://2130706433/a.git', 'another form'],
    ['https://example.com/a.git#--upload-pack=touch x', 'not the name of a branch'],
    ['https://example.com/a.git#a..b', 'not the name of a branch'],
    ['https://example.com/a.git#a b', 'not the name of a branch'],
    ['https://example.com/a.git#a\nb', 'not the name of a branch'],
    ['https://example.com/a.git#refs@{1}', 'not the name of a branch'],
    ['https://example.com/a.git#*', 'not the name of a branch'],
    ['https://example.com/a.git#main:../etc', 'leaves the repository'],
    ['https://example.com/a.git#main:docs/../../etc', 'leaves the repository'],
    ['https://example.com/a.git#main:docs\\..\\x', 'leaves the repository'],
    ['file://other-host/srv/a.git', 'not a path of this machine'],
  ])('refuses %j', (text, words) => {
    // A text without a scheme that git knows is a path, and never reaches git.
    const read = (): unknown => readAddress(text);
    if (words === '') expect(read()).toMatchObject({ kind: 'folder' });
    else expect(read).toThrow(words);
  });

  it('never repeats a query in its message', () => {
    const read = (): unknown => readAddress('https://example.com/a.docx?sig=geheim99', { kind: 'folder' });
    expect(read).toThrow('https://example.com/a.docx can');
    expect(() => readAddress('https://example.com/a.docx?sig=geheim99', { branch: 'main' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('geheim99') as string }),
    );
  });

  it('never repeats a password in its message', () => {
    expect(() => readAddress('https://ida:geheim99@example.com/a.git')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('geheim99') }),
    );
  });

  it('takes names and kinds of a list over those of the address', () => {
    const options = { name: 'hb', kind: 'git', branch: 'dev' } as const;
    expect(readAddress('https://git.example.com/team/handbook', options)).toMatchObject(options);
  });
});

describe('shownAddress', () => {
  it('leaves out the query of an address, and keeps the name of a file', () => {
    const signed = 'https://bucket.example/a/guide.docx?X-Amz-Signature=0123&se=1#p';
    expect(shownAddress({ address: signed })).toBe('https://bucket.example/a/guide.docx#p');
    expect(shownAddress({ address: '/srv/what?.md' })).toBe('/srv/what?.md');
  });

  it('leaves out the user', () => {
    expect(shownAddress({ address: 'ssh://git@example.com/a.git' })).toBe('ssh://example.com/a.git');
  });
});
