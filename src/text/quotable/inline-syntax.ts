const CODE = /(`{1,3})(?!`)[^`\n]{1,500}\1(?!`)/g;
/** A template tag in the destination of a link: `{{< ref "page" >}}`, `{% link page.md %}`, `{{ site.baseurl }}/page`. */
const DESTINATION =
  /(\]\()[ \t]{0,3}(?:\{\{[<%][ \t]{0,3}\w{1,40}[ \t]{1,3}"?([^"{}]{1,300}?)"?[ \t]{0,3}[%>]\}\}|\{%-?[ \t]{0,3}(?:link|post_url)[ \t]{1,3}([^{}%]{1,300}?)[ \t]{0,3}-?%\}|\{\{[ \t]{0,3}[\w.]{1,60}[ \t]{0,3}\}\})/g;
/** A template tag or component without content, and the attributes that a reader sees. */
const STANDALONE =
  /\{\{[<%][ \t]*[\w-]{1,40}[ \t]([^{}]{0,500})[%>]\}\}|(?<!\w)<[A-Z][\w.]{0,60}\s([^<>{}]{0,500})\/>/g;
const SEEN_ATTRIBUTES =
  /\b(?:text|title|caption|label|alt)[ \t]?=[ \t]?(?:"([^"{}]{1,300})"|'([^'{}]{1,300})')/g;
/** Ends of shortcodes, tags of Liquid, and variables of VitePress. */
const TEMPLATE =
  /[ \t]?\{\{[<%][ \t]*\/[ \t]*[\w/-]{1,40}[ \t]*[%>]\}\}|[ \t]?\{%-?[ \t]*[a-z][^%{}]{0,500}%\}|[ \t]?\{\{[ \t]*\$[\w.]{1,100}[ \t]*\}\}/g;
/** A link of Hexo with a title. */
const NAMED_LINK =
  /\{%-?[ \t]{0,20}(?:asset|post)_link[ \t]{1,20}[^\s{}]{1,200}[ \t]{1,20}(?:"([^"{}]{1,300})"|'([^'{}]{1,300})'|([^\s{}%"'](?:[^{}%"]{0,298}?[^\s{}%"])?))(?:[ \t]{1,20}(?:true|false))?[ \t]{0,20}-?%\}/g;
/** An icon of Material for MkDocs, with its attributes. */
const ICON = /:(?:material|octicons|fontawesome|simple)-[\w-]{1,80}:(?:\{[^{}]{0,200}\})?[ \t]?/g;
/** Tags of spans, which only style the text within them. */
const STYLED = /<\/?span(?:[ \t][^<>]{0,500})?>/gi;
/** Inline code, or an element of HTML without elements in it. One tag alone may be text: `the <em> element`. */
const ELEMENT =
  /(?<ticks>`{1,3})(?!`)[^`\n]{1,500}\k<ticks>(?!`)|<(?<tag>a|abbr|b|big|cite|code|dd|dfn|dt|em|font|i|li|mark|p|samp|small|strong|tt|u|var)((?:[ \t][^<>]{0,500})?)>((?:[^<>`\n]|`[^`\n]{1,100}`){0,1000})<\/\k<tag>>/gi;
/** Tags of the elements of terms, lists, paragraphs and cells at both ends of a line. */
const OPENING = /^([ \t>]*)(?:<(?:caption|dd|dl|dt|li|ol|p|td|th|tr|ul)(?:[ \t][^<>]{0,200})?>)+(?=[^\s<])/i;
const CLOSING = /(?<=[^\s<>])(?:<\/(?:caption|dd|dl|dt|li|ol|p|td|th|tr|ul)>){1,20}[ \t]*$/i;
/** Between cells of a row. */
const CELLS = /(?<=[^\s>])<\/t[dh]>[ \t]*<t[dh](?:[ \t][^<>]{0,200})?>(?=[^\s<])/gi;
const HREF = /[ \t]href[ \t]?=[ \t]?["']?([^"'\s<>()]{1,500})/i;
/** Attributes of kramdown and Python-Markdown, after text. */
const ATTRIBUTES =
  /(?<=[^\s{])[ \t]?\{:[ \t]?(?:[.#]|toc\b|[\w-]{1,60}=["'])[^{}]{0,300}\}|\{:(?::(?:comment|nomarkdown|options)\b[^{}]{0,300}|\/[a-z]{0,20})\}|(?<=[)\]])\{[ \t]?[.#:][\w-][^{}]{0,300}\}|(?<=\S)[ \t]\{[ \t]?\.[\w-][\w \t.#-]{0,200}\}$/g;
/** An include of DocFX within a sentence, whose label is mostly the text. */
const INCLUDE = /\[!INCLUDE[ \t]{0,3}\[([^[\]]{1,300})\]\([^()]{1,1000}\)\]/gi;
/** Images show their alternative text. */
const EMPTY_IMAGE = /!\[[ \t]{0,20}\]\([^()]{0,2000}\)[ \t]?/g;
const IMAGE = /!\[([^[\]]{1,500})\]\([^()]{0,2000}\)/g;
const LINE_BREAK = /(?:(?<![ \t])[ \t]+)?<br[ \t]*\/?>[ \t]*/gi;
const TABLE_ROW = /^[ \t>]*\|/;

/** The attributes that a reader sees; a shortcode without any may show a value. */
function withSeen(tag: string, ofShortcode?: string, ofComponent?: string): string {
  const seen = Array.from(
    (ofShortcode ?? ofComponent ?? '').matchAll(SEEN_ATTRIBUTES),
    ([, a, b]) => a ?? b ?? '',
  );
  return seen.length > 0 || ofComponent !== undefined ? [...new Set(seen)].join(': ') : tag;
}

/** The text that a reader sees of a line with only a shortcode: the title and caption of a figure; often empty. */
export function shownCaption(line: string): string {
  const seen = line.startsWith('{{') ? line.replace(STANDALONE, withSeen) : line;
  return seen === line ? '' : seen.trim();
}

const MARKS: Readonly<Record<string, string>> = {
  ...{ b: '**', dt: '**', strong: '**', em: '*', i: '*' },
  ...{ code: '`', samp: '`', tt: '`' },
};

/** The text of an element with the marks of Markdown. */
function withoutTags(whole: string, ...[, tag, attributes = '', text = '']: readonly string[]): string {
  if (tag === undefined) return whole;
  const name = tag.toLowerCase();
  const bare = text.trim();
  if (name === 'a') {
    const address = bare === '' ? undefined : HREF.exec(attributes)?.[1];
    return address === undefined ? text : `[${text}](${address})`;
  }
  const mark = bare === '' ? '' : (MARKS[name] ?? '');
  // Marks in marks would be read in other pairs.
  const isMarked = bare.includes(mark.charAt(0)) && !(mark === '**' && /^\*[^*]+\*$/.test(bare));
  return mark === '' || isMarked ? text : text.replace(bare, () => mark + bare + mark);
}

/** Elements with elements in them take one pass each. */
const PASSES = 3;

/** Writes the elements of HTML in a line with the marks of Markdown. */
function withoutElements(line: string): string {
  if (!line.includes('<')) return line;
  let shown = line.replace(/(?<=<\/dt>)(?=<dd)/gi, ' ');
  for (let pass = 0; pass < PASSES; pass++) shown = shown.replace(ELEMENT, withoutTags);
  return shown;
}

function shownText(text: string, isRow: boolean): string {
  const shown = text
    .replace(DESTINATION, '$1$2$3')
    .replace(STANDALONE, withSeen)
    .replace(NAMED_LINK, '$1$2$3')
    .replace(TEMPLATE, '')
    .replace(ICON, '')
    .replace(STYLED, '')
    .replace(ATTRIBUTES, '')
    .replace(CELLS, ' | ')
    .replace(INCLUDE, '$1')
    .replace(EMPTY_IMAGE, '')
    .replace(IMAGE, '$1');
  return isRow ? shown.replace(LINE_BREAK, ' ') : shown;
}

/** Leaves out the syntax of documentation systems within a line of prose. Inline code is not changed. */
export function withoutInlineSyntax(source: string): string {
  const line = withoutElements(source);
  const isRow = TABLE_ROW.test(line);
  let shown = '';
  let at = 0;
  for (const { index, 0: code } of line.matchAll(CODE)) {
    shown += shownText(line.slice(at, index), isRow) + code;
    at = index + code.length;
  }
  shown += shownText(line.slice(at), isRow);
  const whole = shown.replace(OPENING, '$1').replace(CLOSING, '');
  return isRow ? whole : whole.replace(/(?<=[^\s<>])[ \t]*<br[ \t]*\/?>[ \t]*$/i, '');
}
