import { gzipSync } from 'node:zlib';
import { parseSitemap, sitemapText, splitLlmsFull } from '../../../../src/sources/site/parse-lists.js';

describe('parseSitemap', () => {
  it('reads pages with their dates', () => {
    const text = `<?xml version="1.0"?>
      <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc> https://a.example/1?x=1&amp;y=&#x41;&#66; </loc><lastmod>2026-05-01</lastmod></url>
        <url><lastmod>2026-05-01T10:00:00+02:00</lastmod><loc><![CDATA[https://a.example/2]]></loc></url>
        <url><loc>https://a.example/3</loc><lastmod>yesterday</lastmod></url>
        <url><priority>1</priority></url>
      </urlset>`;
    expect(parseSitemap(text)).toEqual({
      pages: [
        { address: 'https://a.example/1?x=1&y=AB', modifiedAt: '2026-05-01' },
        { address: 'https://a.example/2', modifiedAt: '2026-05-01T10:00:00+02:00' },
        { address: 'https://a.example/3', modifiedAt: null },
      ],
      sitemaps: [],
    });
  });

  it('reads the pages of elements with a prefix, and not the addresses of pictures', () => {
    const text =
      '<s:urlset><s:url><s:loc>https://a.example/1</s:loc><image:image><image:loc>https://a.example/1.png</image:loc></image:image></s:url></s:urlset>';
    expect(parseSitemap(text).pages).toEqual([{ address: 'https://a.example/1', modifiedAt: null }]);
  });

  it('reads the sitemaps of an index', () => {
    const text = '<sitemapindex><sitemap><loc>https://a.example/s.xml</loc></sitemap></sitemapindex>';
    expect(parseSitemap(text)).toEqual({ pages: [], sitemaps: ['https://a.example/s.xml'] });
  });

  it('reads addresses in lines', () => {
    expect(parseSitemap('https://a.example/1\nhttps://a.example/2\nno address').pages).toHaveLength(2);
  });

  it.each(['', '<html><body>https://a.example/1</body></html>', '{"a": 1}'])(
    'reads nothing from %j',
    (text) => {
      expect(parseSitemap(text)).toEqual({ pages: [], sitemaps: [] });
    },
  );
});

describe('sitemapText', () => {
  it('unpacks', () => {
    expect(sitemapText(gzipSync('<urlset/>'), 1_000)).toBe('<urlset/>');
    expect(sitemapText(Buffer.from('\uFEFF<urlset/>'), 1_000)).toBe('<urlset/>');
  });

  it('fails for more bytes than the limit', () => {
    expect(() => sitemapText(gzipSync(Buffer.alloc(10_000)), 1_000)).toThrow(/larger than/);
  });
});

describe('splitLlmsFull', () => {
  const url = new URL('https://a.example/docs/llms-full.txt');

  it.each(['# All\n\nText.', '# One\nSource: https://a.example/1\n\nOnly one page.'])(
    'does not divide %j',
    (text) => {
      expect(splitLlmsFull(text, url)).toEqual([]);
    },
  );

  it('does not take rules and other front matter for pages', () => {
    const text = '---\nurl: /1\n---\n# One\n\n---\n\ntitle: x\n\n---\nurl: /2\n---\n# Two\n';
    expect(splitLlmsFull(text, url).map(({ address, text: page }) => [address.pathname, page])).toEqual([
      ['/1', '# One\n\n---\n\ntitle: x\n'],
      ['/2', '# Two\n'],
    ]);
  });

  it('takes linear time for text that nearly has pages', () => {
    expect(splitLlmsFull('---\nurl: x y\n'.repeat(100_000) + '# \n\n\n'.repeat(100_000), url)).toEqual([]);
  });
});
