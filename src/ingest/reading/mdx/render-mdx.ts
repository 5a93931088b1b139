import { decodeEntities } from '../decode-entities.js';
import { codeBlock } from '../markdown-spans.js';
import { tagMark } from '../meaningful-marks.js';
import { htmlHeadingTitle } from '../read-heading.js';
import type { MdxPart } from './find-mdx.js';
import { type JsxTag, literalValue } from './scan-jsx-tag.js';
import { shownAttributes } from './shown-attributes.js';

/** Longer texts between tags are no heading. */
const MAX_HEADING_CHARS = 4000;
const MAX_HEADING_PARTS = 200;
const HEADING = /^h[1-6]$/;

/** The heading that a tag begins, as Markdown, and the position of its last tag; null without a title. */
function headingAt(
  text: string,
  parts: readonly MdxPart[],
  at: number,
): { text: string; last: number } | null {
  const first = parts[at];
  const { name = '', form, attributes } = first?.tag ?? {};
  if (!first || form !== 'open' || !HEADING.test(name)) return null;
  const further = parts.slice(at + 1, at + 1 + MAX_HEADING_PARTS);
  const last = at + 1 + further.findIndex(({ tag }) => tag?.name === name && tag.form === 'close');
  const end = last > at ? parts[last] : undefined;
  if (!end || end.start - first.end > MAX_HEADING_CHARS) return null;
  const title = htmlHeadingTitle(text.slice(first.end, end.start)).replace(/[\\`*_[\]<>#{}]/g, '\\$&');
  const id = attributes?.['id'];
  if (title === '') return null;
  return { text: `${'#'.repeat(Number(name.slice(1)))} ${title}${id ? ` {#${id}}` : ''}`, last };
}

/** Parts that the content of a tag within a sentence can have. */
const MAX_PARTS = 3;

/** True for a tag whose content ends on its line, with more of the sentence behind it. */
function isFollowedByText(text: string, parts: readonly MdxPart[], at: number): boolean {
  const first = parts[at];
  if (first?.tag?.form !== 'open') return false;
  const { name } = first.tag;
  const close = parts
    .slice(at + 1, at + 2 + MAX_PARTS)
    .find(({ tag }) => tag?.name === name && tag.form === 'close');
  if (!close || text.slice(first.end, close.end).includes('\n')) return false;
  return /^[ \t]*[^\s<{|]/.test(text.slice(close.end, close.end + 100));
}

/** The code of a component such as `<Code code={`…`} lang="sh" />`, as Markdown; '' for other tags. */
function codeIn({ name, attributes }: JsxTag): string {
  const { code = '', lang = '' } = attributes;
  const isBlock = name === 'Code' || (/^[A-Z]/.test(name) && code.trim().includes('\n'));
  return isBlock ? codeBlock(code, lang) : '';
}

/** A line of Markdown, and the number of its source line, from 0. */
interface RenderedLine {
  readonly text: string;
  readonly line: number;
}

/** An open element, whose content is moved left by the indentation of the element. */
interface Frame {
  readonly name: string;
  readonly indent: number;
  /** Columns to remove; null until the first line of content. */
  shift: number | null;
  readonly note: Note | null;
}

/** A remark of a tag within a sentence about its content, written below the paragraph so that the sentence stays whole. */
interface Note {
  readonly about: string;
  /** Where the content begins. */
  readonly line: number;
  readonly column: number;
  /** The content; empty if it has several lines. */
  term: string;
}

const WORD = /[\p{L}\p{N}]/u;
/** Characters before a tag among which a word is sought. */
const LOOK_BACK = 200;
const VOID = /^(?:area|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const BLOCK =
  /^(?:article|aside|blockquote|br|center|dd|details|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/;

/**
 * Assembles the lines of an MDX page and moves the content of elements to the left:
 *
 *     <Steps>                        |
 *       <Step title="Install">       | Install
 *         Run it:                    | Run it:
 *           - once                   |   - once
 */
class MdxWriter {
  private readonly lines: RenderedLine[] = [];
  private readonly frames: Frame[] = [];
  private notes: Note[] = [];
  private line = 0;
  private shift = 0;
  private blanks = '';
  private content = '';
  /** True when the line has more than blanks so far. */
  private started = false;
  private cut = false;

  /** @param closed  names of elements with a closing tag; other elements have no content */
  constructor(private readonly closed: ReadonlySet<string>) {}

  /** Adds text; the indentation of a line decides which open elements contain it. */
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

  /** Adds code; all its lines are moved as far as its first line. */
  code(text: string): void {
    const held = this.notes;
    this.notes = [];
    text.split('\n').forEach((line, index) => {
      if (index > 0) this.nextLine();
      const bare = index > 0 || !this.started ? line.trimStart() : line;
      this.blanks += line.slice(0, line.length - bare.length);
      if (index === 0) this.start();
      this.started = true;
      this.content += bare;
    });
    this.notes = held;
  }

  /** Drops a part of the source, but adds the visible text of a tag. @param isWithin  true for a tag within a sentence */
  drop(source: string, tag: JsxTag | null, isWithin: boolean): void {
    if (tag) this.tag(tag, isWithin || this.hasWordBefore());
    this.cut = true;
    const ends = source.split('\n').length - 1;
    if (source.endsWith('\n')) this.endLine();
    this.line += ends;
  }

  finish(): readonly RenderedLine[] {
    this.endLine();
    this.showNotes();
    return this.lines;
  }

  /** Adds a heading that is written as tags. @param source  from its first tag to its last */
  heading(text: string, source: string): void {
    this.start();
    this.paragraph(text);
    this.cut = true;
    this.line += source.split('\n').length - 1;
  }

  private tag(tag: JsxTag, isWithin: boolean): void {
    if (tag.form === 'close') this.close(tag.name);
    else this.start();
    this.started = true;
    const code = tag.form === 'self' && !this.isInRow ? codeIn(tag) : '';
    if (code !== '') {
      this.paragraph(...code.split('\n'));
      return;
    }
    const shown = shownAttributes(tag);
    const holds = tag.form === 'open' && !VOID.test(tag.name) && this.closed.has(tag.name);
    const note = holds && shown.length > 0 && isWithin ? this.note(shown) : null;
    if (holds) this.frames.push({ name: tag.name, indent: this.blanks.length, shift: null, note });
    if (note) return;
    const isInline = this.content.trim() !== '' || tag.name === 'img';
    if (!isInline) for (const text of shown) this.paragraph(text);
    else if (shown.length > 0) this.content += shown.join(' ') + (tag.form === 'open' ? ' ' : '');
    if (BLOCK.test(tag.name)) this.breakLine(tag.name);
  }

  /** True in a row of a table, which must stay on its line. */
  get isInRow(): boolean {
    return this.content.startsWith('|');
  }

  private hasWordBefore(): boolean {
    const before = this.content.slice(-LOOK_BACK);
    return WORD.test(before.slice(before.lastIndexOf('|') + 1));
  }

  /** Decides how far the line moves left, at its first character. */
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

  private note(shown: readonly string[]): Note {
    const note = { about: shown.join(' '), line: this.line, column: this.content.length, term: '' };
    this.notes.push(note);
    return note;
  }

  private close(name: string): void {
    const index = this.frames.findLastIndex((frame) => frame.name === name);
    const note = this.frames[index]?.note;
    if (note?.line === this.line) note.term = this.content.slice(note.column).trim();
    if (index >= 0) this.frames.length = index;
  }

  private showNotes(): void {
    const texts = this.notes.map(({ term, about }) => (term === '' ? about : `${term}: ${about}`));
    this.notes = [];
    for (const text of texts) this.lines.push({ text: '', line: this.line }, { text, line: this.line });
  }

  private paragraph(...lines: readonly string[]): void {
    const margin = this.blanks.slice(this.shift);
    for (const text of ['', ...lines.map((line) => margin + line), ''])
      this.lines.push({ text, line: this.line });
    this.content = '';
  }

  /** Puts a block element on a line of its own, except in a table, where a line is a row. */
  private breakLine(name: string): void {
    if (this.isInRow) {
      this.content += name === 'br' ? '<br>' : ' ';
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
    if (text.trim() === '') this.showNotes();
    this.lines.push({ text, line: this.line });
    this.blanks = '';
    this.content = '';
    this.started = false;
    this.cut = false;
  }
}

/** Writes a page without its tags, comments and module code. @param parts  from `findMdx` */
export function renderMdx(text: string, parts: readonly MdxPart[]): readonly RenderedLine[] {
  const closed = new Set(parts.flatMap(({ tag }) => (tag?.form === 'close' ? [tag.name] : [])));
  const writer = new MdxWriter(closed);
  let from = 0;
  let skipped = -1;
  for (const [at, part] of parts.entries()) {
    if (at <= skipped) continue;
    writer.prose(text.slice(from, part.start));
    const heading = writer.isInRow ? null : headingAt(text, parts, at);
    if (heading) {
      skipped = heading.last;
      from = parts[skipped]?.end ?? part.end;
      writer.heading(heading.text, text.slice(part.start, from));
      continue;
    }
    const stretch = text.slice(part.start, part.end);
    const mark = part.tag ? tagMark(part.tag) : '';
    if (part.kind === 'code') writer.code(stretch);
    else if (part.kind === 'literal') writer.prose(literalValue(stretch) ?? '');
    else if (mark !== '') writer.prose(mark);
    else writer.drop(stretch, part.tag, isFollowedByText(text, parts, at));
    from = part.end;
  }
  writer.prose(text.slice(from));
  return writer.finish();
}
