const CODE = /(`{1,3})(?!`)[^`\n]{1,500}\1(?!`)/g;
/** A template tag in the destination of a link: `{{< ref "page" >}}`, `{% link page.md %}`, `{{ site.baseurl }}/page`. */
const DESTINATION =
  /(\]\()[ \t]{0,3}(?:\{\{[<%][ \t]{0,3}\w{1,40}[ \t]{1,3}"?([^"{}]{1,300}?)"?[ \t]{0,3}[%>]\}\}|\{%-?[ \t]{0,3}(?:link|post_url)[ \t]{1,3}([^{}%]{1,300}?)[ \t]{0,3}-?%\}|\{\{[ \t]{0,3}[\w.]{1,60}[ \t]{0,3}\}\})/g;
/** A template tag with the text that it shows. */
const SHOWN_TEXT =
  /\{\{[<%][ \t]*[\w-]{1,40}[ \t][^{}]{0,300}?\btext="([^"{}]{1,300})"[^{}]{0,300}?[%>]\}\}/g;
/** Attributes of kramdown and Python-Markdown, after text. */
const ATTRIBUTES = /(?<=[^\s{])[ \t]?\{:[ \t]?[.#][^{}]{0,300}\}|(?<=[)\]])\{[ \t]?[.#][\w-][^{}]{0,300}\}/g;
/** An include of DocFX within a sentence, whose label is mostly the text. */
const INCLUDE = /\[!INCLUDE[ \t]{0,3}\[([^[\]]{1,300})\]\([^()]{1,1000}\)\]/gi;
/** Images show their alternative text. */
const EMPTY_IMAGE = /!\[[ \t]{0,20}\]\([^()]{0,2000}\)[ \t]?/g;
const IMAGE = /!\[([^[\]]{1,500})\]\([^()]{0,2000}\)/g;
const LINE_BREAK = /(?:(?<![ \t])[ \t]+)?<br[ \t]*\/?>[ \t]*/gi;
const TABLE_ROW = /^[ \t>]*\|/;

function shownText(text: string, isRow: boolean): string {
  const shown = text
    .replace(DESTINATION, '$1$2$3')
    .replace(SHOWN_TEXT, '$1')
    .replace(ATTRIBUTES, '')
    .replace(INCLUDE, '$1')
    .replace(EMPTY_IMAGE, '')
    .replace(IMAGE, '$1');
  return isRow ? shown.replace(LINE_BREAK, ' ') : shown;
}

/** Leaves out the syntax of documentation systems within a line of prose. Inline code is not changed. */
export function withoutInlineSyntax(line: string): string {
  const isRow = TABLE_ROW.test(line);
  let shown = '';
  let at = 0;
  for (const { index, 0: code } of line.matchAll(CODE)) {
    shown += shownText(line.slice(at, index), isRow) + code;
    at = index + code.length;
  }
  shown += shownText(line.slice(at), isRow);
  return isRow ? shown : shown.replace(/(?<=[^\s<>])[ \t]*<br[ \t]*\/?>[ \t]*$/i, '');
}
