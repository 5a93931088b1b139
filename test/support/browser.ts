import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AxeResults, source as axeSource } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium-headless-shell';
const SCREENSHOTS = join(__dirname, '..', '..', 'reports', 'screenshots');

/** The path of Debian's Chromium. @throws Error with instructions if it is missing */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM))
    throw new Error(`There is no ${CHROMIUM}. Run scripts/install-browser.sh as root, then test again.`);
  // The sandbox doesn't work for root, and the pages are our own.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/** Settings of a browser window. */
export interface Look {
  readonly scheme: 'light' | 'dark';
  readonly width: 360 | 1_440;
}

export const LOOKS: readonly Look[] = [
  { scheme: 'light', width: 360 },
  { scheme: 'light', width: 1_440 },
  { scheme: 'dark', width: 360 },
  { scheme: 'dark', width: 1_440 },
];

/** Window sizes of a phone and a laptop. */
const HEIGHTS = { 360: 640, 1_440: 800 } as const;

interface Visit {
  readonly look?: Look;
  /** Credentials of the operator, for the browser's own dialog. */
  readonly password: string;
  readonly hasScripts?: boolean;
}

/** Opens a new window, signed in. */
export function openWindow(browser: Browser, visit: Visit): Promise<BrowserContext> {
  const { look = { scheme: 'light', width: 1_440 }, password, hasScripts = true } = visit;
  return browser.newContext({
    colorScheme: look.scheme,
    viewport: { width: look.width, height: HEIGHTS[look.width] },
    httpCredentials: { username: 'operator', password },
    javaScriptEnabled: hasScripts,
  });
}

/** Takes a screenshot of the whole page. */
export async function shoot(page: Page, name: string, { scheme, width }: Look): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}-${scheme}-${width}.png`), fullPage: true });
}

/** Returns the serious and critical issues that axe finds, as `rule: elements`. */
export async function seriousIssues(page: Page): Promise<string[]> {
  // Evaluated instead of added as a script element, which our pages block.
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** The number of pixels by which a page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Windows of a phone, a tablet, a laptop and a screen. */
export const WIDTHS = [390, 768, 1_280, 1_600];

const OUT_OF_CARDS = `[...document.querySelectorAll('.card')].flatMap((card) => {
  const { right } = card.getBoundingClientRect();
  const parts = [...card.querySelectorAll('*')].filter((part) => !part.closest('svg *, pre *, .unseen, .cards thead'));
  const out = parts.filter((part) => part.getBoundingClientRect().right > right + 1);
  return out.map(({ tagName, className }) => tagName + '.' + className);
})`;

/** The elements that run out of their card at a width of the window. */
export async function outOfCards(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 });
  return [...new Set(await page.evaluate<string[]>(OUT_OF_CARDS))];
}

/** The outline of the focused element. */
export function focusOutline(page: Page): Promise<string> {
  return page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
}

/** Opens all collapsible elements. */
export function unfold(page: Page): Promise<void> {
  return page.evaluate<void>('document.querySelectorAll("details").forEach((more) => (more.open = true))');
}

/** Works in a new window, and closes it. */
export async function inWindow<T>(
  browser: Browser,
  visit: Visit,
  work: (window: BrowserContext) => Promise<T>,
): Promise<T> {
  const window = await openWindow(browser, visit);
  try {
    return await work(window);
  } finally {
    await window.close();
  }
}

/** How a page looks to people and to axe. */
export interface Appearance {
  readonly status: number | undefined;
  /** Pixels by which it is wider than its window. */
  readonly wider: number;
  readonly issues: readonly string[];
  /** Messages on the console of the browser. */
  readonly complaints: readonly string[];
}

/** A page that fits its window, and in which nothing serious was found. */
export const GOOD_LOOKS: Appearance = { status: 200, wider: 0, issues: [], complaints: [] };

/** Opens a page in a new window, takes a screenshot, unfolds everything, and looks for problems. */
export function appearanceOf(
  browser: Browser,
  visit: Visit & { readonly look: Look },
  { url, name }: { readonly url: string; readonly name: string },
): Promise<Appearance> {
  return inWindow(browser, visit, async (window) => {
    const complaints: string[] = [];
    window.on('console', (message) => complaints.push(message.text()));
    const page = await window.newPage();
    const response = await page.goto(url);
    await shoot(page, name, visit.look);
    await unfold(page);
    return {
      status: response?.status(),
      wider: await overflow(page),
      issues: await seriousIssues(page),
      complaints,
    };
  });
}
