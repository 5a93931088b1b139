/** A comment, an element without page text, or a tag with its attributes. No part holds a `<`, so each is tried once. */
const PART =
  /<!--|<(script|style|noscript|textarea|svg)(?=[\s>])|<(\/?)([a-z][\w-]{0,60})((?:\s(?:"[^"<]{0,2000}"|'[^'<]{0,2000}'|[^<>"']){0,4000})?)>/gi;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
/** Styles of HTML, and of JSX (`style={{ fontSize: 0 }}`). */
const HIDING_STYLE = new RegExp(
  [
    'display: ?["\']?none',
    'visibility: ?["\']?(?:hidden|collapse)',
    '(?:font-?size|opacity|max-?height): ?["\']?0(?:\\.0+)?(?:px|r?em|%|pt)?["\']? ?(?:[;,!}"]|$)',
    '(?:text-?indent|left|right|top|bottom|margin-?left|margin-?top): ?["\']?-\\d{4,}',
    'clip: ?["\']?rect\\( ?0|clip-?path: ?["\']?inset\\( ?(?:50|100)%|scale\\( ?0 ?\\)|color: ?["\']?transparent',
  ].join('|'),
  'i',
);
const STYLE = /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)'|\{\{([^{}]*)\}\})/i;
const COLOUR = /(?:^|[;,\s{])color: ?["']?([#\w]+)/i;
const BACKGROUND = /background(?:-?color)?: ?["']?([#\w]+)/i;
const CONTROLLED = /\s(?:aria-controls|data-(?:bs-)?target)\s*=\s*["']#?([^"'\s]{1,200})/gi;
/** Fewer words are icons, counts and labels. Text that only screen readers skip is mostly a picture of other text. */
const MIN_WORDS = 3;
const MIN_UNSPOKEN_WORDS = 6;

interface Hidden {
  readonly name: string;
  readonly start: number;
  readonly textFrom: number;
  readonly minWords: number;
  depth: number;
}

export interface HiddenText {
  /** Offset of the tag. */
  readonly start: number;
  /** Offset of the tag that closes it, or of the end of the page. */
  readonly end: number;
  readonly words: readonly string[];
}

/**
 * Finds text that a page hides from its readers, by an attribute or a style of its element. Text that a control of the page
 * shows, such as that of a tab, is not hidden.
 */
export function findHiddenText(html: string): HiddenText[] {
  const controlled = new Set(Array.from(html.matchAll(CONTROLLED), ([, id]) => id));
  const hasTabs = /\srole\s*=\s*["']?tab["'\s>]/i.test(html);
  const found: HiddenText[] = [];
  let hidden: Hidden | null = null;
  const close = (end: number): void => {
    const words = hidden ? wordsIn(html.slice(hidden.textFrom, end).replace(/<[^<>]*>/g, ' ')) : [];
    if (hidden && words.length >= hidden.minWords) found.push({ start: hidden.start, end, words });
    hidden = null;
  };
  PART.lastIndex = 0;
  for (let part = PART.exec(html); part; part = PART.exec(html)) {
    const [tag, unread, slash, name = '', attributes = ''] = part;
    if (slash === undefined) {
      const closing = unread === undefined ? /-->/g : new RegExp(`</${unread}`, 'gi');
      closing.lastIndex = part.index;
      const end = closing.exec(html)?.index;
      if (end === undefined) break;
      PART.lastIndex = end;
    } else if (hidden) {
      const { name: open } = hidden;
      if (name === open && !attributes.endsWith('/')) hidden.depth += slash === '' ? 1 : -1;
      if (hidden.depth === 0) close(part.index);
    } else if (slash === '' && !VOID.test(name) && !attributes.endsWith('/')) {
      const minWords = isRevealed(attributes, controlled, hasTabs) ? null : wordsToHide(attributes);
      const textFrom = part.index + tag.length;
      if (minWords !== null) hidden = { name, start: part.index, textFrom, minWords, depth: 1 };
    }
  }
  close(html.length);
  return found;
}

const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

const WINDOW = 3;

/** Parts of a page that it never shows. Each is closed by its own end, or by the end of the page. */
const UNSHOWN =
  /<!--[^]*?(?:-->|$)|<(script|style|noscript|textarea|svg|template|title|iframe|noframes|datalist|dialog)\b[^]*?(?:<\/\1|$)/gi;

/** The words that a page shows. */
function shownWords(html: string, hidden: readonly HiddenText[]): readonly string[] {
  let from = 0;
  const pieces = hidden.map(({ start, end }) => {
    const piece = html.slice(from, start);
    from = end;
    return piece;
  });
  const shown = [...pieces, html.slice(from)].join(' | ');
  return wordsIn(
    shown
      .replace(UNSHOWN, ' | ')
      .replace(PART, ' ')
      .replace(/<[^<>]*>/g, ' '),
  );
}

/**
 * The first of hidden texts of which some words in a row are in a text; undefined if none is. What the page also shows, as a
 * button for scripts repeats the title of a part, is not hidden.
 */
export function firstIn(text: string, hidden: readonly HiddenText[], html: string): HiddenText | undefined {
  if (hidden.length === 0) return undefined;
  const known = new Set(windowsOf(wordsIn(text)));
  if (!hidden.some(({ words }) => windowsOf(words).some((window) => known.has(window)))) return undefined;
  for (const window of windowsOf(shownWords(html, hidden))) known.delete(window);
  return hidden.find(({ words }) => windowsOf(words).some((window) => known.has(window)));
}

const windowsOf = (words: readonly string[]): readonly string[] =>
  Array.from({ length: Math.max(0, words.length - WINDOW + 1) }, (_, i) =>
    words.slice(i, i + WINDOW).join(' '),
  );

/** True for a tab panel of a page with tabs, and for an element that a control names. */
function isRevealed(
  attributes: string,
  controlled: ReadonlySet<string | undefined>,
  hasTabs: boolean,
): boolean {
  const id = /\sid\s*=\s*["']?([^"'\s]{1,200})/i.exec(attributes)?.[1];
  return (
    (id !== undefined && controlled.has(id)) || (hasTabs && /\srole\s*=\s*["']?tabpanel\b/i.test(attributes))
  );
}

/** The number of words from which on a text is reported; null for an element that does not hide its text. */
function wordsToHide(attributes: string): number | null {
  const [, double, single, braces] = STYLE.exec(attributes) ?? [];
  const style = (double ?? single ?? braces ?? '').replace(/\s+/g, ' ').replace(/ ?: ?/g, ': ');
  if (HIDING_STYLE.test(style) || isSameColour(style)) return MIN_WORDS;
  const bare = attributes.replace(/"[^"]*"|'[^']*'/g, '""');
  if (/\shidden(?=[\s=]|$)/i.test(bare) && !/until-found/i.test(attributes)) return MIN_WORDS;
  if (/\saria-hidden\s*=\s*["'{]*true/i.test(attributes) && !/katex/.test(attributes))
    return MIN_UNSPOKEN_WORDS;
  return null;
}

function isSameColour(style: string): boolean {
  const colour = COLOUR.exec(style)?.[1]?.toLowerCase();
  return colour !== undefined && colour === BACKGROUND.exec(style)?.[1]?.toLowerCase();
}
