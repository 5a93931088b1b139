import { describeDocument, type DocumentOrigin } from '../../../../src/ingest/reading/describe-document.js';

const describeFile = (origin: Partial<DocumentOrigin>) =>
  describeDocument({
    path: 'guide/get-started.md',
    frontMatter: {},
    headingTitle: null,
    htmlTitle: null,
    mtimeMs: 0,
    overrides: { repository: 'repo' },
    metadata: {},
    ...origin,
  });

describe('describeDocument', () => {
  it('falls back to the path of the file', () => {
    expect(describeFile({})).toEqual({
      path: 'guide/get-started.md',
      title: 'Get started',
      docTag: 'guide',
      repository: 'repo',
      updatedAt: '1970-01-01T00:00:00.000Z',
      url: null,
      metadata: {},
    });
  });

  it('prefers the title of front matter, then of headings, then of HTML', () => {
    const all = { frontMatter: { title: ' A\n b ' }, headingTitle: 'B', htmlTitle: 'C' };
    expect(describeFile(all).title).toBe('A b');
    expect(describeFile({ ...all, frontMatter: { title: [] } }).title).toBe('B');
    expect(describeFile({ htmlTitle: 'C' }).title).toBe('C');
    const home = { layout: 'home', hero: { name: 'Quay', text: 'Berths for all' } };
    expect(describeFile({ ...all, frontMatter: home }).title).toBe('Quay Berths for all');
  });

  it('takes the title of the navigation before the name of the file', () => {
    const overrides = { repository: 'repo', label: 'Start here' };
    expect(describeFile({ overrides }).title).toBe('Start here');
    expect(describeFile({ overrides, headingTitle: 'B' }).title).toBe('B');
  });

  it.each([
    ['a file name', 'guide/setup.html', { headingTitle: 'setup.html', htmlTitle: 'Set up' }, 'Set up'],
    ['"index"', 'guide/index.md', { headingTitle: 'Index' }, 'Guide'],
    ['"README" in a folder', 'harbour-fees/README.md', {}, 'Harbour fees'],
    ['"README" at the root without a better title', 'README.md', {}, 'README'],
    ['two extensions', 'guide/first-steps.rst.txt', {}, 'First steps'],
    [
      'a file name in front matter',
      'a/b.md',
      { frontMatter: { title: 'b.md' }, headingTitle: 'Ships' },
      'Ships',
    ],
  ])('chooses the title for %s', (_what, path, origin, title) => {
    expect(describeFile({ path, ...origin }).title).toBe(title);
  });

  it('keeps a title that is similar to the file name', () => {
    expect(describeFile({ headingTitle: 'Get started', htmlTitle: 'Harbour' }).title).toBe('Get started');
  });

  it('prefers the tag of front matter, then of the manifest, then the folder, then the file name', () => {
    const overrides = { docTag: 'set', repository: 'repo' };
    expect(describeFile({ frontMatter: { doc_tag: 'own' }, overrides }).docTag).toBe('own');
    expect(describeFile({ overrides }).docTag).toBe('set');
    expect(describeFile({ path: 'faq.md' }).docTag).toBe('faq');
  });

  it.each([
    [{ updated: '2024-05-01' }, '2024-05-01T00:00:00.000Z'],
    [{ date: '2024-05-01 10:30:00' }, '2024-05-01T10:30:00.000Z'],
    [{ lastmod: '2024-05-01T10:30:00+02:00' }, '2024-05-01T08:30:00.000Z'],
    [{ 'ms.date': '5/1/2024' }, '2024-05-01T00:00:00.000Z'],
    [{ updated: 'soon', last_modified: '2024-05-01T10:30Z' }, '2024-05-01T10:30:00.000Z'],
    [{ date: '2024-02-30' }, '1970-01-01T00:00:00.000Z'],
    [{ 'ms.date': '13/01/2024' }, '1970-01-01T00:00:00.000Z'],
  ])('reads the date of %j as %s', (frontMatter, updatedAt) => {
    expect(describeFile({ frontMatter }).updatedAt).toBe(updatedAt);
  });

  it('prefers `updated`, then `date`, then `lastmod`, then the modification time', () => {
    const lastmod = { lastmod: '2022-01-01' };
    const date = { ...lastmod, date: '2021-01-01' };
    const updated = { ...date, updated: '2020-01-01' };
    expect(
      [{}, lastmod, date, updated].map((frontMatter) => describeFile({ frontMatter }).updatedAt),
    ).toEqual([
      '1970-01-01T00:00:00.000Z',
      '2022-01-01T00:00:00.000Z',
      '2021-01-01T00:00:00.000Z',
      '2020-01-01T00:00:00.000Z',
    ]);
  });

  it.each([
    [{ url: 'https://x.org/a' }, 'https://x.org/a'],
    [{ url: '/a', canonical_url: 'http://x.org' }, 'http://x.org'],
    [{ permalink: 'javascript:alert(1)' }, null],
    [{ url: 'https://' }, null],
  ])('reads the URL of %j as %s', (frontMatter, url) => {
    expect(describeFile({ frontMatter }).url).toBe(url);
  });

  it('limits the length of every string', () => {
    const long = 'x'.repeat(1000);
    const facts = describeFile({ frontMatter: { title: long, doc_tag: long, repository: long } });
    expect([facts.title.length, facts.docTag.length, facts.repository.length]).toEqual([300, 128, 300]);
  });
});
