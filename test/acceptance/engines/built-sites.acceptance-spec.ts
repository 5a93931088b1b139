import type { Browser, Page } from 'playwright-core';
import { compareDocument, tokens } from '../../../bench/fidelity/compare-document.mjs';
import { readIndexed } from '../../../bench/fidelity/read-indexed.mjs';
import { openBrowser } from '../../support/browser.js';
import { buildSite, type BuiltSite, type Generator } from '../../support/built-sites.js';
import { describeEngines, engineUrl } from '../../support/engine.js';
import { type IndexedPage, indexedPages } from '../../support/indexed-pages.js';
import { runPith } from '../../support/processes.js';
import { followingText, openAnchor, readShown, type ShownPage } from '../../support/shown-page.js';
import { testFolder } from '../../support/test-folder.js';

const INSTALLED = engineUrl('generators') ?? '';
const folder = testFolder();
let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  for (const site of sites.values()) await (await site).close();
  folder.remove();
});

const sites = new Map<Generator, Promise<BuiltSite>>();

/** Builds each site once. */
function siteFor(name: Generator): Promise<BuiltSite> {
  const site = sites.get(name) ?? buildSite(name, INSTALLED, folder);
  sites.set(name, site);
  return site;
}

const key = (text: string): string => tokens(text).join(' ');

async function indexInto(index: string, ...args: string[]): Promise<readonly IndexedPage[]> {
  const { code, stdout, stderr } = await runPith(['index', ...args, '--index', index], {
    env: { HOME: folder.file('home'), XDG_DATA_HOME: folder.file('data') },
    maxMs: 60_000,
  });
  if (code !== 0) throw new Error(stdout + stderr);
  return indexedPages(index);
}

/** The headings whose anchors a browser opens elsewhere, on the page that is open. */
async function misplaced(headings: IndexedPage['headings']): Promise<string[]> {
  const wrong: string[] = [];
  for (const { title, anchor } of headings) {
    const opened = anchor === null ? title : await openAnchor(page, anchor);
    // Badges in titles are lost in Markdown.
    if (opened === null || !`${key(opened)} `.startsWith(`${key(title)} `))
      wrong.push(`${title} #${anchor}: ${opened}`);
  }
  return wrong;
}

interface Answer {
  readonly quotes: readonly { readonly quote: string; readonly section_id: string }[];
  readonly sources: readonly { readonly url: string; readonly section_id: string }[];
}

interface Expected {
  /** Selects the part of a page that is not navigation. */
  readonly main: string;
  /** Paths of the pages on the site. */
  readonly pages: readonly string[];
  /** Of pages, by their paths; null for the others. */
  readonly versions?: Readonly<Record<string, string>>;
  /** The path on the site of a file of the source; null for a file that is no page. */
  readonly route: (path: string) => string | null;
}

/** With a folder of its own for each page. */
const inFolder = (path: string): string =>
  `/${path.replace(/(?:(?<=\/)|^)_?index$/, '')}/`.replace('//', '/');

const SITES: readonly (readonly [Generator, Expected])[] = [
  [
    'mkdocs',
    {
      main: 'article.md-content__inner',
      pages: ['/', '/guide/berths/', '/guide/install/', '/reference/changes/', '/reference/settings/'],
      route: (path) => inFolder(path.replace(/^docs\/|\.md$/g, '')),
    },
  ],
  [
    'sphinx',
    {
      main: 'article#furo-main-content',
      pages: ['/', '/api/', '/berths/', '/command/', '/glossary/', '/install/'],
      route: (path) => (/^parts\//.test(path) ? null : inFolder(path.replace(/\.\w+$/, ''))),
    },
  ],
  [
    'vitepress',
    {
      main: 'main, .VPHome',
      pages: ['/', '/guide/berths', '/guide/install', '/reference/settings'],
      route: (path) =>
        /^parts\//.test(path) ? null : `/${path.replace(/\.md$/, '')}`.replace(/\/index$/, '/'),
    },
  ],
  [
    'mdbook',
    {
      main: 'main',
      pages: ['/', '/contributors.html', '/guide/berths.html', '/guide/install.html', '/settings.html'],
      route: (path) =>
        /SUMMARY|tides/.test(path)
          ? null
          : `/${path.replace(/^src\/|\.md$/g, '')}.html`.replace(/\/index\.html$/, '/'),
    },
  ],
  [
    'hugo',
    {
      main: 'main',
      pages: [
        ...['/', '/v1.0/', '/v1.0/guide/', '/v1.0/guide/berths/', '/v1.0/guide/install/', '/v2.0/'],
        ...['/v2.0/guide/', '/v2.0/guide/berths/', '/v2.0/guide/install/', '/v2.0/reference/settings/'],
      ],
      versions: {
        ...{
          '/v1.0/': '1.0',
          '/v1.0/guide/': '1.0',
          '/v1.0/guide/berths/': '1.0',
          '/v1.0/guide/install/': '1.0',
        },
        ...{
          '/v2.0/': '2.0',
          '/v2.0/guide/': '2.0',
          '/v2.0/guide/berths/': '2.0',
          '/v2.0/guide/install/': '2.0',
        },
        '/v2.0/reference/settings/': '2.0',
      },
      route: (path) => inFolder(path.replace(/^content\/|\.md$/g, '')),
    },
  ],
];

describeEngines(['generators'], 'sites of real generators', () => {
  describe.each(SITES)('%s', (name, { main, pages, route, versions = {} }) => {
    let site: BuiltSite;
    let indexed: readonly IndexedPage[];
    let sources: readonly IndexedPage[];
    const shown = new Map<string, ShownPage>();
    const wrong = new Map<string, string[]>();
    const index = folder.file(`${name}.sqlite`);

    const pathOf = ({ url }: IndexedPage): string => decodeURI(new URL(url).pathname);

    beforeAll(async () => {
      site = await siteFor(name);
      indexed = await indexInto(index, `${site.origin}/`, '--allow-host', site.host);
      sources = await indexInto(folder.file(`${name} source.sqlite`), site.source);
      for (const path of pages) {
        await page.goto(site.origin + path);
        shown.set(path, await readShown(page, main));
        const own = indexed.find((each) => pathOf(each) === path);
        wrong.set(path, await misplaced(own?.headings ?? []));
      }
    });

    it('has each page once, at its own address', () => {
      expect(indexed.map(pathOf).sort()).toEqual([...pages].sort());
    });

    it('has the titles that a browser shows', () => {
      const titles = indexed.map((each) => [pathOf(each), key(each.title)]);
      expect(Object.fromEntries(titles)).toEqual(
        Object.fromEntries([...shown].map(([path, { headings }]) => [path, key(headings[0]?.title ?? '')])),
      );
    });

    it('opens each section at its heading', () => {
      expect(Object.fromEntries(wrong)).toEqual(Object.fromEntries(pages.map((path) => [path, []])));
    });

    it('has every word, heading and cell of the main part once, and no others', () => {
      const read = readIndexed(index);
      for (const { path, url } of indexed) {
        const own = shown.get(decodeURI(new URL(url).pathname));
        const { lost, doubled, headings, cells } = compareDocument(own, read.get(path));
        expect([
          path,
          { lost, doubled, headings: headings.missing, moved: headings.moved, cells: cells.missing },
        ]).toEqual([path, { lost: [], doubled: [], headings: [], moved: [], cells: [] }]);
      }
    });

    it('tells the versions that folders stand for', () => {
      const found = indexed.map((each) => [pathOf(each), each.version]);
      const unversioned = Object.fromEntries(pages.map((path) => [path, null]));
      expect(Object.fromEntries(found)).toEqual({ ...unversioned, ...versions });
    });

    it('answers with a citation that opens the heading of its sentence', async () => {
      const { stdout } = await runPith(
        ['ask', 'How many coins does the south pier cost a day?', '--index', index, '--json'],
        { env: { HOME: folder.file('home') } },
      );
      const { quotes, sources: cited } = JSON.parse(stdout) as Answer;
      expect(quotes[0]?.quote).toBe('The south pier costs twenty coins a day.');
      const { url = '' } = cited.find(({ section_id }) => section_id === quotes[0]?.section_id) ?? {};
      await page.goto(url);
      expect(await followingText(page)).toMatch(/^Fees\W*The south pier costs twenty coins a day\./);
    });

    it('has the same titles and anchors by its sources', async () => {
      for (const { path, title, headings } of sources) {
        const at = route(path);
        if (at === null) continue;
        const { title: window = '', headings: [first] = [] } = shown.get(at) ?? {};
        expect([first?.title, window.split(' | ')[0]].map((each = '') => key(each))).toContain(key(title));
        await page.goto(site.origin + at);
        expect([path, await misplaced(headings)]).toEqual([path, []]);
      }
    });
  });

  it('gives the pages of llms-full.txt the anchors of the generator', async () => {
    const site = await siteFor('vitepress');
    for (const [path, text] of site.texts) site.pages.set(path, text);
    const indexed = await indexInto(folder.file('llms.sqlite'), `${site.origin}/`, '--allow-host', site.host);
    expect(indexed.map(({ path }) => path)).toEqual([
      'guide/berths.md',
      'guide/install.md',
      'index.html',
      'reference/settings.md',
    ]);
    for (const { url, headings } of indexed) {
      await page.goto(url);
      expect([url, await misplaced(headings)]).toEqual([url, []]);
    }
  });
});
