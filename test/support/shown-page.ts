import type { Page } from 'playwright-core';

/** The main part of a page as a browser shows it. */
export interface ShownPage {
  /** Of the window. */
  readonly title: string;
  readonly text: string;
  readonly headings: readonly { readonly title: string; readonly parent: string | null }[];
  readonly cells: readonly string[];
}

/** Permalinks, controls, numbers of lines, names of languages, and navigation within the main part. */
const DROPPED = [
  '.headerlink, .header-anchor, button, nav, svg, script, style',
  '.boring, .linenos, .lntd:first-child, .ln, .line-numbers-wrapper, .lang',
].join();

/** The words that a page shows, with those of abbreviations and boxes to tick; blocks are on lines of their own. */
const LOOK = `((main, dropped) => {
  const root = document.querySelector(main);
  if (!root) return null;
  const isBlock = (node) => node.nodeName === 'BR' || !/^(?:inline|contents)/.test(getComputedStyle(node).display);
  const textOf = (node) => {
    if (node.nodeType === 3) return node.nodeValue;
    if (node.nodeType !== 1 || node.matches(dropped)) return '';
    const text = [...node.childNodes].map(textOf).join('');
    if (node.nodeName === 'SUP') return ' ' + text + ' ';
    if (node.nodeName === 'ABBR' && /\\w/.test(text)) return text + ' (' + node.title + ')';
    if (node.nodeName === 'INPUT') return node.type === 'checkbox' && node.checked ? ' x ' : '';
    return node.nodeName === 'LABEL' ? ' ' + text + ' ' : isBlock(node) ? '\\n' + text + '\\n' : text;
  };
  const line = (node) => textOf(node).replace(/\\s+/g, ' ').trim();
  const open = [];
  const headings = [...root.querySelectorAll('h1, h2, h3, h4, h5, h6')].map((node) => {
    const level = Number(node.nodeName[1]);
    while (open.length > 0 && open.at(-1).level >= level) open.pop();
    const parent = open.at(-1)?.title ?? null;
    open.push({ level, title: line(node) });
    return { title: line(node), parent };
  });
  const cells = [...root.querySelectorAll('table:not(:has(pre)) :is(td, th)')].map(line);
  return { title: document.title, text: textOf(root), headings, cells };
})`;

/** The heading that a browser opens for a fragment; null if no element has the name. */
const OPEN = `((name) => {
  location.hash = '';
  location.hash = '#' + encodeURIComponent(name);
  const target = document.querySelector(':target');
  const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')];
  const isAt = (heading) =>
    heading === target || heading.contains(target) || target.contains(heading) || (target.compareDocumentPosition(heading) & 4) > 0;
  return target && (headings.find(isAt)?.innerText ?? '');
})`;

/** Reads the page that is open. @param main  selects the main part @throws Error if the page has none */
export async function readShown(page: Page, main: string): Promise<ShownPage> {
  const shown = await page.evaluate<ShownPage | null>(
    `${LOOK}(${JSON.stringify(main)}, ${JSON.stringify(DROPPED)})`,
  );
  if (!shown) throw new Error(`${page.url()} has no ${main}`);
  return shown;
}

/** The text of the heading that the page which is open shows first for an anchor; null if it has no such place. */
export function openAnchor(page: Page, anchor: string): Promise<string | null> {
  return page.evaluate<string | null>(`${OPEN}(${JSON.stringify(anchor)})`);
}

/** The text from the element on that the fragment of the address names; '' if there is none. */
export function followingText(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const target = document.querySelector(':target');
    if (!target) return '';
    const range = document.createRange();
    range.setStartBefore(target);
    range.setEndAfter(document.body.lastChild);
    return range.toString().trim().slice(0, 200);
  })()`);
}
