/** A place that a wiki link names. */
interface WikiPlace {
  /** Empty for the page itself. */
  readonly page: string;
  /** A heading; null for the whole page. */
  readonly part: string | null;
}

/** A wiki link: `[[page#part|words]]`. */
export interface WikiLink {
  /** Obsidian, Foam and Logseq name the page first, the wikis of GitHub and GitLab last. */
  readonly places: readonly [WikiPlace, ...WikiPlace[]];
  /** The text that a reader sees; empty for a picture. */
  readonly shown: string;
  /** False if it may also be a table of TOML, an attribute of C++ or a list. */
  readonly isSure: boolean;
}

/** In a table, a backslash precedes the bar. */
const WRITTEN = /^(!?)\[\[([^[\]|\n]{1,300}?)(?:\\?\|([^[\]\n]{0,300}))?\]\]$/;
/** Tests of shells, texts of JSON and expressions are no names of pages, and neither are marks for a table of contents. */
const NAME = /^(?!_?toc_?$)[\p{L}\p{N}\p{Extended_Pictographic}#/.@_~(][^"<>=;${}`]*$/iu;
const NUMBERS = /^(?!\d{4,}$)[\d\s.,]+$/;
const UNSURE = /^[a-z\d_.:]+(?:, ?[a-z\d_.:]+)*$/;
/** The name of a file, or of a page as in an address. */
const SLUG = /^[^\s|]*[-_./#][^\s|]*$/;
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:\/\/|mailto:)\S+$/i;
/** Dendron's address of a page in another vault. */
const VAULT = /^dendron:\/\/[^/#]*\//i;
/** The lines of a heading that Dendron leaves out of a note it shows, and the end of that note. */
const OFFSET = /(?<=#[^#]*),\d{1,2}(?::#.*)?$/;
/** The size of a picture. */
const SIZE = /^\d+(?:x\d+)?$/;
const MEDIUM = /\.(?:3gp|avif|bmp|canvas|flac|gif|jpe?g|m4a|mkv|mov|mp[34]|og[gv]|pdf|png|svg|wav|web[mp])$/i;

function placeOf(name: string): WikiPlace {
  const [page = '', ...parts] = name.replace(VAULT, '').replace(OFFSET, '').split('#');
  const part = parts.at(-1)?.trim() ?? '';
  // `#^id` refers to a paragraph.
  return { page: page.trim(), part: part === '' || part.startsWith('^') ? null : part };
}

function shownName(name: string): string {
  const [page = '', ...parts] = name
    .replace(VAULT, '')
    .split('#')
    .map((part) => part.trim());
  const titles = parts.filter((part) => part !== '' && !part.startsWith('^'));
  return [page.replace(/\.md$/i, ''), ...titles].filter((part) => part !== '').join(' > ');
}

/** Wikis of GitHub and GitLab write the words first: `[[the words|The-Page]]`. */
function areReversed(first: string, last: string): boolean {
  return ADDRESS.test(last) || (SLUG.test(last) && /\s/.test(first) && !first.includes('#'));
}

/** Reads a wiki link as written, with its brackets; null for other texts in brackets. */
export function parseWikiLink(written: string): WikiLink | null {
  const [, mark = '', first = '', last = ''] = WRITTEN.exec(written) ?? [];
  if (!NAME.test(first) || NUMBERS.test(first)) return null;
  const words = last.trim();
  const isReversed = areReversed(first, words);
  const target = isReversed ? words : first;
  const label = SIZE.test(words) ? '' : words.replace(/^alt=/, '');
  const isPicture = mark === '!' && MEDIUM.test(target);
  const named = isReversed ? first : label;
  const places: WikiLink['places'] = [placeOf(first)];
  return {
    places: label === '' ? places : isReversed ? [placeOf(last), placeOf(first)] : [...places, placeOf(last)],
    shown: named === '' && !isPicture ? shownName(target) : named.trim(),
    isSure: words !== '' || mark === '!' || !UNSURE.test(first),
  };
}
