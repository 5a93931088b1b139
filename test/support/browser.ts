import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { launchFirefox } from './firefox.js';

const PATHS = { Chromium: '/usr/bin/chromium-headless-shell', Firefox: '/usr/bin/firefox-esr' };

/** Both browsers in which people's pages are tested. */
export const BROWSERS = ['Chromium', 'Firefox'] as const;

/** Starts a browser of Debian. @throws Error with instructions if it is missing */
export async function openBrowser(name: (typeof BROWSERS)[number] = 'Chromium'): Promise<Browser> {
  const path = PATHS[name];
  if (!existsSync(path))
    throw new Error(`There is no ${path}. Run scripts/install-browser.sh as root, then test again.`);
  if (name === 'Firefox') return launchFirefox(path);
  // The sandbox doesn't work for root, and the pages are our own.
  return chromium.launch({ executablePath: path, args: ['--no-sandbox'] });
}

/** Window sizes of a phone and a laptop. */
export const WINDOWS = [
  { width: 360, height: 640 },
  { width: 1_440, height: 800 },
] as const;

interface Visit {
  readonly scheme?: 'light' | 'dark';
  /** Default: that of a laptop. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Credentials of the operator, for the browser's own dialog. Without them, nobody has signed in. */
  readonly password?: string;
  readonly hasScripts?: boolean;
}

/** Opens a new window. */
export function openWindow(browser: Browser, visit: Visit): Promise<BrowserContext> {
  const { scheme = 'light', size = WINDOWS[1], password, hasScripts = true } = visit;
  return browser.newContext({
    colorScheme: scheme,
    viewport: size,
    ...(password === undefined ? {} : { httpCredentials: { username: 'operator', password } }),
    javaScriptEnabled: hasScripts,
  });
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
