import { markdownLinks } from './page-facts.js';

/** A page in a file that has the text of all pages. */
export interface LlmsPage {
  readonly address: URL;
  /** Markdown. */
  readonly text: string;
}

/** Further pages are ignored. */
const MAX_PAGES = 50_000;
/** The beginning of a page: a title with the address below it, or front matter with the address. */
const PAGE =
  /^(?:# [^\n]*\n+(?:source|url): *<?(https?:\/\/[^\s<>]{1,2000})>?[ \t]*$|---\n(?:[\w-]{1,40}:[^\n]{0,2000}\n){0,20}?url: *["']?([^\s"']{1,2000})["']?[ \t]*\n(?:[\w-]{1,40}:[^\n]{0,2000}\n){0,20}?---$)/gim;

/**
 * Divides `llms-full.txt` into its pages.
 * @returns [] if the file does not say where its pages are
 */
export function splitLlmsFull(text: string, url: URL): LlmsPage[] {
  const normal = text.replace(/\r\n?/g, '\n');
  const starts: { readonly index: number; readonly address: string }[] = [];
  for (const match of normal.matchAll(PAGE)) {
    if (starts.length >= MAX_PAGES) break;
    starts.push({ index: match.index, address: match[1] ?? match[2] ?? '' });
  }
  if (starts.length < 2) return [];
  return starts.flatMap(({ index, address }, number) => {
    if (!URL.canParse(address, url.href)) return [];
    const page = normal.slice(index, starts[number + 1]?.index);
    return { address: new URL(address, url.href), text: withoutAddress(page) };
  });
}

/** The addresses that `llms.txt` lists (https://llmstxt.org): the links of its Markdown. */
export function readLlmsList(text: string, url: URL): URL[] {
  return /^\s*<(?:!doctype|html)/i.test(text) ? [] : markdownLinks(text, url);
}

/** A page without the line of its address, or its front matter. */
const withoutAddress = (page: string): string =>
  `${page
    .replace(/^---\n[^]*?\n---(?=\n|$)/, '')
    .replace(/^(# [^\n]*\n+)(?:source|url): *[^\n]*/i, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
