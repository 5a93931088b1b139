import { type Span, trimSpan } from '../../text/span.js';

/** An open tab, admonition or other container. */
interface Container {
  /** Empty without a title. */
  readonly title: string;
  /** Its closing mark: `:::`, `///`, the name of a tag or shortcode; `indent` if it ends with its indentation. */
  readonly closedBy: string;
  readonly indent: number;
}

const MAX_TITLE_CHARS = 200;
/** Longer lines are text. */
const MAX_LINE_CHARS = 1_000;
/** Admonitions and tabs of MkDocs, whose text is indented. */
const INDENTED = /^(?:(?:!!!|\?\?\?\+?)[^"]{0,100}|={3,4}[!+]?[ \t]+)"([^"]{1,300})"/;
/** Blocks of PyMdown: `/// note | Title`. */
const SLASHES = /^\/{3,}[ \t]*[\w-]+(?:[ \t]*\|[ \t]*(.+))?$/;
/** Containers of Docusaurus and VitePress: `:::note[Title]`, `::: tip Title`. */
const COLONS = /^:{3,}[ \t]*\{?[\w-]+\}?(?:\[([^[\]]{1,300})\]|[ \t]+([^{\s].*))?(?:[ \t]*\{.*\})?$/;
const SHORTCODE = /^\{\{[<%][ \t]*(\/?)[ \t]*([\w/-]+)([^}]{0,500})\}\}$/;
const CLOSED_TAG = /^<(\/?)([A-Za-z][\w.-]{0,60})((?:\s[^<>]{0,500})?)>$/;
const NAMED_TITLE = /\b(?:title|label|header|name|text)[ \t]*=[ \t]*(?:"([^"]{1,300})"|'([^']{1,300})')/;
const FIRST_TEXT = /^[ \t]*"([^"]{1,300})"/;
const CLOSING = /\{\{[<%][ \t]*\/[ \t]*([\w/-]+)|<\/([A-Za-z][\w.-]*)>/g;
/** Shortcodes and tags of which a title labels the text between them. */
const LABELLING =
  /^(?:admonition|alert|callout|card|caution|collaps\w*|details|example|expand|important|info|note|step|tab|tabitem|tip|warning)$/i;

const clean = (title: string | undefined): string => (title ?? '').trim().slice(0, MAX_TITLE_CHARS);

/**
 * Follows the titles of tabs and admonitions through the lines of a text. The lines themselves are syntax, but their
 * titles say what the text in them is about.
 */
export class OpenLabels {
  private readonly open: Container[] = [];
  private readonly closed: ReadonlySet<string>;

  constructor(text: string) {
    this.closed = new Set(Array.from(text.matchAll(CLOSING), ([, code, tag]) => code ?? tag ?? ''));
  }

  /** The titles of the open containers, outermost first; undefined without titles. */
  get titles(): string | undefined {
    const titles = this.open.flatMap(({ title }) => (title === '' ? [] : [title]));
    return titles.length > 0 ? titles.join('\n') : undefined;
  }

  /** Reads the next line outside code. */
  read(line: string): void {
    const bare = line.trim();
    if (bare === '' || bare.length > MAX_LINE_CHARS) return;
    const indent = line.length - line.trimStart().length;
    while (this.open.at(-1)?.closedBy === 'indent' && (this.open.at(-1)?.indent ?? 0) >= indent)
      this.open.pop();
    if (/^\/{3,}$/.test(bare)) this.close('///');
    else if (/^:{3,}$/.test(bare)) this.close(':::');
    else this.start(bare, indent);
  }

  private start(bare: string, indent: number): void {
    const push = (title: string | undefined, closedBy: string): void => {
      this.open.push({ title: clean(title), closedBy, indent });
    };
    const indented = INDENTED.exec(bare);
    const slashes = SLASHES.exec(bare);
    const colons = COLONS.exec(bare);
    if (indented) push(indented[1], 'indent');
    else if (slashes) push(slashes[1], '///');
    else if (colons) push(colons[1] ?? colons[2], ':::');
    else this.tag(bare, push);
  }

  private tag(bare: string, push: (title: string | undefined, closedBy: string) => void): void {
    const shortcode = SHORTCODE.exec(bare);
    const [, slash, name = '', attributes = ''] = shortcode ?? CLOSED_TAG.exec(bare) ?? [];
    if (slash === '/') this.close(name);
    else if (LABELLING.test(name) && this.closed.has(name)) {
      const [, double, single] = NAMED_TITLE.exec(attributes) ?? [];
      push(double ?? single ?? (shortcode ? FIRST_TEXT.exec(attributes)?.[1] : undefined), name);
    }
  }

  /** Closes the innermost container with this mark, and those in it. */
  private close(mark: string): void {
    const at = this.open.findLastIndex(({ closedBy }) => closedBy === mark);
    if (at >= 0) this.open.length = at;
  }
}

const INLINE_CODE = /(`{1,3})(?!`)[^`\n]{1,500}\1(?!`)/g;
const IMAGE = /!\[[^[\]]{0,500}\](?:\([^()]{0,2000}\)|\[[^[\]]{0,300}\])/g;
/** A tag with a name; `<https://…>` and `\<T>` are text. Attributes may contain `=>` and tags in braces. */
const TAG = /(?<!\\)<\/?(?:[A-Za-z][\w.-]{0,60}(?=[\s/>])(?:[^<>]|=>){0,2000})?>/g;
const TEMPLATE = /\{%[^%]{0,500}%\}|\{\{[<%#][^}]{0,500}\}\}|\{\*[^{}]{0,500}\*\}/g;
const LINK =
  /\[(?:[^[\]]|\[[^[\]]{0,300}\]){1,500}\](?:\([^()]{0,2000}(?:\([^()]{0,300}\)[^()]{0,300})?\)|\[[^[\]]{0,300}\])|<xref:[^<>\s]{1,500}>/g;
/** Letters, digits, emoji and ticks. */
const MEANING = /[\p{L}\p{N}\p{So}]/u;
/** A lone bracket or star; operators in code or bold (`**!**`) are text. */
const PUNCTUATION = /^[\p{P}\s]*$/u;
const OPERATOR = /^.*(?:`|\*\*)/;

/** Tags that lay out a page. Inline tags such as `kbd` belong to the text. */
const LAYOUT_TAG =
  /^<\/?(?:a|article|aside|blockquote|br|center|col|dd|details|div|dl|dt|figure|figcaption|footer|header|hr|li|main|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)\b[^<>]{0,500}>/i;
const LEADING_TEMPLATE = /^(?:\{%[^%]{0,500}%\}|\{\{[<%][^}]{0,500}\}\})/;
const MAX_TAG_CHARS = 500;
/** The end and the start of a tag. */
const TAG_ENDS = [
  ['%}}', '{{%'],
  ['>}}', '{{<'],
  ['%}', '{%'],
  ['>', '<'],
] as const;

/** Length of the layout or template tag at the start; 0 without a tag. */
function leadingTag(text: string): number {
  const tag = LAYOUT_TAG.exec(text) ?? LEADING_TEMPLATE.exec(text);
  // `<a href="…">` opens a link, whose text would lose its start.
  if (!tag || (/^<a\b/i.test(tag[0]) && !text.startsWith('</a', tag[0].length))) return 0;
  return tag[0].length;
}

/** Length of the layout or template tag at the end; 0 without a tag. */
function trailingTag(text: string): number {
  const mark = TAG_ENDS.find(([closing]) => text.endsWith(closing))?.[1];
  if (mark === undefined) return 0;
  const end = text.slice(-MAX_TAG_CHARS);
  const from = end.lastIndexOf(mark);
  const last = from < 0 ? '' : end.slice(from);
  if (/^<\/?a\b/i.test(last)) return 0;
  return (LAYOUT_TAG.exec(last) ?? LEADING_TEMPLATE.exec(last))?.[0] === last ? last.length : 0;
}

/** True when nothing is left without images, tags and template syntax. */
function isMarkupAlone(text: string): boolean {
  if (PUNCTUATION.test(text) && !OPERATOR.test(text)) return true;
  if (!/[<{]|!\[/.test(text)) return false;
  const code = text.replace(INLINE_CODE, 'x');
  const rest = code.replace(IMAGE, ' ').replace(TEMPLATE, ' ').replace(TAG, ' ');
  return rest !== code && !MEANING.test(rest);
}

/**
 * Leaves out the layout tags and template tags at both ends of a span.
 * @returns trimmed; null if the span has nothing but images, tags and templates
 */
export function quotablePart(text: string, span: Span): Span | null {
  let part = trimSpan(text, span);
  if (!part || isMarkupAlone(text.slice(part.start, part.end))) return null;
  for (;;) {
    const slice: string = text.slice(part.start, part.end);
    const lead = slice.startsWith('<') || slice.startsWith('{') ? leadingTag(slice) : 0;
    const tail = lead > 0 ? 0 : trailingTag(slice);
    if (lead + tail === 0) return part;
    part = trimSpan(text, { start: part.start + lead, end: part.end - tail });
    if (!part) return null;
  }
}

/** True for a table row with one link and otherwise empty cells. */
export function isLinkRow(row: string): boolean {
  return row.match(LINK)?.length === 1 && !/[^\s|]/.test(row.replace(LINK, ''));
}

/** True for links and punctuation only, unless the link is a whole sentence. */
export function isLinkOnly(text: string): boolean {
  if (!/\]\(|\]\[|<xref:/.test(text)) return false;
  const rest = text.replace(LINK, (link) => (/[.?!][`*_"')]{0,3}\](?:\(|\[)/.test(link) ? 'x' : ''));
  return rest !== text && !MEANING.test(rest);
}

const POINTS_ELSEWHERE =
  /\b(?:see|learn|read|visit|check|refer|more|related|next|links?|resources?|references?|reading|following (?:pages?|topics?|articles?|sections?|guides?))\b/i;

/** True for a sentence that introduces a list of facts (`Supported systems:`), not one of pages to read (`See also:`). */
export function introducesFacts(sentence: string): boolean {
  return /[:：]\W{0,3}$/.test(sentence) && !POINTS_ELSEWHERE.test(sentence.slice(-300));
}
