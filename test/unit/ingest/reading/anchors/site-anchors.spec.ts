import { readMarkdown } from '../../../../../src/ingest/reading/markdown/read-markdown.js';
import { type SiteRules, withSiteAnchors } from '../../../../../src/ingest/reading/anchors/site-anchors.js';

const anchorsOf = (site: SiteRules, ...titles: readonly string[]) =>
  withSiteAnchors(readMarkdown(titles.map((title) => `## ${title}`).join('\n\n')).blocks, site).map(
    (block) => (block.kind === 'heading' ? block.anchor : null),
  );

describe('withSiteAnchors', () => {
  // The values are those of the generators: toc of Python-Markdown, docutils, mdBook, @mdit-vue/shared, slug (Rust).
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
    ['zola', 'Set_sail: sails/ropes v1.2', 'set-sail-sails-ropes-v1-2'],
    ['zola', 'Причал', ''],
  ])('makes the anchor of %s for %s', (site, title, anchor) => {
    expect(anchorsOf(site, title)).toEqual([anchor]);
  });

  it.each<[SiteRules, readonly string[]]>([
    ['python-markdown', ['moor', 'moor_1', 'moor_2']],
    ['mdbook', ['moor', 'moor-1', 'moor-2']],
    ['vitepress', ['moor', 'moor-1', 'moor-2']],
    ['sphinx', ['moor', '', '']],
  ])('counts equal titles as %s does', (site, anchors) => {
    expect(anchorsOf(site, 'Moor', 'Moor', 'Moor')).toEqual(anchors);
  });

  it('gives headings in HTML only the anchors that they declare', () => {
    const { blocks } = readMarkdown('<h2>Moor</h2>\n\n<h2 id="berth">Berth</h2>');
    expect(withSiteAnchors(blocks, 'mdbook')).toMatchObject([{ anchor: '' }, { anchor: 'berth' }]);
  });

  it('keeps declared anchors, and gives them to no other heading', () => {
    expect(anchorsOf('mdbook', 'Moor', 'Berth {#moor}')).toEqual(['moor-1', 'moor']);
  });
});
