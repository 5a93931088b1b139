import { folderVersions } from '../../../src/ingest/folder-versions.js';

/** The versions of folders that have the same two pages. */
function versionsOf(...folders: string[]): (string | undefined)[] {
  const versionOf = folderVersions(folders.flatMap((folder) => [`${folder}/setup.md`, `${folder}/use.md`]));
  return folders.map((folder) => versionOf(`${folder}/setup.md`));
}

const versionsIn = (...paths: string[]): (string | undefined)[] => paths.map(folderVersions(paths));

describe('folderVersions', () => {
  it('finds folders beside each other that are named like versions and have the same pages', () => {
    expect(versionsOf('2.21', 'intro', '2.22')).toEqual(['2.21', undefined, '2.22']);
    expect(versionsOf('docs/v2', 'docs/latest', 'docs/next')).toEqual(['2', 'latest', 'next']);
    expect(versionsIn('1.0/a/b.md', '1.0/a/c.md', '2.0/a/b.md', '2.0/a/c.md')[0]).toBe('1.0');
  });

  it('counts a version without common pages beside others that are surely versions', () => {
    const pages = ['v2.3/a.md', 'v3.1/b.md', 'v3.1/c.md', 'v3.2/b.md', 'v3.2/c.md', '2021/d.md'];
    expect(versionsIn(...pages)).toEqual(['2.3', '3.1', '3.1', '3.2', '3.2', undefined]);
  });

  it('leaves out what is before the number, as people write versions', () => {
    expect(versionsOf('version-7.4', 'version-7.5')).toEqual(['7.4', '7.5']);
  });

  it('finds a single version of Docusaurus', () => {
    expect(versionsIn('docs/a.md', 'versioned_docs/version-1.0/a.md')).toEqual([undefined, '1.0']);
  });

  it('finds versions of Docusaurus by their names without numbers', () => {
    const pages = ['stable/a.md', 'v0.4/a.md', 'next/a.md'].map((path) => `x_versioned_docs/version-${path}`);
    expect(versionsIn(...pages)).toEqual(['stable', '0.4', 'next']);
  });

  it('finds versions of a site whose pages are all named index.html', () => {
    const pages = ['v3.5/index.html', 'v3.5/faq/index.html', 'v3.5/ops/tls/index.html'];
    expect(versionsIn(...pages, ...pages.map((path) => path.replace('3.5', '3.6')))).toEqual([
      '3.5',
      '3.5',
      '3.5',
      '3.6',
      '3.6',
      '3.6',
    ]);
  });

  it('takes a number alone for a version only beside one that is surely a version', () => {
    expect(versionsOf('4', '5')).toEqual([undefined, undefined]);
    expect(versionsOf('4', '5.1')).toEqual(['4', '5.1']);
  });

  it.each([
    ['years', ['2021', '2022', '2023']],
    ['teams', ['main', 'dev', 'next']],
    ['a version alone', ['v1']],
  ])('does not take %s for versions', (_, folders) => {
    expect(versionsOf(...folders)).toEqual(folders.map(() => undefined));
  });

  it('does not take chapters for versions, which share no page but their index', () => {
    expect(versionsIn('4.1/index.md', '4.1/tides.md', '4.2/index.md', '4.2/ships.md')).toEqual(
      Array(4).fill(undefined),
    );
    expect(versionsIn('v1/a.md', 'v1/b.md', 'v2/c.md', 'v2/d.md')).toEqual(Array(4).fill(undefined));
  });
});
