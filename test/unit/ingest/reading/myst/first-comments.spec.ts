import { indexDocument } from '../../../../../src/ingest/index-document.js';
import { readMyst } from '../../../../../src/ingest/reading/myst/read-myst.js';
import { folderTitle } from '../../../../../src/ingest/trails/folder-title.js';

const SOURCE = '% Keep this page short.\n\n% Ask Ada.\n# Sails\n\nA jib is small.\n';

describe('comments of MyST on the first lines', () => {
  it.each([
    ['a directive', '```{note}\nReef early.\n```\n'],
    ['a label', '(jib)=\n## Jib\n\nText.\n'],
  ])('are no title of Pandoc on a page with %s', (_what, part) => {
    const { frontMatter, blocks } = readMyst(`${SOURCE}\n${part}`);
    expect(frontMatter).toEqual({});
    expect(blocks[0]).toMatchObject({ kind: 'heading', title: 'Sails', line: 4 });
    expect(folderTitle('index.md', `${SOURCE}\n${part}`)).toBe('Sails');
  });

  it('are no title of Pandoc on a page of Sphinx', async () => {
    const rules = {
      docTag: undefined,
      repository: '',
      metadata: {},
      declaredKeys: [],
      site: 'sphinx',
    } as const;
    const file = { path: 'a.md', bytes: SOURCE.length, mtimeMs: 0 };
    const bytes = new TextEncoder().encode(SOURCE);
    const { facts, sections } = await indexDocument({ bytes, file, rules, hash: '' });
    expect(facts.title).toBe('Sails');
    expect(sections.map(({ text }) => text).join('\n')).not.toMatch(/Keep this|Ask Ada/);
    expect(folderTitle('index.md', SOURCE, 'sphinx')).toBe('Sails');
  });

  it('are the title on other pages', () => {
    expect(readMyst('% Sails\n\nA jib is small.\n').frontMatter).toEqual({ title: 'Sails' });
    expect(folderTitle('index.md', '% Sails\n\nA jib is small.\n')).toBe('Sails');
  });
});
