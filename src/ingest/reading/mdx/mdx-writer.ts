import type { JsxTag } from './scan-jsx-tag.js';

/** A line of Markdown and the line of the source it comes from, from 0. */
export interface RenderedLine {
  readonly text: string;
  readonly line: number;
}

/** An open element: its content loses the indentation that it has for being inside. */
interface Frame {
  readonly name: string;
  readonly indent: number;
  /** Columns to take off; null until the first line of content shows them. */
  shift: number | null;
}

const VOID = /^(?:area|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const BLOCK =
  /^(?:article|aside|blockquote|br|center|dd|details|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/;

/**
 * Puts the lines of an MDX page together, moving what stands inside elements to the left:
 *
 *     <Steps>                        |
 *       <Step title="Install">       | Install
 *         Run it:                    | Run it:
 *           - once                   |   - once
 */
export class MdxWriter {
  private readonly lines: RenderedLine[] = [];
  private readonly frames: Frame[] = [];
  private line = 0;
  private shift = 0;
  private blanks = '';
  private content = '';
  /** Whether something other than blanks has stood on the line. */
  private started = false;
  private cut = false;

  /** @param closed  names of the elements that are closed somewhere: others hold no content */
  constructor(private readonly closed: ReadonlySet<string>) {}

  /** Adds text; each line's indentation tells which elements it can stand in. */
  prose(text: string): void {
    decodeEntities(text)
      .split('\n')
      .forEach((line, index) => {
        if (index > 0) this.nextLine();
        const bare = this.started ? line : line.trimStart();
        this.blanks += line.slice(0, line.length - bare.length);
        if (bare !== '') this.start();
        this.content += bare;
      });
  }

  /** Adds code: its lines move as far as its first one. */
  code(text: string): void {
    text.split('\n').forEach((line, index) => {
      if (index > 0) this.nextLine();
      const bare = index > 0 || !this.started ? line.trimStart() : line;
      this.blanks += line.slice(0, line.length - bare.length);
      if (index === 0) this.start();
      this.started = true;
      this.content += bare;
    });
  }

  /** Leaves a stretch out, but for what people see of a tag. */
  drop(stretch: string, tag: JsxTag | null): void {
    if (tag) this.tag(tag);
    this.cut = true;
    const ends = stretch.split('\n').length - 1;
    if (stretch.endsWith('\n')) this.endLine();
    this.line += ends;
  }

  finish(): readonly RenderedLine[] {
    this.endLine();
    return this.lines;
  }

  private tag(tag: JsxTag): void {
    if (tag.form === 'close') this.close(tag.name);
    else this.start();
    this.started = true;
    if (tag.form === 'open' && !VOID.test(tag.name) && this.closed.has(tag.name)) {
      this.frames.push({ name: tag.name, indent: this.blanks.length, shift: null });
    }
    const shown = shownText(tag);
    if (shown !== '' && this.content.trim() === '' && tag.name !== 'img') this.paragraph(shown);
    else if (shown !== '') this.content += tag.form === 'open' ? `${shown} ` : shown;
    if (BLOCK.test(tag.name)) this.breakLine();
  }

  /** Settles how far the line moves left, at the first thing on it. */
  private start(): void {
    if (this.started) return;
    this.started = true;
    const indent = this.blanks.length;
    while ((this.frames.at(-1)?.indent ?? -1) > indent) this.frames.pop();
    const top = this.frames.at(-1);
    const outer = this.frames.at(-2)?.shift ?? 0;
    if (top) top.shift ??= outer + Math.max(0, indent - top.indent);
    this.shift = top?.shift ?? 0;
  }

  private close(name: string): void {
    const index = this.frames.findLastIndex((frame) => frame.name === name);
    if (index >= 0) this.frames.length = index;
  }

  private paragraph(text: string): void {
    for (const shown of ['', this.blanks.slice(this.shift) + text, '']) {
      this.lines.push({ text: shown, line: this.line });
    }
    this.content = '';
  }

  /** Block elements stand on lines of their own, but in a table a line is a row. */
  private breakLine(): void {
    if (this.content.startsWith('|')) {
      this.content += ' ';
      return;
    }
    const { blanks } = this;
    this.cut = true;
    this.endLine();
    this.blanks = blanks;
    this.started = true;
    this.cut = true;
  }

  private nextLine(): void {
    this.endLine();
    this.line++;
  }

  private endLine(): void {
    const content = this.cut ? this.content.trim() : this.content;
    const text = this.cut && content === '' ? '' : this.blanks.slice(this.shift) + content;
    this.lines.push({ text, line: this.line });
    this.blanks = '';
    this.content = '';
    this.started = false;
    this.cut = false;
  }
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/** MDX pages must write `{`, `<` and, in JSX, `_` as entities, which nobody searches for. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (entity, hex, decimal, name) => {
    if (name !== undefined) return NAMED.get(name) ?? entity;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 31 && code < 0xd800 ? String.fromCharCode(code) : entity;
  });
}

/** Titles of cards, tabs and steps are read like text; an image is read by its alternative text. */
function shownText(tag: JsxTag): string {
  if (tag.form === 'close') return '';
  const { title, label, alt } = tag.attributes;
  const shown = tag.name === 'img' ? alt : /^[A-Z]/.test(tag.name) ? (title ?? label) : undefined;
  return (shown ?? '').replace(/\s+/g, ' ').trim();
}
