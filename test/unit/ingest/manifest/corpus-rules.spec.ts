import { corpusRules } from '../../../../src/ingest/manifest/declare-corpus.js';
import type { Manifest } from '../../../../src/ingest/manifest/manifest.js';

describe('isWanted', () => {
  it.each<[string, { include?: string[]; ignore?: string[] }, string, boolean]>([
    ['everything by default', {}, 'a/b.md', true],
    ['what is included', { include: ['guides/**'] }, 'guides/a/b.md', true],
    ['no other files', { include: ['guides/**'] }, 'a.md', false],
    ['no ignored files', { ignore: ['**/drafts/**'] }, 'a/drafts/b.md', false],
    [
      'no files that are both included and ignored',
      { include: ['**/*.md'], ignore: ['a.md'] },
      'a.md',
      false,
    ],
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

  it('gives documents the default repository without a manifest setting', () => {
    expect(corpusRules({}, 'repo').rulesFor('a.md')).toEqual({
      docTag: undefined,
      repository: 'repo',
      metadata: {},
      declaredKeys: [],
    });
  });

  it('prefers the repository of the command line to that of the manifest', () => {
    const manifest = { documents: [{ match: ['**'], repository: 'fleet' }] };
    expect(corpusRules(manifest, 'repo', 'asked').rulesFor('a.md').repository).toBe('asked');
  });

  it('merges the metadata of all documents with that of every matching entry: later ones win', () => {
    const metadata = { product: 'shell', language: 'de' };
    const documents: Manifest['documents'] = [
      { match: ['**'], metadata: { version: 1, language: ' en ' } },
      { match: ['a.md'], metadata: { version: 2 } },
    ];
    const { rulesFor } = corpusRules({ metadata, documents }, 'repo');
    expect(rulesFor('a.md').metadata).toEqual({ language: 'en', product: 'shell', version: '2' });
    expect(rulesFor('b.md').metadata).toEqual({ language: 'en', product: 'shell', version: '1' });
  });

  it('lists the declared taxonomy keys, sorted', () => {
    const taxonomy = { version: {}, audience: {} };
    expect(corpusRules({ taxonomy }, 'repo').rulesFor('a.md').declaredKeys).toEqual(['audience', 'version']);
  });

  it('does not treat a prompt template as a document', () => {
    const prompts: Manifest['prompts'] = [{ name: 'a', template: './prompts/a.md' }];
    const { isWanted } = corpusRules({ prompts }, 'repo');
    expect([isWanted('prompts/a.md'), isWanted('prompts/b.md')]).toEqual([false, true]);
  });
});
