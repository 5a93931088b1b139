import { folderTitle, titleRank } from '../../../../src/ingest/trails/folder-title.js';

describe('titleRank', () => {
  it.each([
    ['_category_.json', 0],
    ['_category_.yml', 0],
    ['_index.md', 1],
    ['index.mdx', 2],
    ['README.md', 3],
    ['index.rst', 2],
    ['readme.adoc', 3],
    ['install.md', -1],
    ['my-index.md', -1],
  ])('%s: %i', (name, rank) => {
    expect(titleRank(name)).toBe(rank);
  });
});

describe('folderTitle', () => {
  it.each([
    ['the label of a category', '_category_.json', '{"label": "Ruby", "position": 2}', 'Ruby'],
    ['the label of a category in YAML', '_category_.yml', 'label: Ruby\n', 'Ruby'],
    ['the title in the front matter', '_index.md', '---\ntitle: Ruby\n---\n\n# Other\n', 'Ruby'],
    ['the link title', '_index.md', '---\nlinkTitle: Ruby\n---\n', 'Ruby'],
    ['the first heading of level 1', 'index.md', 'Hello.\n\n# Ruby `SDK` {#ruby}\n', 'Ruby SDK'],
    ['an underlined heading', 'README.md', 'Ruby\n====\n', 'Ruby'],
    ['the title of an HTML page', 'index.html', '<html><title>Ruby</title>', 'Ruby'],
    [
      'the only heading of the first level of an HTML page',
      'index.html',
      '<title>Ruby | Docs</title><h1 id="r">Ruby &amp; <code>gem</code><a class="headerlink" href="#r">&para;</a></h1>',
      'Ruby & gem',
    ],
    [
      'the title of an HTML page with several headings of the first level',
      'index.html',
      '<title>Ruby &amp; C</title><h1>Site</h1><h1>Ruby</h1>',
      'Ruby & C',
    ],
    ['the title of reStructuredText', 'index.rst', '.. _ruby:\n\n``Ruby``\n========\n\nHello.\n', 'Ruby'],
    ['the title of AsciiDoc', 'index.adoc', '// Ruby\n= Ruby `SDK`\n:toc:\n\n== Start\n', 'Ruby SDK'],
    ['an underlined title of AsciiDoc', 'README.adoc', ':toc:\n\nRuby\n====\n', 'Ruby'],
    ['no code of AsciiDoc', 'index.adoc', 'Text\n\n----\n= Ruby\n----\n', ''],
    ['no title with attributes', 'index.adoc', '= {product} Guide\n', ''],
    ['the title of a text file with markup', 'index.txt', 'Ruby\n====\n\n.. note:: Stop.\n', 'Ruby'],
    ['no title of plain text', 'index.txt', '# Ruby\n', ''],
    ['no comment in code', 'index.md', '```sh\n# install\n```\n\n## Ruby\n', ''],
    ['no title that is not a text', '_index.md', '---\ntitle: [a]\n---\n', ''],
    ['at most 120 characters', 'index.md', `# ${'ab '.repeat(100)}\n`, `${'ab '.repeat(40).slice(0, 119)}…`],
  ])('reads %s', (_, name, text, title) => {
    expect(folderTitle(name, text)).toBe(title);
  });
});
