import { decodeEntities } from '../../ingest/reading/decode-entities.js';
/** The parts of a page that a crawl needs. Addresses are resolved, and of any site. */
export interface PageFacts {
  readonly links: () => readonly URL[];
  readonly canonical: URL | null;
  /** Where the page leads at once, without a click. */
  readonly refresh: URL | null;
  readonly isNoindex: boolean;
  /** The program that made the page, such as `VitePress v1.6.4`; '' if it does not say. */
  readonly generator: string;
}

/** Further links of a page are ignored. */
const MAX_LINKS = 10_000;
/** Elements with text that contains no tags, comments, and the elements that are read. */
const TOKEN =
  /<(?:(!--)|(script|style|textarea|title|template|xmp|iframe|noembed)(?=[\s/>])|(a|area|base|link|meta)(?=[\s/]))/gi;
const ATTRIBUTE =
  /[\s/]*([^\s"'<>/=]{1,100})(?:\s*=\s*(?:"([^"]{0,4000})"|'([^']{0,4000})'|([^\s"'<>`]{1,4000})))?/y;
/** A page that leads to another one later is a page. */
const MAX_REFRESH_SECONDS = 5;

type Attributes = ReadonlyMap<string, string>;

interface Tag {
  readonly name: string;
  readonly attributes: Attributes;
}

/**
 * Reads the links of an HTML page, and what it says about itself.
 * @param url  its address
 * @param agent  name of this program, in lower case
 */
export function readPageFacts(html: string, url: URL, agent: string): PageFacts {
  const tags = readTags(html);
  const base = resolved(find(tags, 'base', 'href')?.get('href') ?? '', url) ?? url;
  const metas = tags.filter(({ name }) => name === 'meta').map(({ attributes }) => attributes);
  const robots = metas.filter((meta) => ['robots', agent].includes(lower(meta, 'name')));
  const isNofollow = robots.some((meta) => isForbidden(meta.get('content') ?? '', 'nofollow'));
  const canonical = tags.find(({ name, attributes }) => name === 'link' && hasRel(attributes, 'canonical'));
  return {
    links: () => (isNofollow ? [] : links(tags, base)),
    canonical: resolved(canonical?.attributes.get('href') ?? '', base),
    refresh: refresh(metas, base),
    isNoindex: robots.some((meta) => isForbidden(meta.get('content') ?? '', 'noindex')),
    generator: metas.find((meta) => lower(meta, 'name') === 'generator')?.get('content') ?? '',
  };
}

/** True if the header X-Robots-Tag forbids to index a page. Parts for other programs begin with their names. */
export function isNoindexHeader(header: string, agent: string): boolean {
  let isForAll = true;
  return header.split(',').some((part) => {
    const [, name] = /^\s*([\w-]+)\s*:/.exec(part) ?? [];
    if (name !== undefined && name !== 'unavailable_after') isForAll = name.toLowerCase() === agent;
    return isForAll && isForbidden(part.replace(/^\s*[\w-]+\s*:/, ''), 'noindex');
  });
}

/** The addresses that a Markdown text links to. */
export function markdownLinks(text: string, url: URL): URL[] {
  const found = firstMatches(text, /\]\(\s*<?([^\s()<>]{1,2000})|<(https?:\/\/[^\s<>]{1,2000})>/g, MAX_LINKS);
  return found.flatMap(([, link, plain]) => resolved(link ?? plain ?? '', url) ?? []);
}

/** Further matches are not searched. */
export function firstMatches(text: string, pattern: RegExp, count: number): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const match of text.matchAll(pattern)) if (found.push(match) === count) break;
  return found;
}

const isForbidden = (content: string, word: 'noindex' | 'nofollow'): boolean =>
  content
    .toLowerCase()
    .split(/[\s,]+/)
    .some((each) => each === word || each === 'none');

function readTags(html: string): Tag[] {
  const tags: Tag[] = [];
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(html); token && tags.length < 2 * MAX_LINKS; token = TOKEN.exec(html)) {
    const [, comment, text, name] = token;
    if (name !== undefined) {
      const { attributes, end } = readAttributes(html, TOKEN.lastIndex);
      tags.push({ name: name.toLowerCase(), attributes });
      TOKEN.lastIndex = end;
      continue;
    }
    const closing = comment ? /-->|--!>/g : new RegExp(`</${text}`, 'gi');
    closing.lastIndex = TOKEN.lastIndex;
    if (!closing.exec(html)) break;
    TOKEN.lastIndex = closing.lastIndex;
  }
  return tags;
}

function readAttributes(html: string, start: number): { attributes: Attributes; end: number } {
  const attributes = new Map<string, string>();
  let end = start;
  for (;;) {
    ATTRIBUTE.lastIndex = end;
    const [whole, name = '', ...values] = ATTRIBUTE.exec(html) ?? [];
    if (whole === undefined) return { attributes, end };
    end += whole.length;
    const value = values.find((each) => each !== undefined) ?? '';
    if (!attributes.has(name.toLowerCase())) attributes.set(name.toLowerCase(), decodeEntities(value));
  }
}

function links(tags: readonly Tag[], base: URL): URL[] {
  const found = tags.flatMap(({ name, attributes }) => {
    const isLink = (name === 'a' || name === 'area') && !hasRel(attributes, 'nofollow');
    return isLink ? (resolved(attributes.get('href') ?? '', base) ?? []) : [];
  });
  return found.slice(0, MAX_LINKS);
}

function refresh(metas: readonly Attributes[], base: URL): URL | null {
  const meta = metas.find((each) => lower(each, 'http-equiv') === 'refresh');
  const [, seconds, target = ''] =
    /^\s*(\d{1,6})[^;,]{0,20}[;,]\s*(?:url\s*=\s*)?["']?([^"']*)/i.exec(meta?.get('content') ?? '') ?? [];
  return seconds !== undefined && Number(seconds) <= MAX_REFRESH_SECONDS ? resolved(target, base) : null;
}

const find = (tags: readonly Tag[], name: string, attribute: string): Attributes | undefined =>
  tags.find((tag) => tag.name === name && tag.attributes.has(attribute))?.attributes;

const lower = (attributes: Attributes, name: string): string =>
  (attributes.get(name) ?? '').trim().toLowerCase();

const hasRel = (attributes: Attributes, word: string): boolean =>
  lower(attributes, 'rel').split(/\s+/).includes(word);

function resolved(text: string, base: URL): URL | null {
  const trimmed = text.trim();
  return trimmed !== '' && URL.canParse(trimmed, base.href) ? new URL(trimmed, base.href) : null;
}
