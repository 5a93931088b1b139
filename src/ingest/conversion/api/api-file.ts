import type MarkdownIt from 'markdown-it';
import { decodePercent } from '../../../text/percent-encoding.js';
import { markdownOf } from '../../reading/markdown/parse-blocks.js';
import { escapeHtml, lines, paragraphHtml, tag } from '../html-text.js';
import { isJsonObject, type JsonObject, textIn } from '../json-object.js';

/** References from one place to the next. */
const MAX_HOPS = 50;
/** Characters of HTML of one file; the rest is left out. */
const MAX_CHARS = 30_000_000;
/** Objects that are visited: references can lead to the same ones again and again. */
const MAX_STEPS = 3_000_000;
/** Characters of an example; longer ones are left out. */
const MAX_EXAMPLE_CHARS = 4_000;
/** The parser of Markdown leaves longer lines unread. */
const MAX_LINE_CHARS = 65_000;

/** An object with its place in the file. */
export interface Placed {
  readonly value: JsonObject;
  /** A JSON pointer, such as `/components/schemas/User`; '' for the root, or for a place that is not known. */
  readonly pointer: string;
}

/** A description of an API or of data. References lead to places in it; those to other files stay unresolved. */
export class ApiFile {
  private readonly withTags = markdownOf({ html: true, indentedCode: true });
  private readonly withoutTags = markdownOf({ html: false, indentedCode: true });
  private steps = MAX_STEPS;
  private room = MAX_CHARS;
  private readonly others = new Set<string>();
  private cutParts = 0;

  constructor(readonly root: JsonObject) {}

  /** Follows the references of an object. One that leads nowhere gives the object itself. */
  resolve(value: unknown, pointer = ''): Placed {
    let placed: Placed = { value: isJsonObject(value) ? value : {}, pointer };
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const reference = placed.value['$ref'];
      if (typeof reference !== 'string') return placed;
      const target = this.at(reference);
      if (!target) return placed;
      placed = target;
    }
    return placed;
  }

  private at(reference: string): Placed | null {
    if (!reference.startsWith('#')) {
      this.others.add(reference.split('#')[0] ?? '');
      return null;
    }
    const pointer = reference.slice(1);
    let value: unknown = this.root;
    for (const part of pointer.split('/').slice(1)) {
      const name = unescapePart(part);
      if (Array.isArray(value)) value = value[Number(name)];
      else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }
    return isJsonObject(value) ? { value, pointer } : null;
  }

  /** A heading. @param pointer  the place of what it names; '' without one */
  heading(level: number, title: string, pointer = ''): string {
    const id = pointer === '' ? '' : ` id="${escapeHtml(fragment(pointer))}"`;
    return `<h${level}${id}>${escapeHtml(title)}</h${level}>\n`;
  }

  /** A description, which is Markdown. @param level  of the heading above it; those in it are below */
  description(value: unknown, level: number): string {
    const text = textIn(value).trim();
    if (text === '') return '';
    if (text.split('\n').some((line) => line.length > MAX_LINE_CHARS)) return paragraphHtml(text);
    const html = rendered(this.withTags, text, level);
    return isBalanced(html) ? html : rendered(this.withoutTags, text, level);
  }

  /** A description in a cell. */
  inCell(value: unknown): string {
    const text = textIn(value).trim();
    if (text.includes('\n\n') || /^(?:[-*+>#|]|\d+\.)|^[-*+] /m.test(text))
      return this.description(text, 6).trim();
    if (text.length > MAX_LINE_CHARS) return lines(text);
    const html = this.withTags.renderInline(text);
    return isBalanced(html) ? html : this.withoutTags.renderInline(text);
  }

  /** An example as a block of code. */
  example(value: unknown): string {
    const text = typeof value === 'string' ? value : written(value);
    if (text.trim() === '') return '';
    if (text.length > MAX_EXAMPLE_CHARS) {
      this.cutParts++;
      return '';
    }
    return `${tag('p', 'Example:')}<pre><code>${escapeHtml(text)}</code></pre>\n`;
  }

  /** The parts that fit; counts the others. */
  fitting(parts: Iterable<string>): string {
    const taken: string[] = [];
    for (const part of parts) {
      this.room -= part.length;
      if (this.room >= 0) taken.push(part);
      else this.cutParts++;
    }
    return taken.join('');
  }

  /** Counts a visit of an object. @returns false if there were too many */
  visit(): boolean {
    return --this.steps >= 0;
  }

  /** Counts rows that do not fit into a table. */
  cut(rows: number): void {
    this.cutParts += rows;
  }

  /** The parts that are left out of the text, for the report. */
  leftOut(): string[] {
    const parts =
      this.cutParts > 0 ? [`${this.cutParts} long examples, properties or operations are left out`] : [];
    const names = [...this.others].filter(Boolean);
    const [first] = names;
    const files =
      first === undefined
        ? []
        : [`other files to which references are not followed: ${names.length}, such as ${first}`];
    return [...parts, ...files];
  }
}

/** Elements whose end may be left out, or that have none. */
const OPEN_TAGS = /^(?:p|br|li|dt|dd|hr|img|tr|td|th|wbr|col|input)$/;
const PLAIN_TAGS =
  /^(?:a|abbr|b|blockquote|cite|code|del|details|div|dl|em|figure|h[1-6]|i|ins|kbd|mark|ol|pre|q|s|samp|small|span|strong|sub|summary|sup|table|tbody|tfoot|thead|tt|u|ul|var)$/;

/** True for HTML that ends all its elements, and has none but those of texts. */
function isBalanced(html: string): boolean {
  const open: string[] = [];
  for (const [tagText, slash, name = ''] of html.matchAll(/<(\/?)([a-z!][a-z\d-]*)[^<>]*(>?)/gi)) {
    const lower = name.toLowerCase();
    if (OPEN_TAGS.test(lower)) continue;
    if (!PLAIN_TAGS.test(lower) || !tagText.endsWith('>')) return false;
    if (slash === '') open.push(lower);
    else if (open.pop() !== lower) return false;
  }
  return open.length === 0;
}

/** Renders Markdown whose headings stand below a level. */
function rendered(markdown: MarkdownIt, text: string, level: number): string {
  const tokens = markdown.parse(text, {});
  for (const token of tokens)
    if (token.type.startsWith('heading_')) token.tag = `h${Math.min(6, level + Number(token.tag.slice(1)))}`;
  return markdown.renderer.render(tokens, markdown.options, {});
}

/** A JSON pointer as the fragment of an address. */
export const fragment = (pointer: string): string =>
  encodeURI(pointer).replace(/[#?[\]{}\\^|`"<>\s]/g, (mark) => encodeURIComponent(mark));

/** A pointer to a value of an object. */
export const pointerTo = (...parts: readonly string[]): string =>
  parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const unescapePart = (part: string): string =>
  decodePercent(part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A value as JSON; '' for one that holds itself. */
export function written(value: unknown): string {
  try {
    return value === undefined ? '' : JSON.stringify(value, null, 2);
  } catch {
    return '';
  }
}

/** The last part of a pointer, which names a schema. */
export const nameAt = (pointer: string): string => unescapePart(pointer.slice(pointer.lastIndexOf('/') + 1));
