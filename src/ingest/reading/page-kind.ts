/**
 * Kinds of pages that repeat the words of every guide and seldom answer: changes of versions, news and blogs, guides from
 * one version to the next, and lists of other pages.
 */
export type PageKind = 'changes' | 'news' | 'migration' | 'list';

/** What is known of a page when it is read. */
export interface ReadPage {
  /** Relative to the indexed folder, with forward slashes. */
  readonly path: string;
  readonly title: string;
  /** Headings below the title. */
  readonly headings: readonly string[];
  readonly text: string;
}

/** Names of files without their ending, and of folders with `/`. */
const NAMES: readonly (readonly [PageKind, RegExp])[] = [
  [
    'changes',
    /^(?:change-?logs?|changes|news|rel(?:ease)?-?(?:notes?|log)|releases|what-?s-?new|new-?features?[-\d]*|release-v?\d[\w-]*)\/?$/,
  ],
  ['news', /^(?:(?:blogs?|news|posts|announcements?|press)\/|\d{4}-\d{2}-\d{2}-.+)$/],
  ['migration', /^(?:.*-)?(?:migrat(?:ion|ing)|upgrad(?:e|ing))-(?:guide|notes|to|from|v?\d).*$|^upgrading$/],
  ['list', /^(?:(?:gen|book|.*mod)index|index-all|toc|sitemap|table-of-contents|contents)$/],
];
/** A file of this name lists changes if it is in capitals. */
const HISTORY = /(?:^|\/)HISTORY(?:\.\w{1,10})?$/;
const TITLES: readonly (readonly [PageKind, RegExp])[] = [
  [
    'changes',
    /^(?:release notes|change ?log|what[’']?s new|new features)\b|\b(?:release notes|change ?log)$/i,
  ],
  ['changes', /^(?:[\w.]{1,20} ){0,3}release v?\d+(?:\.\d+)*$/i],
  [
    'migration',
    /^(?:migrat(?:ion|ing)|upgrad(?:e|ing)) (?:guide|notes|to|from|v?\d)\b|\b(?:migration|upgrade) guide\b/i,
  ],
  ['list', /^(?:index|table of contents|site ?map)$/i],
];

/** A heading of a version or a day, with little but a date beside it: `4.2 Quays` is the number of a section. */
const VERSION =
  /^(?:version |release )?\[?v?\d{1,4}(?:\.\d{1,4}){1,3}(?:-[\w.]{1,20})?\]?(?:\W{0,4}$|\W{1,4}(?:\d{1,2} )?(?:\d{4}|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|^\[?unreleased\]?$|^\d{4}-\d{2}-\d{2}\b/i;
/** Fewer headings tell nothing. */
const LEAST_HEADINGS = 3;
const MOST_HEADINGS = 0.6;
/** A line of a link with little beside it. */
const LINK_LINE = /^\W{0,12}\[[^\]\n]{1,200}\]\([^)\n]{1,500}\)[^\n]{0,40}$/;
const LEAST_LINES = 30;
const MOST_LINES = 0.8;

const share = <T>(of: readonly T[], isSo: (one: T) => boolean): number => of.filter(isSo).length / of.length;

function kindByShape({ headings, text }: ReadPage): PageKind | null {
  if (headings.length >= LEAST_HEADINGS && share(headings, (one) => VERSION.test(one)) >= MOST_HEADINGS)
    return 'changes';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isList = lines.length >= LEAST_LINES && share(lines, (line) => LINK_LINE.test(line)) >= MOST_LINES;
  return isList ? 'list' : null;
}

/** Tells the kind of a page from its path, its title, or its headings and lines; null for a page of the other kinds. */
export function pageKind(page: ReadPage): PageKind | null {
  const names = (page.path.toLowerCase().match(/[^/]+\/?/g) ?? []).map((name) =>
    name.replace(/(?<=.)\.[a-z]{1,10}$/, '').replace(/[\s_.’']+/g, '-'),
  );
  if (HISTORY.test(page.path)) return 'changes';
  const byName = NAMES.find(([, name]) => names.some((one) => name.test(one)));
  const byTitle = TITLES.find(([, title]) => title.test(page.title.trim()));
  return byName?.[0] ?? byTitle?.[0] ?? kindByShape(page);
}
