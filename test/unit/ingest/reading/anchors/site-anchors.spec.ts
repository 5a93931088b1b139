import { type SiteRules, withSiteAnchors } from '../../../../../src/ingest/reading/anchors/site-anchors.js';
import { readMarkdown } from '../../../../../src/ingest/reading/markdown/read-markdown.js';

const anchorsOf = (site: SiteRules, ...titles: readonly string[]) => {
  const source = titles.map((title) => `## ${title}`).join('\n\n');
  return withSiteAnchors(readMarkdown(source).blocks, site, source.split('\n')).map((block) =>
    block.kind === 'heading' ? block.anchor : null,
  );
};

describe('withSiteAnchors', () => {
  // Compared with the output of the generators: toc of Python-Markdown 3.10, docutils 0.22, @mdit-vue/shared, Hugo 0.111,
  // kramdown 2.4 (and its GFM parser), Pandoc 2.17, pymdownx. From reading sources or documentation only: mdBook,
  // Zola, Mintlify.
  it.each<[SiteRules, string, string]>([
    ['python-markdown', 'What is new in v1.2 - sails & ropes?', 'what-is-new-in-v12-sails-ropes'],
    ['python-markdown', 'Größe der `set_sail`', 'groe-der-set_sail'],
    ['python-markdown', 'Причал', '_1'],
    ['pymdown', 'Größe - der `set_sail`', 'größe---der-set_sail'],
    ['sphinx', "Don't set_sail v1.2", 'don-t-set-sail-v1-2'],
    ['sphinx', 'Причал', ''],
    ['mdbook', 'Größe - der `set_sail`.toml', 'größe---der-set_sailtoml'],
    ['vitepress', '2. What is new: sails/ropes v1.2?', '_2-what-is-new-sails-ropes-v1-2'],
    ['vitepress', 'Größe', 'große'],
    ['vitepress', 'Moor <Badge type="tip" text="2.1" />', 'moor'],
    ['vitepress', 'The tag `<QuayMap>`', 'the-tag-quaymap'],
    ['vitepress', 'Map\\<T\\> <Badge text="2.1" />', 'map-t'],
    ['zola', 'Set_sail: sails/ropes v1.2', 'set-sail-sails-ropes-v1-2'],
    ['zola', 'Причал', ''],
    ['hexo', 'Settings: Set_sail (v1.2)', 'Settings-Set-sail-v1-2'],
    ['hexo', 'Été – 設定', 'Ete-–-設定'],
    ['hexo', 'Sails & ropes', ''],
    ['hexo', 'Größe', ''],
    ['rails-guides', '`config.set_sail` and *more*', 'config-set-sail-and-more'],
    ['rails-guides', 'What is `sail!`?', 'what-is-sail-bang-questionmark'],
    ['rails-guides', 'Größe – `sails[]`', 'größe-–-sails-squarebrackets'],
    ['hugo', '1. Größe - der `set_sail` v1.2', '1-größe---der-set_sail-v12'],
    ['hugo', 'Причал 2² ½', 'причал-2-'],
    ['hugo', 'Moor -- now', ''],
    ['hugo', 'List `quay --all`', 'list-quay---all'],
    ['mdbook', 'Moor --- now', ''],
    ['mdbook', 'List `quay --all`', 'list-quay---all'],
    ['hugo', '!?', 'heading'],
    ['hugo', 'Moor at [the pier](pier.md)', ''],
    ['hugo', 'Moor {{< version >}}', ''],
    ['hugo-ascii', 'Größe été - C++', 'groe-ete---c'],
    ['hugo-ascii', 'Причал', 'heading'],
    ['hugo-blackfriday', "2. Don't set_sail - v1.2", '2-don-t-set-sail-v1-2'],
    ['kramdown', '1. Größe - der `set_sail` v1.2', 'gre---der-setsail-v12'],
    ['kramdown', 'Moor at [the pier](pier.md)', 'moor-at-the-pierpiermd'],
    ['kramdown', 'Причал', 'section'],
    ['kramdown-gfm', '1. Größe -- der `set_sail` v1.2²', '1-größe--der-set_sail-v12'],
    ['kramdown-gfm', 'Moor at [the pier](pier.md)', 'moor-at-the-pier'],
    ['kramdown-gfm', 'Moor `--fast` -- now', ''],
    ['pandoc', '1. Größe - der `set_sail` v1.2', 'größe---der-set_sail-v1.2'],
    ['pandoc', 'Sails & ropes -- H²O: _wet_...', 'sails-ropes-h²o-wet'],
    ['pandoc', 'İskele -- İp', 'iskele-ip'],
    ['hugo', 'İskele', 'iskele'],
    ['pandoc', '100 %', 'section'],
    ['mintlify', "What's in boat.json", 'what’s-in-boat-json'],
    ['mintlify', 'Read/moor & sail (per minute)', 'read/moor-&-sail-per-minute'],
    ['mintlify', '1. Moor: "sails"', ''],
    ['docusaurus', 'Größe - der `set_sail`', 'größe---der-set_sail'],
    ['declared', 'Moor', ''],
  ])('makes the anchor of %s for %s', (site, title, anchor) => {
    expect(anchorsOf(site, title)).toEqual([anchor]);
  });

  it.each<[SiteRules, readonly string[]]>([
    ['python-markdown', ['moor', 'moor_1', 'moor_2']],
    ['mdbook', ['moor', 'moor-1', 'moor-2']],
    ['vitepress', ['moor', 'moor-1', 'moor-2']],
    ['sphinx', ['moor', '', '']],
    ['hugo', ['moor', 'moor-1', 'moor-2']],
    ['kramdown', ['moor', 'moor-1', 'moor-2']],
    ['pandoc', ['moor', 'moor-1', 'moor-2']],
    ['hexo', ['Moor', 'Moor-1', 'Moor-2']],
    // The titles above are part of the anchors of all of them.
    ['rails-guides', ['', '', '']],
    ['mintlify', ['moor', 'moor-2', 'moor-3']],
  ])('counts equal titles as %s does', (site, anchors) => {
    expect(anchorsOf(site, 'Moor', 'Moor', 'Moor')).toEqual(anchors);
  });

  it.each<[SiteRules, string]>([
    ['hugo', 'moor-1-1'],
    ['pandoc', 'moor-1-1'],
    ['kramdown', ''],
    ['kramdown-gfm', ''],
  ])('does not open another heading with an anchor that %s gives twice', (site, anchor) => {
    expect(anchorsOf(site, 'Moor', 'Moor', 'Moor 1')).toEqual(['moor', 'moor-1', anchor]);
  });

  it('gives headings in HTML only the anchors that they declare', () => {
    const { blocks } = readMarkdown('<h2>Moor</h2>\n\n<h2 id="berth">Berth</h2>');
    expect(withSiteAnchors(blocks, 'mdbook')).toMatchObject([{ anchor: '' }, { anchor: 'berth' }]);
  });

  it('keeps declared anchors, and gives them to no other heading', () => {
    expect(anchorsOf('mdbook', 'Moor', 'Berth {#moor}')).toEqual(['moor-1', 'moor']);
  });
});
