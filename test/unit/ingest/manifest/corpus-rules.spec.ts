import { corpusRules } from '../../../../src/ingest/manifest/corpus-rules.js';
import type { Manifest } from '../../../../src/ingest/manifest/manifest.js';

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
    expect(rules.rulesFor(path)).toEqual({ docTag, repository, metadata: {}, declaredKeys: [] });
  });

  it('gives every document the repository where the manifest says nothing', () => {
    expect(corpusRules({}, 'repo').rulesFor('a.md')).toEqual({
      docTag: undefined,
      repository: 'repo',
      metadata: {},
      declaredKeys: [],
    });
  });

  it('lets the command line name the repository, whatever the manifest says', () => {
    const manifest = { documents: [{ match: ['**'], repository: 'fleet' }] };
    expect(corpusRules(manifest, 'repo', 'asked').rulesFor('a.md').repository).toBe('asked');
  });

  it('adds the metadata of every entry that matches to that of all documents: later ones win', () => {
    const metadata = { product: 'shell', language: 'de' };
    const documents: Manifest['documents'] = [
      { match: ['**'], metadata: { version: 1, language: ' en ' } },
      { match: ['a.md'], metadata: { version: 2 } },
    ];
    const { rulesFor } = corpusRules({ metadata, documents }, 'repo');
    expect(rulesFor('a.md').metadata).toEqual({ language: 'en', product: 'shell', version: '2' });
    expect(rulesFor('b.md').metadata).toEqual({ language: 'en', product: 'shell', version: '1' });
  });

  it('names the keys that the taxonomy declares, sorted', () => {
    const taxonomy = { version: {}, audience: {} };
    expect(corpusRules({ taxonomy }, 'repo').rulesFor('a.md').declaredKeys).toEqual(['audience', 'version']);
  });

  it('takes no template of a prompt for a document', () => {
    const prompts: Manifest['prompts'] = [{ name: 'a', template: './prompts/a.md' }];
    const { isWanted } = corpusRules({ prompts }, 'repo');
    expect([isWanted('prompts/a.md'), isWanted('prompts/b.md')]).toEqual([false, true]);
  });
});
