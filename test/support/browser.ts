import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { source as axeSource } from 'axe-core';
import type { AxeResults } from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium-headless-shell';
const SCREENSHOTS = join(__dirname, '..', '..', 'reports', 'screenshots');

/** Debian's Chromium. @throws Error with what to do where there is none */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM))
    throw new Error(`There is no ${CHROMIUM}. Run scripts/install-browser.sh as root, then test again.`);
  // Root has no sandbox; the pages are our own.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/** How a page is looked at. */
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

/** Of a phone, of a laptop. */
const HEIGHTS = { 360: 640, 1_440: 800 } as const;

interface Visit {
  readonly look?: Look;
  /** Of the operator, as the browser's own dialog asks for it. */
  readonly password: string;
  readonly hasScripts?: boolean;
}

/** A window of its own, signed in. */
export function openWindow(browser: Browser, visit: Visit): Promise<BrowserContext> {
  const { look = { scheme: 'light', width: 1_440 }, password, hasScripts = true } = visit;
  return browser.newContext({
    colorScheme: look.scheme,
    viewport: { width: look.width, height: HEIGHTS[look.width] },
    httpCredentials: { username: 'operator', password },
    javaScriptEnabled: hasScripts,
  });
}

/** Takes a picture of the whole page, for people to look at. */
export async function shoot(page: Page, name: string, { scheme, width }: Look): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}-${scheme}-${width}.png`), fullPage: true });
}

/** Serious and critical issues that axe finds: `rule: elements`. */
export async function seriousIssues(page: Page): Promise<string[]> {
  // Evaluated, not added: no page of ours lets a script in.
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** How many pixels a page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** How what has the focus is outlined. */
export function focusOutline(page: Page): Promise<string> {
  return page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
}

/** Opens everything that can be opened. */
export function unfold(page: Page): Promise<void> {
  return page.evaluate<void>('document.querySelectorAll("details").forEach((more) => (more.open = true))');
}
