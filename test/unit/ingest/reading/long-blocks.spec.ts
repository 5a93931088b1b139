import { withSiteAnchors } from '../../../../src/ingest/reading/anchors/site-anchors.js';
import { readMarkdown } from '../../../../src/ingest/reading/markdown/read-markdown.js';
import { readMdx } from '../../../../src/ingest/reading/mdx/read-mdx.js';
import type { Block } from '../../../../src/ingest/reading/parsed-document.js';
import { withWikiLinks } from '../../../../src/ingest/reading/read-wiki-links.js';
import { readRst } from '../../../../src/ingest/reading/rst/read-rst.js';

const aHeading = (): Block => ({ kind: 'heading', level: 1, title: 'Sail', anchor: null, line: 1 });

// Each of these took more than ten seconds, or more memory than there is, when the work grew with the square of the text.
describe('a paragraph of 200,000 characters', () => {
  it('has its headings in HTML', () => {
    expect(readMarkdown('`a` <h2>Sail</h2>\n'.repeat(11_000)).blocks).toHaveLength(22_000);
  });

  it('of one line has its headings in HTML', () => {
    expect(readMarkdown('`a` <h2>Sail</h2> '.repeat(11_000)).blocks).toHaveLength(22_000);
  });

  it('has its wiki links, with their lines', () => {
    const { tagLinks } = withWikiLinks(readMarkdown('`a` [[the sail]]\n'.repeat(12_000)));
    expect(tagLinks.at(-1)).toEqual({ href: '[[the sail]]', line: 12_000 });
  });

  it('of MDX may have tags of headings without an end', () => {
    expect(readMdx('<h1>'.repeat(50_000)).blocks).toEqual([]);
  });

  it('of MDX may have a tag after a table row without an end', () => {
    expect(readMdx(`${'a'.repeat(200_000)}|<Sail/>`).blocks).toHaveLength(1);
  });
});

describe('a table of RST', () => {
  it('repeats the text of a cell in its rows up to a limit', () => {
    const rows = `|${'a'.repeat(40)}+--+\n|${'a'.repeat(40)}|bb|\n`.repeat(2_000);
    const { blocks } = readRst(`+${'-'.repeat(40)}+--+\n${rows}+${'-'.repeat(40)}+--+\n`);
    expect(JSON.stringify(blocks).length).toBeLessThan(1_000_000);
  });
});

describe('anchors of a site', () => {
  it('count 20,000 equal titles', () => {
    const blocks = withSiteAnchors(Array.from({ length: 20_000 }, aHeading), 'vitepress');
    expect(blocks.at(-1)).toMatchObject({ anchor: 'sail-19999' });
  });
});
