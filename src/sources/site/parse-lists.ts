import { gunzipSync } from 'node:zlib';
import { decodeEntities } from '../../ingest/reading/decode-entities.js';
import { firstMatches, markdownLinks } from './page-facts.js';

interface SitemapEntry {
  /** As it is written. */
  readonly address: string;
  /** ISO 8601, as it is written; null if it is missing or is not a date. */
  readonly modifiedAt: string | null;
}

export interface Sitemap {
  readonly pages: readonly SitemapEntry[];
  /** Further sitemaps that an index lists. */
  readonly sitemaps: readonly string[];
}

/** As the format allows in one file. */
const MAX_ENTRIES = 50_000;
const ENTRY = /<(?:[\w-]+:)?(url|sitemap)(?:\s[^<>]*)?>/g;
const ISO_DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))?$/;

/**
 * Reads a sitemap, an index of sitemaps, or a list of addresses as text. Elements are searched in the text: entities that a
 * file declares mean nothing, and nothing is loaded.
 */
export function parseSitemap(text: string): Sitemap {
  if (!/<(?:[\w-]+:)?(?:urlset|sitemapindex)[\s>]/.test(text.slice(0, 10_000)))
    return { pages: listed(text), sitemaps: [] };
  const pages: SitemapEntry[] = [];
  const sitemaps: string[] = [];
  const entries = firstMatches(text, ENTRY, MAX_ENTRIES);
  entries.forEach(({ 1: kind, index }, number) => {
    const entry = text.slice(index, entries[number + 1]?.index);
    const address = elementText(entry, 'loc');
    if (address === '') return;
    if (kind === 'sitemap') sitemaps.push(address);
    else pages.push({ address, modifiedAt: isoDate(elementText(entry, 'lastmod')) });
  });
  return { pages, sitemaps };
}

/** Unpacks a compressed sitemap. @throws the error of zlib for one that has more bytes than `maxBytes` */
export function sitemapText(body: Buffer, maxBytes: number): string {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  return (isGzip ? gunzipSync(body, { maxOutputLength: maxBytes }) : body)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

function listed(text: string): SitemapEntry[] {
  if (text.trimStart().startsWith('<')) return [];
  const lines = text.split(/\s+/, MAX_ENTRIES).filter((line) => /^https?:\/\//.test(line));
  return lines.map((address) => ({ address, modifiedAt: null }));
}

function elementText(entry: string, name: 'loc' | 'lastmod'): string {
  const start = new RegExp(`<(?:[\\w-]+:)?${name}(?:\\s[^<>]*)?>`).exec(entry.slice(0, 10_000));
  if (!start) return '';
  const from = start.index + start[0].length;
  const text = entry.slice(from, from + 4_000).trimStart();
  const [, cdata] = /^<!\[CDATA\[([^\]]*)\]\]>/.exec(text) ?? [];
  return (cdata ?? decodeEntities(text.slice(0, Math.max(0, text.indexOf('<'))))).trim();
}

const isoDate = (text: string): string | null =>
  ISO_DATE.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;

/** A page in a file that has the text of all pages. */
export interface LlmsPage {
  readonly address: URL;
  /** Markdown. */
  readonly text: string;
}

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
    if (starts.length >= MAX_ENTRIES) break;
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
