import { folderVersions } from '../../../src/ingest/folder-versions.js';

const versionsIn = (...paths: string[]): (string | undefined)[] => paths.map(folderVersions(paths));

describe('folderVersions', () => {
  it('finds folders beside each other that are named like versions and have the same pages', () => {
    expect(versionsIn('2.21/setup.md', 'docs/intro.md', '2.22/setup.md')).toEqual([
      '2.21',
      undefined,
      '2.22',
    ]);
    expect(versionsIn('docs/v2/a/b.md', 'docs/latest/a/b.md')).toEqual(['2', 'latest']);
  });

  it('leaves out what is before the number, as people write versions', () => {
    expect(versionsIn('version-7.4/a.md', 'version-7.5/a.md')).toEqual(['7.4', '7.5']);
  });

  it('finds a single version of Docusaurus', () => {
    expect(versionsIn('docs/a.md', 'versioned_docs/version-1.0/a.md')).toEqual([undefined, '1.0']);
  });

  it('does not take chapters, years and folders of sources for versions', () => {
    expect(versionsIn('1/index.md', '2/index.md')).toEqual([undefined, undefined]);
    expect(versionsIn('blog/2023/one.md', 'blog/2024/two.md')).toEqual([undefined, undefined]);
    expect(versionsIn('main/a.md', 'dev/a.md')).toEqual([undefined, undefined]);
    expect(versionsIn('v1/a.md', 'v1/b.md')).toEqual([undefined, undefined]);
    expect(versionsIn('v1/a.md', 'v2/b.md')).toEqual([undefined, undefined]);
  });

  it('takes numbers for versions if they share several pages', () => {
    const pages = ['a.md', 'b.md', 'c.md'];
    expect(versionsIn(...pages.map((page) => `4/${page}`), ...pages.map((page) => `5/${page}`))).toEqual([
      ...['4', '4', '4'],
      ...['5', '5', '5'],
    ]);
  });
});
