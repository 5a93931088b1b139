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

const ASKED_FIRST = ['/robots.txt', '/', '/llms-full.txt', '/llms.txt'];
/** For the Markdown beside a page. */
const PROBES = ['/a/index.md', '/a.md'];
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
    expect(site.asked).toEqual([...ASKED_FIRST, '/sitemap.xml', ...PROBES, '/b/']);
    expect(second.pages).toEqual(first.pages);
    expect(second.revision).not.toBe(first.revision);
    expect(readFileSync(join(second.folder, 'b/index.html'), 'utf8')).toContain('New B');
  });

  it('asks with the ETag of the last copy, and follows the links of unchanged pages', async () => {
    await start({ '/': html('<a href="/a">A</a>'), '/a': html('<a href="/b">B</a>'), '/b': html('B') });
    const first = await fetchTestSite(site);
    site.asked.length = 0;
    const second = await fetchTestSite(site, again(first));
    expect(site.asked).toEqual([...ASKED_FIRST, '/sitemap.xml', '/a 304', '/b 304']);
    expect({ ...second, folder: '', reports: [] }).toEqual({ ...first, folder: '', reports: [] });
  });
});

const text = (copy: Awaited<ReturnType<typeof fetchTestSite>>, path: string): string =>
  readFileSync(join(copy.folder, path), 'utf8');

describe('llms.txt', () => {
  it('gives the Markdown of pages, which keep their own addresses', async () => {
    await start({ '/docs/': html('Home'), '/docs/a/': html('A in HTML'), '/docs/a.md': '# A in Markdown' });
    site.pages.set(
      '/docs/llms.txt',
      `# Docs\n\n- [A](${site.origin}/docs/a.md): first\n- [Blog](/blog/b.md)`,
    );
    site.pages.set('/docs/sitemap.xml', urlset(['/docs/'], ['/docs/a/']));
    const copy = await fetchTestSite(site, { path: '/docs/' });
    expect(copy.pages).toEqual({ 'docs/a/index.md': '/docs/a/', 'docs/index.html': '/docs/' });
    expect(text(copy, 'docs/a/index.md')).toBe('# A in Markdown');
  });

  it('keeps the name of the generator, which decides the anchors of Markdown', async () => {
    await start({ '/': html('Home', '<meta name="generator" content="VitePress v1.6.4">') });
    expect(text(await fetchTestSite(site), '.site-generator')).toBe('VitePress v1.6.4');
  });

  it('has another revision with another generator, also if the Markdown is the same', async () => {
    await start({ '/': html('Home') });
    const pages = [`# Home\nSource: ${site.origin}/\n\nHome.\n`, `# A\nSource: ${site.origin}/a\n\nA.\n`];
    site.pages.set('/llms-full.txt', pages.join('\n'));
    const before = await fetchTestSite(site);
    site.pages.set('/', html('Home', '<meta name="generator" content="VitePress v1.6.4">'));
    const after = await fetchTestSite(site);
    expect([before.pages, after.pages]).toEqual(Array(2).fill({ 'index.md': '/', 'a.md': '/a' }));
    expect(after.revision).not.toBe(before.revision);
    expect((await fetchTestSite(site)).revision).toBe(after.revision);
  });

  it('gives pages that no sitemap has', async () => {
    await start({ '/': html('Home'), '/b.html.md': '# B', '/c.md': '# C' });
    site.pages.set(
      '/llms.txt',
      '- [B](/b.html.md)\n- [C](c.md)\n- [Elsewhere](https://elsewhere.example/d.md)',
    );
    const copy = await fetchTestSite(site);
    expect(copy.pages).toEqual({ 'b.md': '/b.html', 'c.md': '/c.md', 'index.html': '/' });
  });

  it('falls back to a page whose Markdown is missing', async () => {
    await start({ '/': html('Home'), '/a': html('A in HTML'), '/b': html('B'), '/b.md': '# B' });
    site.pages.set('/llms.txt', '[A](/a.md) [B](/b.md)');
    site.pages.set('/sitemap.xml', urlset(['/a'], ['/b']));
    expect((await fetchTestSite(site)).pages).toEqual({ 'a.html': '/a', 'b.md': '/b', 'index.html': '/' });
  });

  it.each([
    [
      'addresses below titles',
      (at: string) =>
        `# One\nSource: ${at}/one\n\nText of one.\n\n# Two\nSource: ${at}/two\n\n## Part\n\nText of two.\n`,
    ],
    [
      'front matter',
      () =>
        "---\nurl: '/one'\ntitle: One\n---\n# One\n\nText of one.\n\n---\nurl: /two\n---\n# Two\n\n## Part\n\nText of two.\n",
    ],
  ])('takes the pages of llms-full.txt from %s', async (_name, full) => {
    await start({
      '/': html('<a href="/one">1</a> <a href="/two">2</a>'),
      '/one': html('1'),
      '/two': html('2'),
    });
    site.pages.set('/llms-full.txt', full(site.origin));
    const copy = await fetchTestSite(site);
    expect(copy.pages).toEqual({ 'index.html': '/', 'one.md': '/one', 'two.md': '/two' });
    expect(text(copy, 'one.md')).toBe('# One\n\nText of one.\n');
    expect(text(copy, 'two.md')).toBe('# Two\n\n## Part\n\nText of two.\n');
    expect(site.asked).not.toContain('/one');
  });

  it('takes an undivided llms-full.txt as one document if the site has no other text', async () => {
    await start({ '/': html('<div id="app"></div>'), '/llms-full.txt': '# All\n\nEverything.' });
    const copy = await fetchTestSite(site);
    expect(copy.pages).toEqual({ 'index.html': '/', 'llms-full.txt.md': '/llms-full.txt' });
  });

  it('reads no pages in HTML as lists, which some sites send for every address', async () => {
    await start({
      '/': html('<a href="/a">A</a>'),
      '/a': html('A'),
      '/llms.txt': html('<a href="/x.md">X</a>'),
      '/llms-full.txt': html('App'),
    });
    expect((await fetchTestSite(site)).pages).toEqual({ 'a.html': '/a', 'index.html': '/' });
  });

  it('does not end the search for pages if it names few of those that the site links to', async () => {
    await start({
      '/': html('<a href="/a">A</a><a href="/b">B</a><a href="/c">C</a>'),
      '/a': html('A'),
      '/b': html('B'),
      '/c': html('C'),
      '/a.md': '# A',
    });
    site.pages.set('/llms.txt', '[A](/a.md)');
    const copy = await fetchTestSite(site);
    expect(Object.values(copy.pages).sort()).toEqual(['/', '/a.md', '/b', '/c']);
  });
});

describe('Markdown', () => {
  it('is asked for, and taken where a site has it at the address of the page', async () => {
    const both: Parameters<typeof startSite>[0][string] = (request, response) => {
      const isMarkdown = request.headers.accept?.startsWith('text/markdown');
      response.writeHead(200, { 'content-type': isMarkdown ? 'text/markdown' : 'text/html' });
      response.end(isMarkdown ? '# A\n\n[B](/b)' : html('A'));
    };
    await start({ '/': html('<a href="/a">A</a>'), '/a': both, '/b': html('B') });
    expect((await fetchTestSite(site)).pages).toEqual({ 'a.md': '/a', 'b.html': '/b', 'index.html': '/' });
  });

  it('is taken from beside the pages once it was found there', async () => {
    await start({ '/': html('Home') });
    for (const name of ['a', 'b', 'c']) {
      site.pages.set(`/${name}/`, html(name));
      site.pages.set(`/${name}.md`, `# ${name}`);
    }
    site.pages.delete('/b.md');
    site.pages.set('/sitemap.xml', urlset(['/a/'], ['/b/'], ['/c/']));
    const copy = await fetchTestSite(site);
    expect(copy.pages).toEqual({
      'a/index.md': '/a/',
      'b/index.html': '/b/',
      'c/index.md': '/c/',
      'index.html': '/',
    });
    site.asked.length = 0;
    expect((await fetchTestSite(site, again(copy))).pages).toEqual(copy.pages);
    expect(site.asked.slice(-4).sort()).toEqual(['/a.md 304', '/b.md', '/b/ 304', '/c.md 304']);
  });
});

describe('what a page says about itself', () => {
  it.each([
    ['a meta element', { body: html('X', '<meta name="robots" content="NoIndex, follow">') }],
    ['a meta element for this program', { body: html('X', '<meta name="Pith" content="none">') }],
    ['a header', { body: html('X'), headers: { 'x-robots-tag': 'noindex' } }],
    [
      'a header for this program',
      { body: html('X'), headers: { 'x-robots-tag': 'otherbot: index, pith: noindex' } },
    ],
  ])('leaves a page out for noindex in %s', async (_name, page) => {
    await start({ '/': html('<a href="/x">X</a>'), '/x': page });
    const copy = await fetchTestSite(site);
    expect(copy.refusals).toEqual({ '/x': 'noindex' });
    expect(copy.pages).toEqual({ 'index.html': '/' });
  });

  it('does not take noindex for another program', async () => {
    await start({ '/': { body: html('Home'), headers: { 'x-robots-tag': 'googlebot: noindex' } } });
    expect((await fetchTestSite(site)).pages).toEqual({ 'index.html': '/' });
  });

  it('follows no links of a page or a link that says nofollow', async () => {
    await start({
      '/': html('<a href="/a">A</a> <a rel="nofollow" href="/no">No</a>'),
      '/a': html('<a href="/no">No</a>', '<meta name="robots" content="nofollow">'),
      '/no': html('No'),
    });
    expect((await fetchTestSite(site)).pages).toEqual({ 'a.html': '/a', 'index.html': '/' });
  });

  it('reads the canonical page once', async () => {
    await start({
      '/': html('<a href="/print/a">print</a> <a href="/copy/a">copy</a>'),
      '/print/a': html('A', '<link rel="canonical" href="/a/">'),
      '/copy/a': html('A', '<link rel="canonical" href="/a/">'),
      '/a/': html('A', '<link rel="canonical" href="/a/">'),
    });
    expect((await fetchTestSite(site)).pages).toEqual({ 'a/index.html': '/a/', 'index.html': '/' });
  });

  it.each([
    ['is outside of the folder', '/elsewhere/a'],
    ['does not exist', '/docs/missing'],
    ['is the first page', '/docs/'],
    ['is on another host', 'https://docs.example.com/docs/a'],
  ])('keeps a page whose canonical address %s', async (_name, canonical) => {
    await start({
      '/docs/': html('<a href="a">A</a>'),
      '/docs/a': html('A', `<link rel="canonical" href="${canonical}">`),
    });
    expect((await fetchTestSite(site, { path: '/docs/' })).pages['docs/a.html']).toBe('/docs/a');
  });

  it('keeps one of two pages that name each other', async () => {
    await start({
      '/': html('<a href="/a">A</a> <a href="/b">B</a>'),
      '/a': html('A', '<link rel="canonical" href="/b">'),
      '/b': html('B', '<link rel="canonical" href="/a">'),
    });
    expect(Object.keys((await fetchTestSite(site)).pages)).toHaveLength(2);
  });

  it('reads the page that a refresh leads to', async () => {
    await start({
      '/': html('<a href="/old">Old</a>'),
      '/old': html('Moved', '<meta http-equiv="refresh" content="0; url=/new">'),
      '/new': html('New'),
    });
    const copy = await fetchTestSite(site);
    expect(copy.pages).toEqual({ 'index.html': '/', 'new.html': '/new' });
    expect(copy.refusals).toEqual({ '/old': 'it leads to another page at once' });
  });

  it('takes addresses with and without index.html and a slash for one page', async () => {
    await start({
      '/': html(
        '<a href="/a/">1</a> <a href="/a">2</a> <a href="/a/index.html">3</a> <a href="/index.html">4</a>',
      ),
      '/a/': html('A'),
    });
    expect((await fetchTestSite(site)).pages).toEqual({ 'a/index.html': '/a/', 'index.html': '/' });
    expect(site.asked.filter((path) => path.startsWith('/a'))).toEqual(['/a/']);
  });
});

describe('a site that changes', () => {
  it('drops pages that are gone', async () => {
    await start({ '/': html('<a href="/a">A</a> <a href="/b">B</a>'), '/a': html('A'), '/b': html('B') });
    const first = await fetchTestSite(site);
    site.pages.delete('/a');
    const second = await fetchTestSite(site, again(first));
    expect(second.pages).toEqual({ 'b.html': '/b', 'index.html': '/' });
    expect(second.refusals).toEqual({ '/a': 'the site answered 404' });
  });

  it.each([
    ['answers 500', { body: 'broken', status: 500 }],
    ['answers 403', { body: 'forbidden', status: 403 }],
    ['is busy', { body: 'busy', status: 429 }],
    ['is a picture', { body: 'x', headers: { 'content-type': 'image/png' } }],
  ])('keeps the old text of a page that %s, and the pages behind it', async (_name, page) => {
    await start({ '/': html('<a href="/a">A</a>'), '/a': html('<a href="/b">B</a>'), '/b': html('B') });
    const first = await fetchTestSite(site);
    site.pages.set('/a', page);
    const second = await fetchTestSite(site, again(first));
    expect(second.pages).toEqual(first.pages);
    expect(second.revision).toBe(first.revision);
    expect(second.refusals['/a']).toMatch(/; its old text stays$/);
  });

  it('keeps the pages of a sitemap that fails', async () => {
    await start({ '/': html('Home'), '/a': html('A') });
    site.pages.set('/sitemap.xml', urlset(['/'], ['/a']));
    const first = await fetchTestSite(site);
    site.pages.set('/sitemap.xml', { body: 'broken', status: 500 });
    expect((await fetchTestSite(site, again(first))).pages).toEqual(first.pages);
  });

  it('keeps the pages that there was no time for', async () => {
    await start({
      '/': html('<a href="/a">A</a> <a href="/b">B</a>'),
      '/a': html('A'),
      '/b': html('<a href="/c">C</a>'),
      '/c': html('C'),
    });
    const first = await fetchTestSite(site);
    site.pages.set('/a', () => undefined);
    site.pages.set('/b', () => undefined);
    const limits = { totalMs: 300, idleMs: 5_000, graceMs: 5_000 };
    const second = await fetchTestSite(site, { ...again(first), limits });
    expect(second.pages).toEqual(first.pages);
    expect(second.revision).toBe(first.revision);
  });

  it.each([
    ['the first page fails', '/', { body: '', status: 502 }, 'the site answered 502'],
    [
      'the first page is missing, and there is no other',
      '/',
      { body: '', status: 404 },
      'no page was read (the site answered 404)',
    ],
    ['robots.txt fails', '/robots.txt', { body: '', status: 500 }, "its robots.txt can't be read (500)"],
    [
      'robots.txt allows nothing',
      '/robots.txt',
      'User-agent: *\nDisallow: /',
      'its robots.txt does not allow it',
    ],
  ])('throws if %s', async (_name, path, page, reason) => {
    await start({ '/': html('Home') });
    site.pages.set(path, page);
    await expect(fetchTestSite(site)).rejects.toThrow(`${site.origin}/ can't be read: ${reason}.`);
  });

  it('says what to do if robots.txt forbids the site, and of a last copy only if there is one', async () => {
    await start({ '/': html('Home') });
    const first = await fetchTestSite(site);
    site.pages.set('/', { body: '', status: 502 });
    await expect(fetchTestSite(site)).rejects.toMatchObject({
      hint: 'Open the address in a browser. If it works there, try again later.',
    });
    await expect(fetchTestSite(site, again(first))).rejects.toMatchObject({
      hint: 'Open the address in a browser. If it works there, try again later; the last copy stays until then.',
    });
    site.pages.set('/robots.txt', 'User-agent: *\nDisallow: /');
    await expect(fetchTestSite(site)).rejects.toMatchObject({
      hint: 'Ask the owner of the site to allow "pith" in its robots.txt, or give its pages as files or as a repository.',
    });
  });

  it('throws with the failure of the first page, which tells if the site is gone', async () => {
    await start({ '/': { body: '', status: 410 } });
    await expect(fetchTestSite(site)).rejects.toMatchObject({ cause: { isGone: true } });
  });

  it('throws if nothing answers', async () => {
    await start({});
    await site.close();
    await expect(fetchTestSite(site)).rejects.toThrow("can't be read: the connection failed (ECONNREFUSED).");
  });

  it('asks for a sample of pages whose dates are of today, and for all if one has changed', async () => {
    await start({ '/': html('Home') });
    const today = new Date().toISOString().slice(0, 10);
    const paths = Array.from({ length: 40 }, (_, n) => `/p${n}`);
    for (const path of paths) site.pages.set(path, html(path));
    site.pages.set('/sitemap.xml', urlset(...paths.map((path) => [path, today] as const)));
    const first = await fetchTestSite(site);
    site.asked.length = 0;
    const second = await fetchTestSite(site, again(first));
    expect(site.asked.filter((path) => path.endsWith(' 304'))).toHaveLength(8);
    expect(second.revision).toBe(first.revision);
    site.pages.set('/p0', html('changed'));
    site.asked.length = 0;
    const third = await fetchTestSite(site, again(second));
    expect(site.asked.filter((path) => path.endsWith(' 304'))).toHaveLength(39);
    expect(text(third, 'p0.html')).toContain('changed');
  });

  it('asks first for the pages that the last copy lacks', async () => {
    await start({ '/': html('Home') });
    for (const n of [1, 2, 3, 4]) site.pages.set(`/${n}`, html(String(n).repeat(5_000)));
    site.pages.set('/sitemap.xml', urlset(['/1'], ['/2'], ['/3'], ['/4']));
    const limits = { maxTotalBytes: 9_000, concurrency: 1 };
    const first = await fetchTestSite(site, { limits });
    expect(Object.values(first.pages)).toEqual(['/1', '/2', '/']);
    site.asked.length = 0;
    const second = await fetchTestSite(site, { ...again(first), limits });
    expect(Object.values(second.pages)).toEqual(['/1', '/2', '/3', '/4', '/']);
    expect(site.asked.filter((path) => /^\/\d(?: 304)?$/.test(path))).toEqual(['/3', '/4']);
  });

  it('writes nothing into the previous copy', async () => {
    await start({ '/': html('<a href="/a">A</a>'), '/a': html('Old') });
    const first = await fetchTestSite(site);
    site.pages.set('/a', html('New'));
    await fetchTestSite(site, again(first));
    expect(text(first, 'a.html')).toContain('Old');
  });
});

describe('a busy site', () => {
  it('is asked again after the time that it says', async () => {
    const waits: number[] = [];
    let now = 0;
    let tries = 0;
    await start({
      '/': (_request, response) => {
        const isBusy = ++tries < 3;
        response.writeHead(isBusy ? 503 : 200, {
          'content-type': 'text/html',
          ...(isBusy ? { 'retry-after': '7' } : {}),
        });
        response.end(html('Home'));
      },
    });
    const pause = (ms: number): Promise<void> => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    };
    const copy = await fetchTestSite(site, { parts: { pause, now: () => now } });
    expect(copy.pages).toEqual({ 'index.html': '/' });
    expect(waits).toEqual([7_000, 7_000]);
  });

  it('is asked one page after the other with the delay of its robots.txt', async () => {
    const waits: number[] = [];
    let now = 0;
    await start({
      '/robots.txt': 'User-agent: *\nCrawl-delay: 2',
      '/': html('<a href="/a">A</a>'),
      '/a': html('A'),
    });
    const pause = (ms: number): Promise<void> => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    };
    await fetchTestSite(site, { parts: { pause, now: () => now } });
    expect(waits).toEqual(Array(site.asked.length - 1).fill(2_000));
  });
});

describe('formats', () => {
  it.each(['application/json', 'application/octet-stream'])(
    'takes no %s without the name of a format',
    async (type) => {
      await start({
        '/': html('<a href="/data">D</a>'),
        '/data': { body: '{"a": 1}', headers: { 'content-type': type } },
      });
      expect((await fetchTestSite(site)).refusals).toEqual({ '/data': `its type ${type} is not read` });
    },
  );

  it('takes a notebook that is called JSON', async () => {
    await start({
      '/': html('<a href="/a.ipynb">A</a>'),
      '/a.ipynb': { body: '{"cells": []}', headers: { 'content-type': 'application/json' } },
    });
    expect(Object.keys((await fetchTestSite(site)).pages)).toEqual(['a.ipynb', 'index.html']);
  });

  it('takes linked files of formats that are read, and no others', async () => {
    const links = ['notes.txt', 'guide.rst', 'table.csv', 'logo.png', 'app.js', 'data.zip', 'feed.xml'];
    await start({ '/': html(links.map((name) => `<a href="/${name}">${name}</a>`).join('')) });
    for (const name of links)
      site.pages.set(`/${name}`, { body: 'a,b', headers: { 'content-type': 'text/plain' } });
    expect(Object.keys((await fetchTestSite(site)).pages)).toEqual([
      'guide.rst',
      'index.html',
      'notes.txt',
      'table.csv',
    ]);
    expect(site.asked).not.toContain('/logo.png');
  });

  it.each([
    ['tool.1', 'text/plain', '.TH TOOL 1\n.SH NAME\ntool\n'],
    ['tool.3', 'application/x-troff-man', '.TH TOOL 3\n.SH NAME\ntool\n'],
    ['api.yaml', 'application/yaml', 'openapi: 3.1.0\ninfo: {}\n'],
    ['guide.rst', 'text/prs.fallenstein.rst', 'Guide\n=====\n'],
  ])('keeps the ending of %s with type %s', async (name, type, body) => {
    await start({
      '/': html(`<a href="/${name}">A</a>`),
      [`/${name}`]: { body, headers: { 'content-type': type } },
    });
    expect(Object.keys((await fetchTestSite(site)).pages)).toContain(name);
  });

  it('lists linked data that is not read', async () => {
    await start({
      '/': html('<a href="/values.yaml">A</a>'),
      '/values.yaml': { body: 'a: 1', headers: { 'content-type': 'text/plain' } },
    });
    expect((await fetchTestSite(site)).refusals).toEqual({
      '/values.yaml': 'its type text/plain is not read',
    });
  });

  it.each([
    ['a header', 'text/html; charset=ISO-8859-1', ''],
    ['a meta element', 'text/html', '<meta charset="windows-1252">'],
  ])('writes text in another encoding as UTF-8, by %s', async (_name, type, head) => {
    await start({
      '/': {
        body: Buffer.from(html('Größe \x96 5 \x80', head), 'latin1'),
        headers: { 'content-type': type },
      },
    });
    expect(text(await fetchTestSite(site), 'index.html')).toContain('Größe – 5 €');
  });
});

describe('the folder of an address', () => {
  it('is that of the page that the address leads to, on the same site', async () => {
    await start({
      '/latest/': (_request, response) => void response.writeHead(302, { location: '/v3/' }).end(),
      '/v3/': html('<a href="/v3/a">A</a> <a href="/v2/a">old</a>'),
      '/v3/a': html('A'),
      '/v2/a': html('old'),
    });
    expect((await fetchTestSite(site, { path: '/latest/' })).pages).toEqual({
      'v3/a.html': '/v3/a',
      'v3/index.html': '/v3/',
    });
  });

  it('needs no slash at the end', async () => {
    await start({
      '/docs': html('<a href="/docs/a">A</a> <a href="/blog">B</a>'),
      '/docs/a': html('A'),
      '/blog': html('B'),
    });
    expect(Object.values((await fetchTestSite(site, { path: '/docs' })).pages)).toEqual(['/docs', '/docs/a']);
  });
});

describe('a large site', () => {
  it('costs at most 20 requests if its sitemap has no newer dates', async () => {
    await start({ '/docs/': html('Home') });
    const paths = Array.from({ length: 1_000 }, (_, n) => `/docs/p${n}/`);
    for (const path of paths) site.pages.set(path, html(path));
    site.pages.set(
      '/docs/sitemap.xml',
      urlset(...paths.map((path) => [path, new Date().toISOString()] as const)),
    );
    const first = await fetchTestSite(site, { path: '/docs/' });
    expect(first.files).toHaveLength(1_001);
    site.asked.length = 0;
    const second = await fetchTestSite(site, { path: '/docs/', ...again(first) });
    expect(second.revision).toBe(first.revision);
    expect(site.asked.length).toBeLessThanOrEqual(20);
  });
});
