import { pageKind } from '../../../../src/ingest/reading/page-kind.js';

const aPage = { path: 'guide/moor.md', title: 'Moor a ship', headings: [], text: 'Tie it to the quay.' };
const list = (length: number, line: (at: number) => string): string =>
  Array.from({ length }, (_, at) => line(at)).join('\n');

describe('pageKind', () => {
  it.each([
    ['changes', 'CHANGELOG.md'],
    ['changes', 'docs/changelog.md'],
    ['changes', 'changes/0.6.rst'],
    ['changes', 'a/release-notes.md'],
    ['changes', 'whatsnew/3.12.rst'],
    ['changes', 'HISTORY.rst'],
    ['changes', 'docs/release-notes/4.2.md'],
    ['changes', 'releases/3.2.7.html'],
    ['changes', 'RelNotes/2.1.txt'],
    ['changes', 'release-15-3.html'],
    ['changes', 'new_features_2_4.html'],
    ['changes', "what's-new.md"],
    ['news', 'blog/quays.md'],
    ['news', 'notes/2024-05-01-a-new-quay.md'],
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
    ['changes', 'E.4. Release 15.3'],
    ['migration', 'Migrating to version 5'],
    ['list', 'Table of contents'],
  ])('tells %s by the title %s', (kind, title) => {
    expect(pageKind({ ...aPage, title })).toBe(kind);
  });

  it('tells changes by headings that are versions or days', () => {
    const headings = ['[Unreleased]', '1.2.0 (2024-05-01)', 'v1.1.9', 'Thanks'];
    expect(pageKind({ ...aPage, headings })).toBe('changes');
    expect(pageKind({ ...aPage, headings: ['1.2.0', 'Thanks'] })).toBeNull();
    expect(pageKind({ ...aPage, headings: ['4.1. Quays', '4.2. Tides', '4.3 Ships'] })).toBeNull();
  });

  it('tells a list by its lines of links', () => {
    const links = (count: number): string => list(count, (at) => `- [Quay ${at}](quay-${at}.md)`);
    expect(pageKind({ ...aPage, text: links(30) })).toBe('list');
    expect(pageKind({ ...aPage, text: links(29) })).toBeNull();
    const described = list(
      40,
      (at) => `- [Quay ${at}](q.md): a quay for ${at} ships that wait for the tide.`,
    );
    expect(pageKind({ ...aPage, text: described })).toBeNull();
  });

  it.each([
    ['database/migrations.md', 'Migrations'],
    ['7.5/about/about_history.md', 'about_History'],
    ['guide/releasing.md', 'Release a ship'],
    ['exchanges.md', 'Exchanges'],
    ['history.html', 'History'],
    ['release-procedure.md', 'Release procedure'],
    ['newsletter.md', 'Newsletter'],
    ['guides/changes-of-state.md', 'Changes of state'],
    ['api/index.md', 'Reference'],
    ['api/posts.md', 'Posts'],
    ['api/history.md', 'History'],
    ['howto/upgrade.md', 'Upgrade the engine'],
  ])('tells nothing about %s', (path, title) => {
    expect(pageKind({ ...aPage, path, title })).toBeNull();
  });
});
