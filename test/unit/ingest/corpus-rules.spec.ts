import { corpusRules } from '../../../src/ingest/corpus-rules.js';
import type { Manifest } from '../../../src/ingest/manifest.js';

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
    expect(rules.rulesFor(path)).toEqual({ docTag, repository, metadata: {} });
  });

  it('gives every document the repository where the manifest says nothing', () => {
    expect(corpusRules({}, 'repo').rulesFor('a.md')).toEqual({
      docTag: undefined,
      repository: 'repo',
      metadata: {},
    });
  });

  it('lets the command line name the repository, whatever the manifest says', () => {
    const manifest = { documents: [{ match: ['**'], repository: 'fleet' }] };
    expect(corpusRules(manifest, 'repo', 'asked').rulesFor('a.md').repository).toBe('asked');
  });

  it('merges the properties that entries add: later ones win', () => {
    const documents: Manifest['documents'] = [
      { match: ['**'], metadata: { version: 1, language: 'en' } },
      { match: ['a.md'], metadata: { version: 2 } },
    ];
    expect(corpusRules({ documents }, 'repo').rulesFor('a.md').metadata).toEqual({
      version: 2,
      language: 'en',
    });
  });
});
