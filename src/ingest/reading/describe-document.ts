import type { DocumentFacts } from '../../core/section.js';
import { clipText } from '../../text/span.js';
import { plainValue } from './document-metadata.js';
import { homeTitle } from './front-matter/shown-front-matter.js';

const MAX_TITLE_CHARS = 300;
const MAX_TAG_CHARS = 128;
/** A longer URL would cost more tokens than the quotes it belongs to. */
const MAX_URL_CHARS = 300;

/** Facts about a file from its content, its path and the configuration. */
export interface DocumentOrigin {
  /** Relative to the indexed folder, with forward slashes. */
  readonly path: string;
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** From `headingTitle`. */
  readonly headingTitle: string | null;
  readonly htmlTitle: string | null;
  readonly mtimeMs: number;
  readonly overrides: {
    readonly docTag?: string;
    readonly repository: string;
    readonly isUntrusted?: boolean;
    readonly url?: string;
    readonly label?: string;
  };
  readonly metadata: Readonly<Record<string, string>>;
}

/** Decides the facts about a document: from its front matter, else from the configuration, else from its path. */
export function describeDocument({
  path,
  frontMatter,
  overrides,
  ...origin
}: DocumentOrigin): Omit<DocumentFacts, 'trail'> {
  const stem = stemOf(path);
  const title = [
    words(frontMatter['title']),
    words(homeTitle(frontMatter)),
    words(origin.headingTitle),
    words(origin.htmlTitle),
    words(overrides.label),
    readable(stem.replace(/(?<=.)\.(?:md|rst)$/i, '')),
    readable(words(path.split('/').at(-2) ?? '')),
  ];
  // A document of an untrusted repository could enter the scope of callers who see certain tags only.
  const ownTag = overrides.isUntrusted ? '' : words(frontMatter['doc_tag']);
  const tag = [ownTag, words(overrides.docTag), path.includes('/') ? words(path.split('/', 1)[0]) : '', stem];
  // A document of an untrusted repository could name a trusted one.
  const named = overrides.isUntrusted ? [] : [words(frontMatter['repository'])];
  return {
    path,
    title: clipText(firstOf([...title.filter((name) => !isFileName(name)), ...title]), MAX_TITLE_CHARS),
    docTag: clipText(firstOf(tag), MAX_TAG_CHARS),
    repository: clipText(firstOf([...named, overrides.repository]), MAX_TITLE_CHARS),
    updatedAt: updatedAt(frontMatter) ?? new Date(origin.mtimeMs).toISOString(),
    url: knownUrl(overrides.url) ?? urlOf(frontMatter),
    metadata: origin.metadata,
  };
}

function isFileName(title: string): boolean {
  return /^(?:_?index|readme|[^\s/]+\.(?:md|markdown|mdx|html?|txt|rst))$/i.test(title);
}

function firstOf(candidates: readonly string[]): string {
  return candidates.find((candidate) => candidate !== '') ?? '';
}

function words(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  return plainValue(String(value));
}

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return words(name.replace(/(?<=.)\.[^.]*$/, ''));
}

function readable(stem: string): string {
  const text = words(stem.replace(/[-_]+/g, ' ')) || stem;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function updatedAt(frontMatter: Readonly<Record<string, unknown>>): string | null {
  const dates = ['updated', 'date', 'lastmod', 'last_modified', 'ms.date'].map((key) =>
    parseDate(frontMatter[key]),
  );
  return dates.find((date) => date !== null) ?? null;
}

const ISO_DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ]+(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const US_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** Times without a zone are read as UTC, so that an index doesn't depend on the machine. */
function parseDate(value: unknown): string | null {
  const text = words(value);
  const [, usMonth, usDay, usYear] = US_DATE.exec(text) ?? [];
  const iso =
    usMonth && usDay && usYear ? `${usYear}-${usMonth.padStart(2, '0')}-${usDay.padStart(2, '0')}` : text;
  const [, year, month, day, time = '00:00', zone = 'Z'] = ISO_DATE.exec(iso) ?? [];
  if (!year || !month || !day || !isDay(`${year}-${month}-${day}`)) return null;
  const date = new Date(
    `${year}-${month}-${day}T${time}${zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`,
  );
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** True for an existing day; `Date` accepts February 30 as March 1. */
function isDay(day: string): boolean {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

const knownUrl = (url: string | undefined): string | null =>
  url !== undefined && url.length <= MAX_URL_CHARS ? url : null;

function urlOf(frontMatter: Readonly<Record<string, unknown>>): string | null {
  const urls = ['url', 'canonical_url', 'permalink'].map((key) => words(frontMatter[key]));
  return (
    urls.find((url) => /^https?:\/\/\S+$/i.test(url) && url.length <= MAX_URL_CHARS && URL.canParse(url)) ??
    null
  );
}
