import { join } from 'node:path';
import { siteRulesOf } from '../../../src/ingest/site-rules.js';
import { testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

describe('siteRulesOf', () => {
  const folder = testFolder();
  const rulesOf = (path: string, root = '') =>
    siteRulesOf()({ path, absolute: join(folder.path, root, path) });

  beforeAll(() =>
    writeFiles(folder.path, {
      'mk/mkdocs.yml': 'site_name: A\ndocs_dir: "pages"\n',
      'mk/pages/deep/a.md': 'A',
      'mk/README.md': 'A',
      'material/mkdocs.yml': 'slugify: !!python/object/apply:pymdownx.slugs.slugify {}\n',
      'material/docs/a.md': 'A',
      'sphinx/docs/conf.py': '',
      'sphinx/docs/a.md': 'A',
      'sphinx/README.md': 'A',
      'book/book.toml': '',
      'book/src/a.md': 'A',
      'vite/.vitepress/config.ts': '',
      'vite/a.md': 'A',
      'zola/config.toml': 'base_url = "https://example.org"\n',
      'zola/content/a.md': 'A',
      'hugo/config.toml': 'baseURL = "https://example.org"\n',
      'hugo/content/a.md': 'A',
    }),
  );

  afterAll(() => folder.remove());

  it.each([
    ['mk/pages/deep/a.md', 'python-markdown'],
    ['mk/README.md', null],
    ['material/docs/a.md', 'pymdown'],
    ['sphinx/docs/a.md', 'sphinx'],
    ['sphinx/README.md', null],
    ['book/src/a.md', 'mdbook'],
    ['vite/a.md', 'vitepress'],
    ['zola/content/a.md', 'zola'],
    ['hugo/content/a.md', null],
  ])('finds for %s the rules of %s', (path, rules) => {
    expect(rulesOf(path)).toBe(rules);
  });

  it('looks above the indexed folder', () => {
    expect(rulesOf('deep/a.md', 'mk/pages')).toBe('python-markdown');
  });
});
