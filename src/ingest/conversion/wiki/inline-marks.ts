import { escapeHtml } from '../html-text.js';

/** A pattern of text as it is written, and the HTML of what it finds. */
export interface InlineRule {
  /** Matches from the place where it is tried on (flag `y`). */
  readonly pattern: RegExp;
  /** The characters that a match begins with. */
  readonly starts: string;
  readonly html: (found: readonly string[], inline: (text: string) => string) => string;
}

/** Levels of marks in marks. */
const MAX_LEVELS = 8;

/** Makes a function that writes a text with marks as HTML. At each place, the first rule that matches is used. */
export function inlineWriter(rules: readonly InlineRule[]): (text: string) => string {
  const starts = new Map<string, InlineRule[]>();
  for (const rule of rules)
    for (const char of rule.starts) starts.set(char, [...(starts.get(char) ?? []), rule]);
  const write = (text: string, level: number): string => {
    const parts: string[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const found = level < MAX_LEVELS ? firstMatch(starts.get(text.charAt(at)), text, at) : null;
      if (!found) continue;
      parts.push(escapeHtml(text.slice(from, at)));
      parts.push(found.rule.html(found.match, (inner) => write(inner, level + 1)));
      from = at + (found.match[0] ?? '').length;
      at = from - 1;
    }
    parts.push(escapeHtml(text.slice(from)));
    return parts.join('');
  };
  return (text) => write(text, 0);
}

function firstMatch(
  rules: readonly InlineRule[] | undefined,
  text: string,
  at: number,
): { readonly rule: InlineRule; readonly match: readonly string[] } | null {
  for (const rule of rules ?? []) {
    rule.pattern.lastIndex = at;
    const match = rule.pattern.exec(text);
    if (match && match[0] !== '')
      return { rule, match: match.map((group: string | undefined) => group ?? '') };
  }
  return null;
}

/** A rule for text between two marks, which becomes an element. */
export const between = (mark: string, name: string, starts = mark.charAt(0)): InlineRule => {
  const quoted = mark.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return {
    starts,
    pattern: new RegExp(`${quoted}(?=\\S)((?:(?!${quoted})[^]){1,500}?(?<=\\S))${quoted}`, 'y'),
    html: ([, text = ''], inline) => `<${name}>${inline(text)}</${name}>`,
  };
};

const ELEMENTS = new Set(
  (
    'a abbr b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em font ' +
    'h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rb rp rt ruby s samp small span strike strong sub summary ' +
    'sup table tbody td tfoot th thead time tr tt u ul var wbr references noinclude includeonly onlyinclude html'
  ).split(' '),
);

/**
 * Puts aside words in angle brackets, such as `<port>` and `List<String>`, which the wikis show as text: no element has
 * the name, and no tag ends it. Characters for private use stand for the brackets.
 */
export function putWordsAside(text: string): string {
  const ended = new Set(
    [...text.matchAll(/<\/([a-zA-Z][\w-]{0,40})/g)].map(([, name = '']) => name.toLowerCase()),
  );
  return text
    .replace(/[\uE002\uE003]/g, '')
    .replace(
      /<(([a-zA-Z][\w.-]{0,40})(?:[ ,][^<>=\n]{0,80})?)(?<!\/)>/g,
      (tag, words: string, name: string) =>
        ELEMENTS.has(name.toLowerCase()) || ended.has(name.toLowerCase()) ? tag : `\uE002${words}\uE003`,
    );
}

export const wordsPutBack = (html: string): string =>
  html.replaceAll('\uE002', '&lt;').replaceAll('\uE003', '&gt;');

/** Other tags are not text. Cells and blocks stay apart. */
export const otherTags: InlineRule = {
  starts: '<',
  // Only those of HTML go on in the next line.
  pattern: /<\/?(?:[a-zA-Z][^<>\n]{0,500}|(?:div|table|t[dhr]|p|span|a|img|font)\b[^<>]{0,500})>/iy,
  html: ([found = '']) => (/^<\/?(?:t[dhr]|table|caption|li|d[dt]|p|div|h[1-6])\b/i.test(found) ? ' ' : ''),
};

/** A link. @param html  of its text; '' for a link that shows its address */
export const linkHtml = (href: string, html: string): string =>
  `<a href="${escapeHtml(href)}">${html === '' ? escapeHtml(href) : html}</a>`;
