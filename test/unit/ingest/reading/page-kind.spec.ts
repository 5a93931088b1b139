import { pageKind } from '../../../../src/ingest/reading/page-kind.js';

const aPage = { path: 'guide/moor.md', title: 'Moor a ship', isDated: false, headings: [] };
const headings = (...titles: readonly string[]) => titles.map((title) => ({ title, level: 2 }));

describe('pageKind', () => {
  it.each([
    ['changes', 'CHANGELOG.md'],
    ['changes', 'docs/changelog.md'],
    ['changes', 'history/changelog-5.5.rst'],
    ['changes', 'changes/0.6.rst'],
    ['changes', 'a/release-notes.md'],
    ['changes', 'whatsnew/3.12.rst'],
    ['changes', 'HISTORY.rst'],
    ['list', 'src/SUMMARY.md'],
    ['list', 'modules/ROOT/nav.adoc'],
    ['list', 'modules/ROOT/nav-errors.adoc'],
    ['changes', 'docs/release-notes/4.2.md'],
    ['changes', 'releases/3.2.7.html'],
    ['changes', 'RelNotes/2.1.txt'],
    ['changes', 'release-15-3.html'],
    ['changes', 'new_features_2_4.html'],
    ['changes', "what's-new.md"],
    ['news', '_posts/2024-05-01-a-new-quay.md'],
    ['migration', 'guides/Migration-Guide-V5.md'],
    ['migration', 'upgrading.html'],
    ['list', 'genindex.html'],
    ['list', 'py-modindex.html'],
  ])('tells %s by the path %s', (kind, path) => {
    expect(pageKind({ ...aPage, path })).toBe(kind);
  });

  it.each([
    ['changes', 'What’s new in Quay 3'],
    ['changes', 'Quay 3.2 release notes'],
    ['changes', 'Change history for Quay 3'],
    ['changes', 'E.4. Release 15.3'],
    ['migration', 'Migrating to version 5'],
    ['list', 'Table of contents'],
    ['list', 'Quay documentation contents'],
  ])('tells %s by the title %s', (kind, title) => {
    expect(pageKind({ ...aPage, title })).toBe(kind);
  });

  it('tells news by a folder and the date or author of the page', () => {
    const page = { ...aPage, path: 'blog/quays.md' };
    expect(pageKind({ ...page, isDated: true })).toBe('news');
    expect(pageKind(page)).toBeNull();
    expect(pageKind({ ...aPage, isDated: true })).toBeNull();
  });

  it('tells changes by headings that are versions or days', () => {
    const versions = headings('[Unreleased]', '1.2.0 (2024-05-01)', 'v1.1.9 / 2024-04-01', 'Thanks');
    expect(pageKind({ ...aPage, headings: versions })).toBe('changes');
    const parts = versions.flatMap((one) => [
      one,
      { title: 'Bug fixes', level: 3 },
      { title: 'Docs', level: 3 },
    ]);
    expect(pageKind({ ...aPage, headings: parts })).toBe('changes');
  });

  it.each([
    ['two versions', headings('1.2.0', '1.1.0')],
    ['numbers of sections', headings('4.1. Quays', '4.2. Tides', '4.3 Ships')],
    ['addresses', headings('10.0.0.1', '10.0.0.2', '10.0.0.3')],
    ['versions below other headings', [...headings('Quays', 'Tides', 'Ships'), { title: '1.2.0', level: 3 }]],
  ])('tells nothing by %s', (_, some) => {
    expect(pageKind({ ...aPage, headings: some })).toBeNull();
  });

  it.each([
    ['database/migrations.md', 'Migrations'],
    ['7.5/about/about_history.md', 'about_History'],
    ['guide/releasing.md', 'Release a ship'],
    ['api/changes.rst', '/{db}/_changes'],
    ['api/releases.md', 'Releases'],
    ['api/releases/create.md', 'Create a release'],
    ['api/posts/create.md', 'Create a post'],
    ['api/contents.md', 'Contents of a file'],
    ['api/history.md', 'History'],
    ['exchanges.md', 'Exchanges'],
    ['release-procedure.md', 'Release procedure'],
    ['newsletter.md', 'Newsletter'],
    ['guides/changes-of-state.md', 'Changes of state'],
    ['api/index.md', 'Reference'],
    ['index.md', 'index'],
    ['sql/index.md', 'INDEX'],
    ['api/announcements/list.md', 'List announcements'],
    ['guides/data-migration-to-s3.md', 'Data migration to S3'],
    ['a/upgrade-to-pro.md', 'Upgrade to Pro'],
    ['a/moving.md', 'Migrating from another harbour'],
    ['howto/upgrade.md', 'Upgrade the engine'],
  ])('tells nothing about %s', (path, title) => {
    expect(pageKind({ ...aPage, path, title })).toBeNull();
  });
});
