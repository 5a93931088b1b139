import { corpusRules } from '../../../src/ingest/corpus-rules.js';

describe('isWanted', () => {
  it.each<[string, { include?: string[]; ignore?: string[] }, string, boolean]>([
    ['everything by default', {}, 'a/b.md', true],
    ['what is included', { include: ['guides/**'] }, 'guides/a/b.md', true],
    ['nothing else', { include: ['guides/**'] }, 'a.md', false],
    ['nothing that is ignored', { ignore: ['**/drafts/**'] }, 'a/drafts/b.md', false],
    ['nothing that is both', { include: ['**/*.md'], ignore: ['a.md'] }, 'a.md', false],
    ['any of several globs', { include: ['a.md', 'b.md'] }, 'b.md', true],
    ['one level by one asterisk', { include: ['*.md'] }, 'a/b.md', false],
    ['nothing for no globs', { include: [] }, 'a.md', false],
  ])('wants %s', (_, manifest, path, isWanted) => {
    expect(corpusRules(manifest, 'repo').isWanted(path)).toBe(isWanted);
  });
});

describe('rulesFor', () => {
  const rules = corpusRules(
    {
      documents: [
        { match: ['**/*.md'], doc_tag: 'all', repository: 'fleet' },
        { match: ['guides/**', 'help/**'], doc_tag: 'guides' },
        { match: ['guides/old/**'], repository: 'archive' },
      ],
    },
    'repo',
  );

  it.each([
    ['a.md', 'all', 'fleet'],
    ['guides/a.md', 'guides', 'fleet'],
    ['help/a.md', 'guides', 'fleet'],
    ['guides/old/a.md', 'guides', 'archive'],
    ['a.txt', undefined, 'repo'],
  ])('gives %s the tag %s and the repository %s: later entries win', (path, docTag, repository) => {
    expect(rules.rulesFor(path)).toEqual({ docTag, repository });
  });

  it('gives every document the repository where the manifest says nothing', () => {
    expect(corpusRules({}, 'repo').rulesFor('a.md')).toEqual({ docTag: undefined, repository: 'repo' });
  });
});
