import type { Browser, BrowserContext, Page } from 'playwright-core';
import { BROWSERS, inWindow, openBrowser, unfold } from '../support/browser.js';
import { ADMIN_TOKEN, type OperatorsServer, startOperatorsServer } from '../support/operators-server.js';
import { describeLooks } from '../support/page-looks.js';

const QUESTION = 'How does a ship leave the waiting list?';

let server: OperatorsServer;

beforeAll(async () => {
  server = await startOperatorsServer();
});

afterAll(() => server?.stop());

const asked = (question: string): string => `/?${String(new URLSearchParams({ q: question }))}`;
const PAGES: Readonly<Record<string, string>> = {
  start: '/',
  answer: asked(QUESTION),
  nothing: asked('zzxqy'),
  unlikely: asked('Who won the chess tournament on the moon?'),
  document: '/read/guides/waiting-list.mdx',
  absent: '/read/none.md',
  'sign-in': '/sign-in',
};

const STATUSES: Readonly<Record<string, number>> = { absent: 404, 'sign-in': 401 };

/** The number of characters of each line of running text. */
const LINES = `[...document.querySelectorAll('.text p, .text li, .says p')].flatMap((block) => {
  const lines = new Map(), range = document.createRange();
  const walk = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode()); )
    for (let i = 0; i < node.length; i++) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const box = range.getBoundingClientRect(), line = Math.round(box.bottom / 8);
      if (box.width > 0) lines.set(line, (lines.get(line) ?? 0) + 1);
    }
  return [...lines.values()];
})`;

describeLooks(Object.keys(PAGES), (name) => ({
  url: server.at(PAGES[name] ?? '/'),
  isThorough: true,
  status: STATUSES[name] ?? 200,
}));

describe.each(BROWSERS)('in %s', (browserName) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(browserName);
  });
  afterAll(() => browser?.close());

  /** Opens a page in a new window. Without a password, nobody has signed in. */
  const openPage = <T>(
    { path, ...visit }: { path: string; width?: number; hasScripts?: boolean },
    work: (page: Page, window: BrowserContext) => Promise<T>,
  ): Promise<T> => {
    const size = { width: visit.width ?? 1_280, height: 900 };
    return inWindow(browser, { ...visit, size }, async (window) => {
      const page = await window.newPage();
      await page.goto(server.at(path));
      return work(page, window);
    });
  };

  it.each([768, 1_280, 1_600])('at %i px: a line of text has about 70 characters', async (width) => {
    const lines: number[] = [];
    for (const path of [PAGES['answer'] ?? '/', '/read/guides/waiting-list.mdx'])
      await openPage({ path, width }, async (page) => {
        await unfold(page);
        lines.push(...(await page.evaluate<number[]>(LINES)));
      });
    expect(lines.length).toBeGreaterThan(10);
    expect(Math.max(...lines)).toBeLessThanOrEqual(80);
    expect(lines.sort((a, b) => b - a)[Math.floor(lines.length / 4)]).toBeLessThanOrEqual(72);
  });

  it.each([390, 768, 1_280])('at %i px: the field shows what can be entered', async (width) => {
    await openPage({ path: '/', width }, async (page) => {
      const room = await page.evaluate<number>(`(() => {
        const field = document.getElementById('q'), { font, paddingLeft, paddingRight } = getComputedStyle(field);
        const pen = Object.assign(document.createElement('canvas').getContext('2d'), { font });
        const padding = parseFloat(paddingLeft) + parseFloat(paddingRight);
        return field.clientWidth - padding - pen.measureText(field.placeholder).width;
      })()`);
      expect(room).toBeGreaterThanOrEqual(0);
    });
  });

  it.each([390, 768, 1_280])('at %i px: a document begins at the top of the window', async (width) => {
    await openPage({ path: '/read/guides/waiting-list.mdx', width }, async (page) => {
      expect((await page.locator('h1').boundingBox())?.y).toBeLessThan(200);
    });
  });

  describe.each([false, true])('with scripts: %s', (hasScripts) => {
    it('answers a question, shows its section, and opens the document at the quote, by keys alone', async () => {
      await openPage({ path: '/', hasScripts }, async (page) => {
        await page.locator('input:focus').waitFor();
        await page.keyboard.type(QUESTION);
        await page.keyboard.press('Enter');
        await page.locator('.hit').first().waitFor();
        expect(await page.locator('#verdict').innerText()).toMatch(/^An answer is (?:likely|uncertain)$/);
        expect(new URL(page.url()).searchParams.get('q')).toBe(QUESTION);
        await page.locator('.hit summary').first().press('Enter');
        const section = page.locator('.hit .section').first();
        expect(await section.isVisible()).toBe(true);
        expect((await section.locator('mark').allInnerTexts()).join(' ')).toContain('waiting list');
        await page.locator('.hit h3 a').first().press('Enter');
        await page.waitForURL(/\/read\//);
        expect((await page.locator('mark').first().innerText()).length).toBeGreaterThan(0);
        const place = decodeURIComponent(new URL(page.url()).hash.slice(1));
        expect(
          await page.evaluate<boolean>(`document.getElementById(${JSON.stringify(place)}) !== null`),
        ).toBe(true);
      });
    });

    it('filters by an address that can be sent', async () => {
      await openPage({ path: `${PAGES['answer']}&tag=none-such`, hasScripts }, async (page) => {
        expect(await page.locator('#verdict').innerText()).toBe('Nothing was found');
        expect(await page.getByLabel('Collection').inputValue()).toBe('none-such');
      });
    });
  });

  describe('the script', () => {
    it('answers without loading the page again, and goes back', async () => {
      await openPage({ path: '/' }, async (page) => {
        await page.evaluate('window.isSame = true');
        const field = page.getByLabel('Search the documents');
        await field.fill(QUESTION);
        await page.keyboard.press('Enter');
        await page.locator('.hit').first().waitFor();
        await field.fill('zzxqy');
        await page.keyboard.press('Enter');
        await page.getByText('Nothing was found').waitFor();
        expect(await page.evaluate('window.isSame')).toBe(true);
        await page.goBack();
        await page.locator('.hit').first().waitFor();
        expect(await field.inputValue()).toBe(QUESTION);
      });
    });

    it('moves among the results by the keyboard', async () => {
      await openPage({ path: PAGES['answer'] ?? '/' }, async (page) => {
        const focused = () =>
          page.evaluate<string>(`(document.activeElement.closest('h3') ?? document.activeElement).tagName`);
        await page.keyboard.press('/');
        expect(await focused()).toBe('INPUT');
        await page.keyboard.press('ArrowDown');
        expect(await focused()).toBe('H3');
        const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
        expect(outline).toBe('solid');
        await page.keyboard.press('ArrowUp');
        expect(await focused()).toBe('INPUT');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Escape');
        expect(await focused()).toBe('INPUT');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.waitForURL(/\/read\//);
      });
    });

    it('draws an answer within 150 ms of the reply, by the median of seven', async () => {
      const times = await openPage({ path: '/' }, async (page) => {
        const taken: number[] = [];
        for (const question of [QUESTION, 'berth', 'What is a pilot?', 'ship', 'harbour', 'list', 'leave']) {
          await page.getByLabel('Search the documents').fill(question);
          await page.evaluate(`void (window.drawn = new Promise((resolve) => new MutationObserver((_, all) => {
          all.disconnect();
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
        }).observe(document.getElementById('answer'), { childList: true })))`);
          await page.keyboard.press('Enter');
          taken.push(
            await page.evaluate<number>(
              `window.drawn.then((at) => at - performance.getEntriesByType('resource').at(-1).responseEnd)`,
            ),
          );
        }
        return taken;
      });
      expect(times.sort((a, b) => a - b)[3]).toBeLessThan(150);
    });

    it('loads nothing from elsewhere, and the browser complains about nothing', async () => {
      const seen: string[] = [];
      await openPage({ path: '/' }, async (page, window) => {
        window.on('console', (message) => seen.push(message.text()));
        page.on('request', (request) => seen.push(new URL(request.url()).origin));
        for (const path of Object.values(PAGES).slice(0, 5)) await page.goto(server.at(path));
      });
      expect([...new Set(seen)]).toEqual([new URL(server.server.url).origin]);
    });
  });

  describe('an operator', () => {
    it('finds out why something was not found', async () => {
      const visit = { password: ADMIN_TOKEN };
      await inWindow(browser, visit, async (window) => {
        const page = await window.newPage();
        await page.goto(server.at('/sign-in'));
        expect(new URL(page.url()).pathname).toBe('/');
        await page.getByLabel('Search the documents').fill('zzxqy');
        await page.keyboard.press('Enter');
        await page.getByRole('link', { name: 'Why was this not found?' }).click();
        await page.waitForURL(/\/admin\/retrievals\//);
        expect(await page.locator('.verdict').innerText()).toContain('Nothing found');
      });
    });
  });
});
