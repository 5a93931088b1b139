import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchTestSite, html, removeCopies, startSite, type TestSite } from '../../../support/site-server.js';

let site: TestSite;
const start = async (pages: Parameters<typeof startSite>[0]): Promise<TestSite> =>
  (site = await startSite(pages));

afterEach(async () => {
  removeCopies();
  await site.close();
});

const again = (copy: Awaited<ReturnType<typeof fetchTestSite>>) => ({
  previous: { folder: copy.folder, copy },
});

const urlset = (...entries: readonly (readonly [string, string?])[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries
    .map(
      ([path, date]) =>
        `<url><loc>${site.origin}${path}</loc>${date ? `<lastmod>${date}</lastmod>` : ''}</url>`,
    )
    .join('')}</urlset>`;

describe('fetchSite', () => {
  it('reads the pages that pages link to, below the folder of the address', async () => {
    await start({
      '/docs/': html('<a href="a.html">A</a> <a href="/docs/b/">B</a> <a href="/blog/">Blog</a>'),
      '/docs/a.html': html('<a href="deep/c#part">C</a>'),
      '/docs/b/': html('B <a href="https://elsewhere.example/x">X</a>'),
      '/docs/deep/c': html('C <a href="mailto:a@example.com">mail</a> <a href="javascript:x()">x</a>'),
      '/blog/': html('Blog'),
    });
    const copy = await fetchTestSite(site, { path: '/docs/' });
    expect(copy.pages).toEqual({
      'docs/index.html': '/docs/',
      'docs/a.html': '/docs/a.html',
      'docs/b/index.html': '/docs/b/',
      'docs/deep/c.html': '/docs/deep/c',
    });
    expect(readFileSync(join(copy.folder, 'docs/a.html'), 'utf8')).toContain('deep/c#part');
    expect(copy.refused).toEqual([]);
  });

  it('reads the pages of a sitemap', async () => {
    await start({
      '/': html('Home'),
      '/a/': html('A'),
      '/b/': html('<a href="/c/">C</a>'),
      '/c/': html('C'),
    });
    site.pages.set('/sitemap.xml', urlset(['/'], ['/a/'], ['/b/']));
    expect(Object.values((await fetchTestSite(site)).pages)).toEqual(['/a/', '/b/', '/']);
  });

  it('asks for nothing that has the date of the last copy', async () => {
    await start({ '/': html('Home'), '/a/': html('A'), '/b/': html('B') });
    site.pages.set(
      '/sitemap.xml',
      urlset(['/', '2024-05-01'], ['/a/', '2024-05-01'], ['/b/', '2026-01-01T10:00:00Z']),
    );
    const first = await fetchTestSite(site);
    site.pages.set('/b/', html('New B'));
    site.pages.set(
      '/sitemap.xml',
      urlset(['/', '2024-05-01'], ['/a/', '2024-05-01'], ['/b/', '2026-01-02T10:00:00Z']),
    );
    site.asked.length = 0;
    const second = await fetchTestSite(site, again(first));
    expect(site.asked).toEqual(['/robots.txt', '/', '/sitemap.xml', '/b/']);
    expect(second.pages).toEqual(first.pages);
    expect(second.revision).not.toBe(first.revision);
    expect(readFileSync(join(second.folder, 'b/index.html'), 'utf8')).toContain('New B');
  });

  it('asks with the ETag of the last copy, and follows the links of unchanged pages', async () => {
    await start({ '/': html('<a href="/a">A</a>'), '/a': html('<a href="/b">B</a>'), '/b': html('B') });
    const first = await fetchTestSite(site);
    site.asked.length = 0;
    const second = await fetchTestSite(site, again(first));
    expect(site.asked).toEqual(['/robots.txt', '/', '/sitemap.xml', '/a 304', '/b 304']);
    expect({ ...second, folder: '', reports: [] }).toEqual({ ...first, folder: '', reports: [] });
  });
});
