/** A title above a line of punctuation. */
const UNDERLINED = /^(\S[^\n]{0,200})\n(([=\-~^"'#*+.`])\3{2,})[ \t]*$/gm;
/** A title of AsciiDoc. */
const MARKED_TITLE = /^={1,5} \S/m;
/** A title or a fence of Markdown. */
const OF_MARKDOWN = /^(?:#{1,6} \S|`{3}[\w-]*$)/m;
/** A directive or a label of reStructuredText. */
const OF_RST = /^ *\.\. (?:[A-Za-z][\w:+.-]{0,80}::(?: |$)|_[^\n:]{1,200}:[ \t]*$)/m;
const ROLE = /(?<![\w:]):[A-Za-z][\w:+.-]{0,60}:`[^`\n]/g;
/** A directive, the style of a block above its mark, or the macro of Git's manual. */
const OF_ASCIIDOC =
  /^(?:ifn?def::[\w-]{1,80}\[|include::[^\s[]{1,200}\[|\[verse\][ \t]*$|\[(?:source|listing|quote|verse|NOTE|TIP|WARNING)\b[^\]\n]{0,100}\][ \t]*\n(?:-{4}|={4}|_{4}|\.{4}))|\blinkgit:[\w-]{1,60}\[/m;

/** True for a title whose underline is long enough, as docutils reads it. */
function hasUnderlinedTitle(text: string): boolean {
  for (const [, title = '', line = ''] of text.matchAll(UNDERLINED))
    if (line.length >= Math.min(4, title.trimEnd().length)) return true;
  return false;
}

function hasSeveralRoles(text: string): boolean {
  let count = 0;
  for (const _ of text.matchAll(ROLE)) if (++count > 1) return true;
  return false;
}

/**
 * The markup of a text file, as the extension of that format: Django and docutils write reStructuredText in `.txt` files,
 * older versions of Git AsciiDoc.
 * @returns null for a text without titles, or without a directive, label, role or block style of the format
 */
export function textMarkup(text: string): 'rst' | 'adoc' | null {
  const isUnderlined = hasUnderlinedTitle(text);
  if (isUnderlined && (OF_RST.test(text) || hasSeveralRoles(text)))
    return OF_MARKDOWN.test(text) ? null : 'rst';
  return (isUnderlined || MARKED_TITLE.test(text)) && OF_ASCIIDOC.test(text) ? 'adoc' : null;
}

/** A format of pages. */
export type Markup = 'md' | 'mdx' | 'html' | 'rst' | 'adoc';

const MARKUP: ReadonlyMap<string, Markup> = new Map([
  ...['md', 'markdown', 'mkd', 'mdown', 'qmd', 'rmd', 'mdc'].map((name) => [name, 'md'] as const),
  ['mdx', 'mdx'],
  ...['html', 'htm', 'xhtml'].map((name) => [name, 'html'] as const),
  ...['rst', 'rest'].map((name) => [name, 'rst'] as const),
  ...['adoc', 'asciidoc', 'asc'].map((name) => [name, 'adoc'] as const),
]);

/** The markup of a file, by its extension and, for a text file, by its text; null for plain text and other formats. */
export const readMarkup = (extension: string, text: string): Markup | null =>
  MARKUP.get(extension) ?? (/^(?:txt|text|readme)$/.test(extension) ? textMarkup(text) : null);
