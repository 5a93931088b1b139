const TEMPLATE_TAG = /<(\/?)template(?=[\s/>])/gi;
const SCRIPT = /<script(\s[^>]{0,1000})?>/gi;
const TYPE = /\stype\s{0,9}=\s{0,9}["']?([^\s"'>]+)/i;
/** `text/x-handlebars-template`, `text/template`, `text/html`, `text/markdown`; no code, and no data. */
const TEXT_TYPE =
  /^(?:text\/(?:html|markdown|mustache|ng-template|plain|template|x-[\w.+-]+)|x-tmpl[\w-]*|application\/x-template)$/i;
const NOT_TEXT = /script|babel|jsx|css|sass|less|glsl|shader|mathjax|sql|python/i;
/** Marks of Handlebars, Mustache and EJS that show nothing themselves. */
const TEMPLATE_MARK = /\{\{\{?~?(?:[#/^!>]|else\b)[^{}]{0,500}\}\}\}?|<%[^%]{0,500}%>/g;

/** Attribute of an element with Markdown; its private-use character is not written by hand. */
export const MARKDOWN_TEXT = 'data-\u{E000}';

/**
 * A page whose templates are parts of its text: the elements that scripts of the page copy, and scripts whose type is text.
 * @returns the same page if it has none
 */
export function openTemplates(html: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { index, 0: tag, 1: attributes = '' } of html.matchAll(SCRIPT)) {
    if (index < from) continue;
    const [, type = ''] = TYPE.exec(attributes) ?? [];
    const start = index + tag.length;
    const end = endOfScript(html, start);
    pieces.push(html.slice(from, index).replace(TEMPLATE_TAG, '<$1div'));
    const isText = TEXT_TYPE.test(type) && !NOT_TEXT.test(type);
    pieces.push(isText ? `${shownScript(html.slice(start, end), type)}<script>` : html.slice(index, end));
    from = end;
  }
  pieces.push(html.slice(from).replace(TEMPLATE_TAG, '<$1div'));
  return pieces.join('');
}

const SCRIPT_END = /<\/script/gi;

function endOfScript(html: string, start: number): number {
  SCRIPT_END.lastIndex = start;
  return SCRIPT_END.exec(html)?.index ?? html.length;
}

function shownScript(text: string, type: string): string {
  if (!/markdown/i.test(type)) return `<div>${text.replace(TEMPLATE_MARK, '')}</div>`;
  return `<pre ${MARKDOWN_TEXT}="">\n${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`;
}
