import type { FoundHeading } from '../../core/indexed-document.js';

/**
 * Kinds of pages that repeat the words of every guide and seldom answer: changes of versions, news and blogs, guides from
 * one version to the next, and indexes of other pages.
 */
export type PageKind = 'changes' | 'news' | 'migration' | 'list';

/** The facts about a page that tell its kind. */
export interface ReadPage {
  /** Relative to the indexed folder, with forward slashes. */
  readonly path: string;
  readonly title: string;
  /** True if its front matter has a date or an author, as that of a blog post. */
  readonly isDated: boolean;
  /** Headings below the title. */
  readonly headings: readonly Pick<FoundHeading, 'title' | 'level'>[];
}

/** Names of files without their ending, and of folders with `/`, that say enough. */
const NAMES: readonly (readonly [PageKind, RegExp])[] = [
  [
    'changes',
    /^(?:(?:change-?log|change-?logs|rel(?:ease)?-?notes?|rel(?:ease)?-?log)(?:-v?\d[\w-]*)?|what-?s-?new(?:-.*)?|new-?features?[-\d]*|release-v?\d[\w-]*)\/?$/,
  ],
  ['news', /^\d{4}-\d{2}-\d{2}-.+$/],
  [
    'migration',
    /^(?:.*-)?(?:migrat(?:ion|ing)|upgrad(?:e|ing))-(?:guide|notes|(?:(?:to|from)-)?v?\d).*$|^upgrading$/,
  ],
  ['list', /^(?:(?:gen|book|.*mod)index|index-all|toc|sitemap|table-of-contents)$/],
];
/** Folders of news if their files have dates. */
const OF_NEWS = /(?:^|\/)(?:blogs?|_?posts|news|announcements)\//;
/** Folders of changes if their files are named by versions: `releases/3.2.html`. An API can have a folder of this name. */
const OF_VERSIONS = /(?:^|\/)(?:changes|releases|news|history)\/v?\d+(?:[._-]\d+)+[^/]*$/;
/** The navigation of mdBook, GitBook and Antora. */
const NAVIGATION = /(?:^|\/)(?:SUMMARY\.md|nav(?:-[\w-]{1,100})?\.adoc)$/;
/** A file of this name lists changes if it is in capitals. */
const HISTORY = /(?:^|\/)HISTORY(?:\.\w{1,10})?$/;
const TITLES: readonly (readonly [PageKind, RegExp])[] = [
  [
    'changes',
    /^(?:release notes|change ?log|change history|what[’']?s new|new features)\b|\b(?:release notes|change ?log)$/i,
  ],
  ['changes', /^(?:[\w.]{1,20} ){0,3}release v?\d+(?:\.\d+)*$/i],
  [
    'migration',
    /^(?:migrat(?:ion|ing)|upgrad(?:e|ing)) (?:guide|notes|(?:to |from )?(?:version |v)?\d)|\b(?:migration|upgrade) guide\b/i,
  ],
  ['list', /^site ?map$|^(?:table of|[\w ]{1,40} documentation) contents$/i],
];

/**
 * A heading of a version or a day, with little but a date beside it: `4.2 Quays` is the number of a section, and four
 * numbers can be an address.
 */
const VERSION =
  /^(?:version |release )?\[?v?\d{1,4}(?:\.\d{1,4}){1,2}(?:-[\w.]{1,20})?\]?(?:\W{0,4}$|[\s([/–—-]{1,4}(?:\d{1,2} )?(?:\d{4}|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|^\[?unreleased\]?$|^\d{4}-\d{2}-\d{2}\b/i;
/** Fewer headings tell nothing. */
const MIN_HEADINGS = 3;
const MIN_SHARE = 0.6;

/** True if the headings of the first level that has several are versions. */
function listsVersions(headings: ReadPage['headings']): boolean {
  const levels = [...new Set(headings.map(({ level }) => level))].sort((a, b) => a - b);
  const onLevel = levels.map((level) => headings.filter((one) => one.level === level));
  const first = onLevel.find(({ length }) => length >= MIN_HEADINGS) ?? [];
  return (
    first.length > 0 && first.filter(({ title }) => VERSION.test(title)).length >= MIN_SHARE * first.length
  );
}

/** Tells the kind of a page from its path, its title or its headings; null for all other pages. */
export function pageKind({ path, title, isDated, headings }: ReadPage): PageKind | null {
  const lower = path.toLowerCase();
  const names = (lower.match(/[^/]+\/?/g) ?? []).map((name) =>
    name.replace(/(?<=.)\.[a-z]{1,10}$/, '').replace(/[\s_.’']+/g, '-'),
  );
  const byName = NAMES.find(([, name]) => names.some((one) => name.test(one)));
  if (byName) return byName[0];
  if (NAVIGATION.test(path)) return 'list';
  if (HISTORY.test(path) || OF_VERSIONS.test(lower)) return 'changes';
  if (isDated && OF_NEWS.test(lower)) return 'news';
  const byTitle = TITLES.find(([, pattern]) => pattern.test(title.trim()));
  return byTitle?.[0] ?? (listsVersions(headings) ? 'changes' : null);
}
