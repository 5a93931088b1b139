import { type AxeResults, source as axeSource } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { BROWSERS, inWindow, openBrowser, unfold } from './browser.js';

/** Windows of phones, a tablet, a laptop and a screen. */
const WIDTHS = [360, 390, 768, 1_280, 1_600];
const HEIGHT = 900;
/** axe takes most of the time, most of all in Firefox, and finds the same in windows with the same arrangement. */
const AXE_WIDTHS = process.env['TEST_ALL_WIDTHS'] ? WIDTHS : [390, 1_280];
const FURTHER_WIDTHS = [768, 1_600];
const SCHEMES = ['light', 'dark'] as const;

/** Each issue that axe finds, whatever its impact, as `rule: elements`. */
export async function issuesIn(page: Page): Promise<string[]> {
  // Evaluated instead of added as a script element, which our pages block.
  if (await page.evaluate<boolean>('!window.axe')) await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

/** The number of pixels by which a page is wider than its window, and the elements that run out of their card. */
const OVERFLOW = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const out = [...document.querySelectorAll('.card')].flatMap((card) => {
    const { right } = card.getBoundingClientRect();
    const parts = [...card.querySelectorAll('*')].filter((part) => !part.closest('svg *, pre *, .unseen, .cards thead'));
    return parts.filter((part) => part.getBoundingClientRect().right > right + 1);
  });
  const names = out.map(({ tagName, className }) => tagName + '.' + className + ' runs out of its card');
  return [...(scrollWidth > clientWidth ? [scrollWidth - clientWidth + ' px wider than the window'] : []), ...new Set(names)];
})()`;

/** A page to look at. */
export interface ViewedPage {
  readonly url: string;
  /** Default: 200. */
  readonly status?: number;
  /** The browser's dialog for credentials gets it; without one, nobody has signed in. */
  readonly password?: string;
  /** True to run axe in Chromium at further widths. */
  readonly isThorough?: boolean;
}

async function problemsAt(page: Page, width: number, isThorough: boolean): Promise<string[]> {
  await page.setViewportSize({ width, height: HEIGHT });
  const widths = isThorough ? [...AXE_WIDTHS, ...FURTHER_WIDTHS] : AXE_WIDTHS;
  const issues = widths.includes(width) ? await issuesIn(page) : [];
  return [...(await page.evaluate<string[]>(OVERFLOW)), ...issues];
}

/** What is wrong with a page in both themes, at all widths, with everything unfolded. */
async function problemsOf(
  browser: Browser,
  { url, status = 200, isThorough = false, ...visit }: ViewedPage,
  scheme: (typeof SCHEMES)[number],
): Promise<string[]> {
  return inWindow(browser, { ...visit, scheme }, async (window) => {
    const found: string[] = [];
    // A browser complains about pages of failures.
    if (status === 200) window.on('console', (message) => found.push(message.text()));
    const page = await window.newPage();
    const reply = await page.goto(url);
    if (reply?.status() !== status) found.push(`status ${reply?.status()}`);
    await unfold(page);
    const isFurther = isThorough && browser.browserType().name() === 'chromium';
    for (const width of WIDTHS) {
      const problems = await problemsAt(page, width, isFurther);
      found.push(...problems.map((problem) => `${scheme}, ${width} px: ${problem}`));
    }
    return found;
  });
}

/** Tests how pages look in each browser. @param view  called in the tests */
export function describeLooks<N extends string>(names: readonly N[], view: (name: N) => ViewedPage): void {
  describe.each(BROWSERS)('the pages in %s', (browserName) => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser(browserName);
    });
    afterAll(() => browser?.close());

    it.each(names)('%s: fits all windows, and axe finds nothing, in both themes', async (name) => {
      const problems: string[] = [];
      for (const scheme of SCHEMES) problems.push(...(await problemsOf(browser, view(name), scheme)));
      expect(problems).toEqual([]);
    });
  });
}
