import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { readSmall, siteRulesOf } from '../../../src/ingest/site-rules.js';
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
      'material/mkdocs.yml':
        'markdown_extensions:\n  - toc:\n      permalink: true\n\n      slugify: !!python/object/apply:pymdownx.slugs.slugify\n        kwds: {case: lower}\n  - tables\n',
      'tabs/mkdocs.yml':
        'markdown_extensions:\n  - toc:\n      permalink: true\n  - pymdownx.tabbed:\n      slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}\n',
      'tabs/docs/a.md': 'A',
      'material/docs/a.md': 'A',
      'sphinx/docs/conf.py': '',
      'sphinx/docs/a.md': 'A',
      'sphinx/README.md': 'A',
      'book/book.toml': '',
      'book/src/a.md': 'A',
      'vite/.vitepress/config.ts': '',
      'vite/a.md': 'A',
      'own/.vitepress/config/shared.ts': 'export default { markdown: { anchor: { slugify } } }',
      'own/a.md': 'A',
      'zola/config.toml': 'base_url = "https://example.org"\n',
      'zola/content/a.md': 'A',
      'cased/mkdocs.yml': 'toc:\n  slugify: !!python/object/apply:pymdownx.slugs.slugify {}\n',
      'cased/docs/a.md': 'A',
      'hugo/config.toml': 'baseURL = "https://example.org"\n',
      'hugo/content/a.md': 'A',
      'hugo/README.md': 'A',
      'ascii/hugo.yaml':
        'contentDir: "pages"\nmarkup:\n  goldmark:\n    parser:\n      autoIDType: github-ascii\n',
      'ascii/pages/a.md': 'A',
      'split/config/_default/hugo.toml': '',
      'split/config/_default/markup.toml': '[goldmark.parser]\nautoHeadingIDType = "blackfriday"\n',
      'split/content/a.md': 'A',
      'bare/hugo.toml': '[markup.goldmark.parser]\nautoHeadingID = false\n',
      'bare/content/a.md': 'A',
      'jekyll/_config.yml': 'theme: minima\n',
      'jekyll/a.md': 'A',
      'kramdown/_config.yml': 'kramdown:\n  hard_wrap: false\n\n  input: kramdown\n',
      'kramdown/a.md': 'A',
      'noids/_config.yml': 'kramdown:\n  auto_ids: false\n',
      'noids/a.md': 'A',
      'hexo/_config.yml': 'theme: landscape\nsource_dir: source\n',
      'hexo/source/a.md': 'A',
      'hexo/README.md': 'A',
      'lowered/_config.yml': 'public_dir: out\nmarked:\n  modifyAnchors: 1\n',
      'lowered/source/a.md': 'A',
      'bare-hexo/_config.yml': 'theme: landscape\npermalink: :year/:title/\npost_asset_folder: true\n',
      'bare-hexo/source/a.md': 'A',
      'octopress/_config.yml':
        'source: source\nmarkdown: kramdown\ncode_dir: downloads/code\ncategory_dir: blog/categories\n',
      'octopress/source/a.md': 'A',
      'rails/rails_guides.rb': '',
      'rails/source/a.md': 'A',
      'jupyter/_config.yml': 'title: A\n',
      'jupyter/_toc.yml': 'format: jb-book\n',
      'jupyter/a.md': 'A',
      'quarto/_quarto.yml': '',
      'quarto/a.md': 'A',
      'mint/docs.json': '{ "$schema": "https://mintlify.com/docs.json" }',
      'mint/a.mdx': 'A',
      'other/docs.json': '{}',
      'other/a.mdx': 'A',
      'saurus/docusaurus.config.ts': '',
      'saurus/docs/a.mdx': 'A',
      'beside/website/docusaurus.config.js': '',
      'beside/docs/a.md': 'A',
      'beside/README.md': 'A',
      'copy/.site-generator': 'VitePress v1.6.4',
      'copy/guide/a.md': 'A',
      'shop/.site-generator': 'Shop 2',
      'shop/a.md': 'A',
    }),
  );

  afterAll(() => folder.remove());

  it.each([
    ['mk/pages/deep/a.md', 'python-markdown'],
    ['mk/README.md', null],
    ['material/docs/a.md', 'pymdown'],
    ['tabs/docs/a.md', 'python-markdown'],
    ['sphinx/docs/a.md', 'sphinx'],
    ['sphinx/README.md', null],
    ['book/src/a.md', 'mdbook'],
    ['vite/a.md', 'vitepress'],
    ['own/a.md', 'declared'],
    ['zola/content/a.md', 'zola'],
    ['cased/docs/a.md', 'declared'],
    ['hugo/content/a.md', 'hugo'],
    ['hugo/README.md', null],
    ['ascii/pages/a.md', 'hugo-ascii'],
    ['split/content/a.md', 'hugo-blackfriday'],
    ['bare/content/a.md', 'declared'],
    ['jekyll/a.md', 'kramdown-gfm'],
    ['kramdown/a.md', 'kramdown'],
    ['noids/a.md', 'declared'],
    ['hexo/source/a.md', 'hexo'],
    ['hexo/README.md', null],
    ['bare-hexo/source/a.md', 'hexo'],
    ['lowered/source/a.md', 'declared'],
    ['octopress/source/a.md', 'kramdown-gfm'],
    ['rails/source/a.md', 'rails-guides'],
    ['jupyter/a.md', 'sphinx'],
    ['quarto/a.md', 'pandoc'],
    ['mint/a.mdx', 'mintlify'],
    ['other/a.mdx', null],
    ['saurus/docs/a.mdx', 'docusaurus'],
    ['beside/docs/a.md', 'docusaurus'],
    ['beside/README.md', null],
    ['copy/guide/a.md', 'vitepress'],
    ['shop/a.md', null],
  ])('finds for %s the rules of %s', (path, rules) => {
    expect(rulesOf(path)).toBe(rules);
  });

  it('does not wait for a pipe', () => {
    const pipe = join(folder.path, 'pipe.yml');
    execFileSync('mkfifo', [pipe]);
    expect(readSmall(pipe)).toBe('');
  });

  it('looks above the indexed folder', () => {
    expect(rulesOf('deep/a.md', 'mk/pages')).toBe('python-markdown');
  });
});
