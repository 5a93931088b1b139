import type { Browser, BrowserContext, Page } from 'playwright-core';
import { focusOutline, openBrowser, openWindow, WINDOWS } from '../support/browser.js';
import {
  ADMIN_TOKEN,
  diagnosticIdOf,
  type OperatorsServer,
  startOperatorsServer,
} from '../support/operators-server.js';
import { describeLooks } from '../support/page-looks.js';
import { poll } from '../support/processes.js';
import { ALL_STORIES, STORIES } from '../support/retrieval-stories.js';

let admin: OperatorsServer;
let browser: Browser;
/** Ids of real retrievals: one that found something, one that did not, one that failed. */
let found: string;
let missed: string;
let failed: string;

beforeAll(async () => {
  browser = await openBrowser();
  admin = await startOperatorsServer();
  await admin.write(ALL_STORIES);
  const results = await admin.call(
    ['kb.retrieve_evidence', { question: 'How does a ship leave the waiting list?' }],
    ['kb.search', { query: 'zzxqy' }],
    ['kb.search', { query: '' }],
    ...Array.from({ length: 20 }, (_, i) => ['kb.search', { query: `berth number ${i}` }] as const),
  );
  [found = '', missed = '', failed = ''] = results.map(diagnosticIdOf);
  await poll(
    'the last diagnostic',
    async () => {
      const { body } = await admin.get('/admin/health');
      return body.includes('"written":23') || undefined;
    },
    10_000,
  );
});

afterAll(async () => {
  await Promise.all([browser?.close(), admin?.stop()]);
});

/** Pages by their names in the screenshots. */
const pathOf = (name: string): string =>
  ({
    overview: '/admin',
    found: `/admin/retrievals/${found}`,
    missed: `/admin/retrievals/${missed}`,
    failed: `/admin/retrievals/${failed}`,
    unlikely: `/admin/retrievals/${STORIES.unlikely.diagnostic_id}`,
    'looked-up': `/admin/retrievals/${STORIES.unlikely.diagnostic_id}?section=${encodeURIComponent(STORIES.unlikely.left_out[0]?.chunk_id ?? '')}`,
    timeout: `/admin/retrievals/${STORIES.timeout.diagnostic_id}`,
    cut: `/admin/retrievals/${STORIES.cut.diagnostic_id}`,
    corpus: '/admin/corpus',
    tools: '/admin/tools',
    settings: '/admin/settings',
  })[name] ?? name;
const PAGES = [
  'overview',
  'found',
  'missed',
  'failed',
  'unlikely',
  'looked-up',
  'timeout',
  'cut',
  'corpus',
  'tools',
  'settings',
];
const RETRIEVALS = ['found', 'missed', 'failed', 'unlikely', 'timeout', 'cut'];

async function open(window: BrowserContext, name: string): Promise<Page> {
  const page = await window.newPage();
  const response = await page.goto(admin.at(pathOf(name)));
  expect(response?.status()).toBe(200);
  return page;
}

describeLooks(PAGES, (name) => ({ url: admin.at(pathOf(name)), password: ADMIN_TOKEN }));

describe.each(WINDOWS)('a window of $width px', (size) => {
  let window: BrowserContext;
  beforeAll(async () => {
    window = await openWindow(browser, { size, password: ADMIN_TOKEN });
  });
  afterAll(() => window.close());

  it.each(RETRIEVALS)('%s: shows the verdict and its cause without scrolling', async (name) => {
    const page = await open(window, name);
    const box = await page.locator('.verdict').boundingBox();
    const height = page.viewportSize()?.height ?? 0;
    await page.close();
    expect(box?.y).toBeGreaterThan(0);
    expect((box?.y ?? Infinity) + (box?.height ?? Infinity)).toBeLessThanOrEqual(height);
  });
});

describe('one retrieval', () => {
  it.each([
    ['missed', 'Nothing found: 0 sections matched'],
    ['failed', 'Failed: INVALID_ARGUMENT invalid_input'],
    ['unlikely', 'Answer unlikely (confidence 0.12)'],
    ['unlikely', '3 of 41 candidates returned; 22 dropped (same document), 4 dropped (near duplicates)'],
    ['timeout', 'The longest stage was vector search'],
  ])('%s: shows “%s” at the top', async (name, told) => {
    const window = await openWindow(browser, { password: ADMIN_TOKEN });
    const page = await open(window, name);
    const verdict = await page.locator('.verdict').innerText();
    await window.close();
    expect(verdict.replace(/\s+/g, ' ')).toContain(told);
  });

  it('found something: shows every section of the result, with scores as bars, and numbers that add up', async () => {
    const window = await openWindow(browser, { password: ADMIN_TOKEN });
    const page = await open(window, 'found');
    const record = JSON.parse((await admin.get(`/admin/diagnostics/${found}`)).body);
    const rows = await page.locator('table').first().locator('tbody th').allInnerTexts();
    const figures = await page.locator('.funnel .figure').allInnerTexts();
    await window.close();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map((text) => text.split('\n')[0])).toEqual(
      record.results.map(({ chunk_id }: { chunk_id: string }) => chunk_id),
    );
    const { candidates_initial, candidates_post_filter, candidates_post_dedupe, returned } = record.counts;
    expect(figures.map(Number)).toEqual([
      candidates_initial,
      candidates_post_filter,
      candidates_post_dedupe,
      returned,
    ]);
  });

  it('has a form that shows where a section was lost', async () => {
    const window = await openWindow(browser, { password: ADMIN_TOKEN, hasScripts: false });
    const page = await open(window, 'unlikely');
    await page
      .getByLabel('Id of the section you expected')
      .fill(STORIES.unlikely.left_out[0]?.chunk_id ?? '');
    await page.getByRole('button', { name: 'Look up' }).click();
    const answer = await page.getByRole('status').innerText();
    await window.close();
    expect(answer).toContain('was ranked 4 and not returned');
    expect(answer).toContain('Listed in its place:');
  });
});

describe('the list', () => {
  it('has filters, pages and links to retrievals, all without scripts', async () => {
    const window = await openWindow(browser, { password: ADMIN_TOKEN, hasScripts: false });
    const page = await open(window, 'overview');
    await page.getByRole('link', { name: 'Older' }).click();
    await page.getByRole('link', { name: 'Newest' }).click();
    await page.getByLabel('Outcome').selectOption('failed');
    await page.getByRole('button', { name: 'Filter' }).click();
    const outcomes = await page.locator('.said').allInnerTexts();
    await page.locator('tbody th a').first().click();
    const verdict = await page.locator('.verdict').innerText();
    await window.close();
    expect(outcomes.length).toBe(2);
    expect(outcomes.filter((text) => !text.includes('Failed'))).toEqual([]);
    expect(verdict).toContain('Failed');
  });

  it('names the unit of every axis', async () => {
    const window = await openWindow(browser, { password: ADMIN_TOKEN });
    const page = await open(window, 'overview');
    const upright = await page.locator('.y-unit').allInnerTexts();
    const across = await page.locator('.x-unit').allInnerTexts();
    const charts = await page.locator('svg.plot').count();
    await page.goto(admin.at(pathOf('found')));
    const timeline = await page.locator('.axis .figure').innerText();
    await window.close();
    expect({ charts, upright, across, timeline }).toEqual({
      charts: 2,
      upright: ['ms', 'calls in 5 min'],
      across: ['time of day, UTC', 'time of day, UTC'],
      timeline: 'ms',
    });
  });

  it('counts the calls', async () => {
    const window = await openWindow(browser, { password: ADMIN_TOKEN });
    const page = await open(window, 'overview');
    const text = await page.locator('#errors-summary').innerText();
    await window.close();
    expect(text).toMatch(/^No call failed in the last six hours\. 1 call refused: invalid arguments/);
  });
});

describe('the keyboard', () => {
  it('reaches the skip link first, then the links in the order of the page', async () => {
    const window = await openWindow(browser, { password: ADMIN_TOKEN });
    const page = await open(window, 'unlikely');
    const names: string[] = [];
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      names.push((await focused.innerText()).trim() || ((await focused.getAttribute('id')) ?? ''));
      expect(await focusOutline(page)).toBe('solid');
    }
    await page.keyboard.press('Shift+Tab');
    await window.close();
    expect(names.map((name) => name.split('\n')[0])).toEqual([
      // Features that are off have no entry.
      ...['Skip to content', 'Pith', 'Retrievals', 'Runs', 'Policy', 'Index', 'Tools', 'Settings'],
      ...['Retrievals', 'kb.retrieve_evidence', 'JSON', 'Markdown'],
    ]);
  });

  it('skips the navigation', async () => {
    const window = await openWindow(browser, { password: ADMIN_TOKEN });
    const page = await open(window, 'unlikely');
    await page.keyboard.press('Tab');
    const isSeen = await page.locator(':focus').isVisible();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const next = await page.locator(':focus').innerText();
    await window.close();
    expect({ isSeen, next }).toEqual({ isSeen: true, next: 'Retrievals' });
  });
});

describe('a browser', () => {
  it('is asked to sign in, with a hint', async () => {
    const { status, headers, body } = await admin.get('/admin', { accept: 'text/html' });
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 401,
      type: 'text/html; charset=utf-8',
    });
    expect(headers['www-authenticate']).toBe('Basic realm="Pith", charset="UTF-8"');
    expect(body).toContain('PITH_ADMIN_TOKEN or your key as the password');
  });

  it('shows hostile ids as text', async () => {
    const id = '<script>document.title = "mine"</script>"><img src=x onerror="document.title=1">';
    const window = await openWindow(browser, { password: ADMIN_TOKEN });
    const page = await open(window, `${pathOf('unlikely')}?section=${encodeURIComponent(id)}`);
    const text = await page.getByRole('status').innerText();
    const title = await page.title();
    await window.close();
    expect(text).toContain(id);
    expect(title).toBe('kb.retrieve_evidence at 2026-01-31 13:59:12 · Pith');
  });
});
