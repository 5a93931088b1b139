/** A title above a line of punctuation, or a title of AsciiDoc. */
const UNDERLINED = /^\S[^\n]{0,200}\n([=\-~^"'#*+.`])\1{2,}[ \t]*$/m;
const MARKED_TITLE = /^={1,5} \S/m;
/** A directive, a label or a role. */
const OF_RST =
  /^ *\.\. (?:[A-Za-z][\w:+.-]{0,80}::(?: |$)|_[^\n:]{1,200}:[ \t]*$)|(?<![\w:]):[A-Za-z][\w:+.-]{0,60}:`[^`\n]/m;
/** A directive, the style of a block, an anchor, or the macro of Git's manual. */
const OF_ASCIIDOC =
  /^(?:ifn?def::[\w-]{1,80}\[|include::[^\s[]{1,200}\[|\[\[[\w-]{1,80}\]\][ \t]*$|\[(?:verse|source|listing|quote|NOTE|TIP|WARNING|horizontal|discrete)\b[^\]\n]{0,100}\][ \t]*$)|\blinkgit:/m;

/**
 * The markup of a text file, as the extension of that format: Django and MongoDB write reStructuredText in `.txt` files, older
 * versions of Git AsciiDoc. @returns null for a text without titles, or without anything that only the markup has
 */
export function textMarkup(text: string): 'rst' | 'adoc' | null {
  const isUnderlined = UNDERLINED.test(text);
  if (isUnderlined && OF_RST.test(text)) return 'rst';
  return (isUnderlined || MARKED_TITLE.test(text)) && OF_ASCIIDOC.test(text) ? 'adoc' : null;
}
