import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { RefusedAddressError } from '../../../../src/sources/guarded-address.js';
import {
  type FetchOptions,
  fetchTestSite,
  type Handler,
  html,
  removeCopies,
  startSite,
  type TestCopy,
  type TestSite,
} from '../../../support/site-server.js';

let site: TestSite;
/** A server of the machine that no source names. */
let inner: TestSite;

beforeEach(async () => {
  inner = await startSite({ '/': html('Secret'), '/secret': html('Secret') });
});

afterEach(async () => {
  removeCopies();
  await inner.close();
  await site.close();
});

const start = async (pages: Parameters<typeof startSite>[0]): Promise<TestSite> =>
  (site = await startSite(pages));
const ASKED_FIRST = ['/robots.txt', '/', '/llms-full.txt', '/llms.txt'];
const redirect =
  (location: string, status = 302): Handler =>
  (_request, response) =>
    void response.writeHead(status, { location }).end();
const sending =
  (headers: Record<string, string>, write: (response: ServerResponse) => void): Handler =>
  (_request, response) => {
    response.on('error', () => undefined);
    response.writeHead(200, { 'content-type': 'text/html', ...headers });
    write(response);
  };
/** A first page that links to `/x`, and to a good page that is read in any case. */
const FIRST = html('<a href="/x">X</a> <a href="/good">Good</a>');
const withX = (x: Parameters<typeof startSite>[0][string]) =>
  start({ '/': FIRST, '/good': html('Good'), '/x': x });
/** Fetches the site, whose good pages are read, and gives the reason why `/x` is not. */
async function refusalForX(options: FetchOptions = {}): Promise<string | undefined> {
  const copy = await fetchTestSite(site, options);
  expect(Object.values(copy.pages)).toEqual(['/good', '/']);
  expect(inner.asked).toEqual([]);
  return copy.refusals['/x'];
}

describe('addresses inside the machine', () => {
  it.each([
    ['http://127.0.0.1:1/'],
    ['http://localhost:1/'],
    ['http://[::1]:1/'],
    ['http://[::ffff:127.0.0.1]:1/'],
    ['http://169.254.169.254/latest/meta-data/'],
    ['http://2130706433.example.com/'],
  ])('refuses the source %s', async (address) => {
    await start({});
    const resolve = () => Promise.resolve(['10.1.2.3']);
    await expect(
      fetchTestSite(site, { source: { address, allowedHosts: [] }, parts: { resolve } }),
    ).rejects.toThrow(RefusedAddressError);
  });

  it('asks no address that a public name resolves to inside', async () => {
    await start({});
    const address = `http://docs.example.com:${new URL(inner.origin).port}/`;
    const resolve = () => Promise.resolve(['127.0.0.1']);
    await expect(
      fetchTestSite(site, { source: { address, allowedHosts: [] }, parts: { resolve } }),
    ).rejects.toThrow('127.0.0.1 is not a public address');
    expect(inner.asked).toEqual([]);
  });

  it('connects to the address that was checked, and not to another one of the name', async () => {
    await start({ '/': html('Home') });
    const { port } = new URL(site.origin);
    // The system does not know this name, so only the checked address can be the one that is used.
    const address = `http://docs.example.test:${port}/`;
    const copy = await fetchTestSite(site, {
      source: { address, allowedHosts: [`docs.example.test:${port}`] },
      parts: { resolve: () => Promise.resolve(['127.0.0.1']) },
    });
    expect(copy.files.map((file) => file.address)).toEqual([address]);
    expect(site.sent[0]?.host).toBe(`docs.example.test:${port}`);
  });

  it('checks a name again for each request, so that an answer that changes is refused', async () => {
    await start({ '/': FIRST, '/good': html('Good') });
    const { port } = new URL(site.origin);
    let queries = 0;
    const resolve = () => Promise.resolve(++queries > 2 ? [] : ['127.0.0.1']);
    const copy = await fetchTestSite(site, {
      source: { address: `http://docs.example.test:${port}/`, allowedHosts: [`docs.example.test:${port}`] },
      parts: { resolve },
    });
    expect(copy.files).toHaveLength(1);
    expect(copy.refused.map(({ reason }) => reason)).toContainEqual(
      expect.stringContaining('it has no address'),
    );
  });

  it('ends for a name that is never found', async () => {
    await start({});
    const source = { address: 'http://docs.example.com/', allowedHosts: [] };
    await expect(
      fetchTestSite(site, {
        source,
        limits: { idleMs: 50 },
        parts: { resolve: () => new Promise(() => undefined) },
      }),
    ).rejects.toThrow('its name was not found in time');
  });
});

describe('redirects', () => {
  it.each([
    ['another port', () => `${inner.origin}/secret`],
    ['a metadata address', () => 'http://169.254.169.254/latest/meta-data/'],
    ['a mapped address', () => `http://[::ffff:7f00:1]:${new URL(inner.origin).port}/`],
    ['a decimal address', () => `http://2130706433:${new URL(inner.origin).port}/`],
    ['another host', () => 'https://elsewhere.example/'],
    ['a host that begins alike', () => `http://127.0.0.1.example.com/`],
    ['an address with a user', () => site.origin.replace('//', '//user:secret@')],
    ['a file', () => 'file:///etc/passwd'],
    ['data', () => 'data:text/html,hello'],
    ['a script', () => 'javascript:alert(1)'],
    ['a host after two slashes', () => `//127.0.0.1:${new URL(inner.origin).port}/secret`],
  ])('does not follow one to %s', async (_name, location) => {
    await withX((request, response) => redirect(location())(request, response));
    expect(await refusalForX()).toBe('it redirects to another site');
  });

  it('follows at most five', async () => {
    await withX((request, response) => {
      const n = Number(new URL(request.url ?? '', site.origin).searchParams.get('n') ?? 0);
      redirect(`/x?n=${n + 1}`)(request, response);
    });
    expect(await refusalForX()).toBe('more than 5 redirects');
    expect(site.asked.filter((path) => path === '/x')).toHaveLength(6);
  });

  it('ends a loop of two pages', async () => {
    await withX(redirect('/y'));
    site.pages.set('/y', redirect('/x'));
    expect(await refusalForX()).toBe('more than 5 redirects');
  });

  it('does not follow one to a page that robots.txt forbids', async () => {
    await withX(redirect('/private/a'));
    site.pages.set('/robots.txt', 'User-agent: *\nDisallow: /private/');
    site.pages.set('/private/a', html('Private'));
    expect(await refusalForX()).toBe('robots.txt does not allow it');
    expect(site.asked).not.toContain('/private/a');
  });

  it('reports a site that leads to a host whose robots.txt fails', async () => {
    await start({
      '/robots.txt': ({ headers }, response) =>
        void response.writeHead(headers.host?.startsWith('www.') === true ? 500 : 404).end(),
    });
    const port = new URL(site.origin).port;
    site.pages.set('/', (request, response) =>
      request.headers.host?.startsWith('www.') === true
        ? response.end(html('Home'))
        : redirect(`http://www.docs.example.test:${port}/`)(request, response),
    );
    const hosts = ['docs.example.test', 'www.docs.example.test'].map((name) => `${name}:${port}`);
    const source = { address: `http://docs.example.test:${port}/`, allowedHosts: hosts };
    const failed = fetchTestSite(site, { source, parts: { resolve: () => Promise.resolve(['127.0.0.1']) } });
    await expect(failed).rejects.toMatchObject({ reason: 'site_unreachable' });
  });

  it('needs an address', async () => {
    await withX((_request, response) => void response.writeHead(302).end());
    expect(await refusalForX()).toBe('it redirects to no address');
  });
});

describe('secrets', () => {
  const secret = 'PITH_TEST_DOCS_TOKEN';
  beforeEach(() => (process.env['PITH_TEST_DOCS_TOKEN'] = 'top-secret'));
  afterEach(() => delete process.env['PITH_TEST_DOCS_TOKEN']);

  it('sends the authorization to the origin of the source', async () => {
    await start({ '/': html('Home') });
    await fetchTestSite(site, { source: { secret } });
    expect(site.sent.map((headers) => headers.authorization)).toEqual(Array(5).fill('Bearer top-secret'));
  });

  it('sends it to no other origin, not even to one that is allowed', async () => {
    await withX(redirect(`${inner.origin}/secret`));
    expect(await refusalForX({ source: { secret, allowedHosts: [site.host, inner.host] } })).toBe(
      'it redirects to another site',
    );
  });

  it('sends a user with a password as Basic', async () => {
    process.env[secret] = 'ida:top-secret';
    await start({ '/': html('Home') });
    await fetchTestSite(site, { source: { secret } });
    expect(site.sent[0]?.authorization).toBe('Basic aWRhOnRvcC1zZWNyZXQ=');
  });

  it('sends no cookies', async () => {
    await start({
      '/': { body: FIRST, headers: { 'set-cookie': 'id=1; Path=/' } },
      '/good': html('Good'),
    });
    await fetchTestSite(site);
    expect(site.sent.filter((headers) => headers.cookie !== undefined)).toEqual([]);
  });

  it('uses no proxy of the environment', async () => {
    process.env['http_proxy'] = inner.origin;
    process.env['HTTP_PROXY'] = inner.origin;
    await start({ '/': html('Home') });
    await fetchTestSite(site);
    delete process.env['http_proxy'];
    delete process.env['HTTP_PROXY'];
    expect(inner.asked).toEqual([]);
  });
});

describe('answers without end', () => {
  const flood = (response: ServerResponse, chunk: Buffer | string): void => {
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };

  it('cuts off a page at its limit', async () => {
    await withX(sending({}, (response) => flood(response, 'endless '.repeat(1_000))));
    expect(await refusalForX({ limits: { maxPageBytes: 100_000 } })).toBe('it has more than 100000 bytes');
  });

  it('does not read a page that announces too much', async () => {
    await withX(sending({ 'content-length': '99999999999' }, (response) => void response.write('x')));
    expect(await refusalForX()).toBe('it has more than 10000000 bytes');
  });

  it.each([['gzip'], ['GZIP']])('counts the bytes of %s after decompression', async (encoding) => {
    const bomb = gzipSync(Buffer.alloc(30_000_000, 'a'));
    await withX(sending({ 'content-encoding': encoding }, (response) => void response.end(bomb)));
    expect(await refusalForX()).toBe('it has more than 10000000 bytes');
  });

  it.each([['gzip, gzip'], ['compress'], ['x'.repeat(1_000)]])(
    'refuses the content encoding %.20s',
    async (encoding) => {
      await withX(sending({ 'content-encoding': encoding }, (response) => void response.end('x')));
      expect(await refusalForX()).toBe('its content encoding is unknown');
    },
  );

  it('refuses data that is not compressed as it says', async () => {
    await withX(sending({ 'content-encoding': 'gzip' }, (response) => void response.end('not gzip')));
    expect(await refusalForX()).toBe('the connection failed (Z_DATA_ERROR)');
  });

  it('ends a page that sends its head only', async () => {
    await withX(sending({}, (response) => response.flushHeaders()));
    expect(await refusalForX({ limits: { idleMs: 400 } })).toBe('no byte came in time');
  });

  it('ends a page that never answers', async () => {
    await withX(() => undefined);
    expect(await refusalForX({ limits: { idleMs: 400 } })).toBe('no byte came in time');
  });

  it('ends a page that sends a byte now and then', async () => {
    await withX(
      sending({}, (response) => {
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      }),
    );
    const limits = { idleMs: 1_000, graceMs: 200, minBytesPerSecond: 10_000 };
    expect(await refusalForX({ limits })).toBe('the answer came too slowly');
  });

  it('refuses a page that ends before its length', async () => {
    await withX(
      sending({ 'content-length': '1000' }, (response) => {
        response.write('short');
        setTimeout(() => response.destroy(), 20);
      }),
    );
    expect(await refusalForX()).toBe('the connection failed (ECONNRESET)');
  });

  it('refuses a page with a huge head', async () => {
    await withX(sending({ 'x-long': 'x'.repeat(100_000) }, (response) => void response.end(html('X'))));
    expect(await refusalForX()).toBe('the connection failed (HPE_HEADER_OVERFLOW)');
  });

  it('keeps no long ETags', async () => {
    await start({ '/': { body: html('Home'), headers: { etag: `"${'e'.repeat(10_000)}"` } } });
    expect((await fetchTestSite(site)).files[0]).toEqual({ path: 'index.html', address: `${site.origin}/` });
  });

  it('stops at the limit of pages for pages that link to ever more pages', async () => {
    await start({ '/': html('<a href="/p/1">1</a>') });
    for (let n = 1; n < 60; n++) site.pages.set(`/p/${n}`, html(`${n} <a href="/p/${n + 1}">more</a>`));
    const copy = await fetchTestSite(site, { limits: { maxPages: 20, maxDepth: 100 } });
    expect(copy.files).toHaveLength(20);
    expect(copy.refusals['/']).toBe('1 links exceed the limits of pages and depth');
  });

  it('stops at the limit of depth', async () => {
    await start({ '/': html('<a href="/1">1</a>') });
    for (let n = 1; n < 10; n++) site.pages.set(`/${n}`, html(`<a href="/${n + 1}">more</a>`));
    expect((await fetchTestSite(site, { limits: { maxDepth: 3 } })).files).toHaveLength(4);
  });

  it('stops at the limit of all bytes', async () => {
    await start({ '/': html([1, 2, 3, 4, 5, 6].map((n) => `<a href="/${n}">${n}</a>`).join(' ')) });
    for (let n = 1; n < 7; n++) site.pages.set(`/${n}`, html(String(n).repeat(10_000)));
    const copy = await fetchTestSite(site, { limits: { maxTotalBytes: 25_000, concurrency: 1 } });
    expect(copy.files.map(({ path }) => path)).toEqual(['1.html', '2.html', '3.html', 'index.html']);
    expect(copy.refusals['/']).toBe('the limit of bytes was reached; 3 pages were not read');
  });

  it('stops at the limit of time', async () => {
    await start({ '/': html('<a href="/x">X</a>'), '/x': () => undefined });
    const copy = await fetchTestSite(site, { limits: { totalMs: 300, idleMs: 5_000, graceMs: 5_000 } });
    expect(copy.refusals['/']).toBe('the limit of time was reached; 1 pages were not read');
  });

  it('counts pages that differ by query only once', async () => {
    await start({ '/': html('<a href="/c?day=1">1</a> <a href="/c?day=2">2</a>') });
    site.pages.set('/c', html('<a href="/c?day=3">3</a> <a href="/c?day=4#x">4</a>'));
    expect((await fetchTestSite(site)).pages).toEqual({ 'c.html': '/c', 'index.html': '/' });
    expect(site.asked.filter((path) => path === '/c')).toHaveLength(1);
  });
});

describe('pages that lie', () => {
  it.each([
    ['a picture as HTML', 'text/html', '\x89PNG\r\n\x1a\n0000'],
    ['a program as text', 'text/plain', '\x7fELF\x02\x01\x01\0'],
    ['a PDF as HTML', 'text/html', '%PDF-1.7 …'],
    ['NUL bytes as Markdown', 'text/markdown', 'a\0b'],
    [
      'text as a document of Word',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'hello',
    ],
  ])('does not take %s', async (_name, type, body) => {
    await withX({ body: Buffer.from(body, 'latin1'), headers: { 'content-type': type } });
    expect(await refusalForX()).toMatch(/^its content is not of its type /);
  });

  it.each([
    ['image/png'],
    ['application/javascript'],
    ['video/mp4'],
    ['multipart/x-mixed-replace; boundary=a'],
  ])('does not take %s', async (type) => {
    await withX({ body: 'x', headers: { 'content-type': type } });
    expect(await refusalForX()).toMatch(/ is not read$/);
  });

  it('takes HTML that is called text for HTML', async () => {
    await start({ '/': { body: html('Home'), headers: { 'content-type': 'text/plain' } } });
    expect(Object.keys((await fetchTestSite(site)).pages)).toEqual(['index.html']);
  });
});

describe('links that lead astray', () => {
  it.each([
    ['a base of another host', (to: string) => html('<a href="secret">S</a>', `<base href="${to}/">`)],
    ['a link to another port', (to: string) => html(`<a href="${to}/secret">S</a>`)],
    ['a link without a scheme', (to: string) => html(`<a href="${to.replace('http:', '')}/secret">S</a>`)],
    ['a path with two slashes', (to: string) => html(`<a href="/.//${to.slice(7)}/secret">S</a>`)],
    ['backslashes', (to: string) => html(`<a href="\\\\${to.slice(7)}\\secret">S</a>`)],
    ['a user', (to: string) => html(`<a href="http://u:p@${to.slice(7)}/secret">S</a>`)],
    ['a refresh', (to: string) => html('x', `<meta http-equiv="refresh" content="0; url=${to}/secret">`)],
    ['a canonical address', (to: string) => html('x', `<link rel="canonical" href="${to}/secret">`)],
    ['a frame', (to: string) => html(`<iframe src="${to}/secret"></iframe>`)],
    ['a script', (to: string) => html(`<script>location = "${to}/secret"</script>`)],
    ['a file', () => html('<a href="file:///etc/passwd">S</a>')],
    ['a picture', (to: string) => html(`<img src="${to}/secret">`)],
  ])('does not follow %s', async (_name, page) => {
    await withX(page(inner.origin));
    const copy = await fetchTestSite(site);
    expect(inner.asked).toEqual([]);
    expect(copy.files.every(({ address }) => address.startsWith(`${site.origin}/`))).toBe(true);
    expect(
      site.asked.filter((path) => ![...ASKED_FIRST, '/sitemap.xml', '/good', '/x'].includes(path)),
    ).toEqual(_name === 'a path with two slashes' ? [`//${inner.host}/secret`] : []);
  });

  it('does not read comments, scripts and templates', async () => {
    const link = '<a href="/trap">T</a>';
    await start({
      '/': html(
        `<!-- ${link} --><script>x = '${link}'</script><template>${link}</template><textarea>${link}</textarea>`,
      ),
      '/trap': html('Trap'),
    });
    expect((await fetchTestSite(site)).pages).toEqual({ 'index.html': '/' });
  });

  it.each([
    ['../../outside', 'outside.html'],
    ['%2e%2e/%2e%2e/outside', 'outside.html'],
    ['..%2f..%2foutside', '_.._.._outside.html'],
    ['a%00b', 'a_b.html'],
    ['.git/config', '_.git/config.html'],
    ['.pith.yaml', '_.pith.yaml.html'],
    ['node_modules/a', '_node_modules/a.html'],
    ['CON', '_CON.html'],
    ['aux.html', '_aux.html'],
    ['a%5C..%5Cb', 'a_.._b.html'],
    ['%ff%fe', '_ff_fe.html'],
    ['x.html/y', 'x.html_/y.html'],
    ['dots.../x', 'dots_/x.html'],
    ['%E2%80%AEevil', '_evil.html'],
  ])('writes the page %s to %s', async (link, path) => {
    await start({ '/': html(`<a href="${link}">X</a>`) });
    site.pages.set(new URL(link, site.origin).pathname, html('X'));
    const copy = await fetchTestSite(site);
    expect(Object.keys(copy.pages)).toContain(path);
  });

  it('bounds the length of names and paths', async () => {
    const [name, deep] = ['n'.repeat(1_000), 'd/'.repeat(300)];
    await start({ '/': html(`<a href="/${name}">N</a> <a href="/${deep}">D</a>`) });
    site.pages.set(`/${name}`, html('N'));
    site.pages.set(`/${deep}`, html('D'));
    const copy = await fetchTestSite(site);
    expect(
      Object.keys(copy.pages)
        .map((path) => path.length)
        .sort((a, b) => a - b),
    ).toEqual([10, 17, 42]);
  });

  it('tells names apart that differ by case only', async () => {
    await start({
      '/': html('<a href="/Page">1</a> <a href="/page">2</a>'),
      '/Page': html('1'),
      '/page': html('2'),
    });
    const copy = await fetchTestSite(site);
    expect(new Set(readdirSync(copy.folder).map((name) => name.toLowerCase())).size).toBe(3);
    const texts = copy.files.map(({ path }) => readFileSync(`${copy.folder}/${path}`, 'utf8'));
    expect(new Set(texts).size).toBe(3);
  });
});

describe('lists that attack', () => {
  const ONE_PAGE = { '/': html('Home'), '/good': html('Good') };
  const copyWith = async (
    sitemap: Parameters<typeof startSite>[0][string],
    options: FetchOptions = {},
  ): Promise<TestCopy> => {
    await start(ONE_PAGE);
    site.pages.set('/sitemap.xml', sitemap);
    return fetchTestSite(site, options);
  };

  it('expands no entities of a sitemap', async () => {
    const lol = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
    const copy = await copyWith(
      `<!DOCTYPE urlset [<!ENTITY l0 "lol"><!ENTITY f SYSTEM "file:///etc/passwd">${lol}]><urlset><url><loc>&l9;&f;</loc></url></urlset>`,
    );
    expect(copy.pages).toEqual({ 'index.html': '/' });
    expect(site.asked.slice(5)).toEqual(['/&l9;&f;.md', '/&l9;&f;']);
  });

  it('ends for indexes that list each other', async () => {
    await start(ONE_PAGE);
    const index = (...names: string[]): string =>
      `<sitemapindex>${names.map((name) => `<sitemap><loc>${site.origin}/${name}</loc></sitemap>`).join('')}</sitemapindex>`;
    site.pages.set('/sitemap.xml', index('a.xml', 'b.xml', 'sitemap.xml'));
    site.pages.set('/a.xml', index('b.xml', 'a.xml'));
    site.pages.set('/b.xml', index('a.xml', 'sitemap.xml'));
    await fetchTestSite(site);
    expect(site.asked).toEqual([...ASKED_FIRST, '/sitemap.xml', '/a.xml', '/b.xml']);
  });

  it('reads a limited number of sitemaps', async () => {
    await start(ONE_PAGE);
    const next: Handler = (request, response) => {
      const n = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
      response.end(`<sitemapindex><sitemap><loc>/s${n + 1}.xml</loc></sitemap></sitemapindex>`);
    };
    site.pages.set('/sitemap.xml', next);
    for (let n = 1; n < 30; n++) site.pages.set(`/s${n}.xml`, next);
    const copy = await fetchTestSite(site, { limits: { maxSitemaps: 10 } });
    expect(site.asked.filter((path) => path.endsWith('.xml'))).toHaveLength(10);
    expect(copy.refusals['/']).toBe('more than 10 sitemaps');
  });

  it('reads no sitemap of another host', async () => {
    await start({
      ...ONE_PAGE,
      '/robots.txt': `Sitemap: ${inner.origin}/sitemap.xml\nSitemap: file:///etc/passwd`,
    });
    const copy = await fetchTestSite(site);
    expect(inner.asked).toEqual([]);
    expect(copy.refusals[`${inner.origin}/sitemap.xml`]).toBe('a sitemap of another site');
    expect(copy.refusals['file:///etc/passwd']).toBe('a sitemap of another site');
  });

  it('shows no control characters of a list', async () => {
    await start({ ...ONE_PAGE, '/robots.txt': 'Sitemap: https://elsewhere.example/\u001b[2J\u0007' });
    expect((await fetchTestSite(site)).refusals).toEqual({
      'https://elsewhere.example/ [2J ': 'a sitemap of another site',
    });
  });

  it('takes no pages of other hosts and folders from a sitemap', async () => {
    const copy = await copyWith(
      `<urlset><url><loc>${inner.origin}/secret</loc></url><url><loc>file:///etc/passwd</loc></url><url><loc>/good</loc></url></urlset>`,
    );
    expect(copy.pages).toEqual({ 'good.html': '/good', 'index.html': '/' });
    expect(inner.asked).toEqual([]);
  });

  it('unpacks a compressed sitemap up to its limit', async () => {
    const bomb = gzipSync(`<urlset>${' '.repeat(5_000_000)}<url><loc>/good</loc></url></urlset>`);
    const copy = await copyWith(
      { body: bomb, headers: { 'content-type': 'application/gzip' } },
      { limits: { maxSitemapBytes: 1_000_000 } },
    );
    expect(copy.pages).toEqual({ 'index.html': '/' });
    expect(copy.refusals['/sitemap.xml']).toMatch(/larger than/);
  });

  it('takes linear time for a sitemap of open tags', async () => {
    const copy = await copyWith(`<urlset>${'<url <loc '.repeat(400_000)}`);
    expect(copy.pages).toEqual({ 'index.html': '/' });
  });

  it('takes linear time for a page of open tags and quotes', async () => {
    await start({
      '/': html('<a href="'.repeat(200_000) + `<a ${"b='c ".repeat(200_000)}` + '<!-'.repeat(200_000)),
    });
    expect((await fetchTestSite(site)).pages).toEqual({ 'index.html': '/' });
  });

  it('reads the beginning of an endless robots.txt', async () => {
    await start({ '/': FIRST, '/good': html('Good') });
    site.pages.set(
      '/robots.txt',
      sending({ 'content-type': 'text/plain' }, (response) => {
        response.write('User-agent: *\nDisallow: /x\n');
        const more = (): void => {
          while (!response.destroyed && response.write('# padding\n'.repeat(1_000)));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      }),
    );
    expect((await fetchTestSite(site)).refusals['/x']).toBe('robots.txt does not allow it');
    expect(site.asked).not.toContain('/x');
  });

  it('takes no time for rules of many stars', async () => {
    await start({ ...ONE_PAGE, '/robots.txt': `User-agent: *\nDisallow: /${'*a'.repeat(400)}$` });
    site.pages.set('/', html(`<a href="/${'a'.repeat(1_000)}b">X</a>`));
    expect(Object.values((await fetchTestSite(site)).pages)).toEqual(['/']);
  });

  it('waits no longer than the limit of delays for a robots.txt that asks for years', async () => {
    const waits: number[] = [];
    let now = 0;
    await start({ ...ONE_PAGE, '/robots.txt': 'User-agent: *\nCrawl-delay: 99999999' });
    const pause = (ms: number): Promise<void> => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    };
    await fetchTestSite(site, { parts: { pause, now: () => now } });
    expect(Math.max(...waits)).toBe(10_000);
  });

  it('gives up on a site that asks to wait for years', async () => {
    await withX({ body: '', status: 503, headers: { 'retry-after': '99999999' } });
    expect(await refusalForX()).toBe('the site is busy (503) and asks to wait 99999999 s');
  });
});

describe('connections that attack', () => {
  const raw = async (talk: (socket: Socket) => void): Promise<string> => {
    await start({});
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => talk(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const reason = await fetchTestSite(
      { origin: `http://${host}`, host },
      { limits: { idleMs: 400, graceMs: 1_000 } },
    ).then(
      () => 'fetched',
      (error: Error) => error.message,
    );
    await new Promise((resolve) => void server.close(resolve));
    return reason.replace(/^\S+ can't be read: /, '');
  };

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'the connection failed (HPE_INVALID_CONSTANT).'],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\nok',
      'the connection failed (HPE_UNEXPECTED_CONTENT_LENGTH).',
    ],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'the connection failed (HPE_INVALID_TRANSFER_ENCODING).',
    ],
    ['a head without end', 'HTTP/1.1 200 OK\r\nX: 1', 'no byte came in time.'],
  ])('ends for %s', async (_name, text, reason) => {
    expect(await raw((socket) => socket.write(text))).toBe(reason);
  });

  it('ends for interim answers without end', async () => {
    const reason = await raw((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10);
      socket.on('close', () => clearInterval(timer));
    });
    expect(reason).toBe('the answer came too slowly.');
  });

  it('ends at once when it is stopped', async () => {
    await start({ '/': html('<a href="/x">X</a>') });
    const stop = new AbortController();
    site.pages.set('/x', () => stop.abort(new Error('stopped')));
    await expect(fetchTestSite(site, { signal: stop.signal })).rejects.toThrow('stopped');
  });
});
