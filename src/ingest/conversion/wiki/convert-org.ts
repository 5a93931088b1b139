import { github } from '../../reading/anchors/slugs.js';
import { decodeSource } from '../../reading/decode-source.js';
import type { ConvertedText } from '../converted-text.js';
import { type Cell, escapeHtml, htmlPage, tag } from '../html-text.js';
import { BlockWriter, type ListTag } from './block-writer.js';
import { type InlineRule, inlineWriter, linkHtml } from './inline-marks.js';

const mark = (char: string, name: string, isCode = false): InlineRule => ({
  starts: char,
  // Org's marks stand between blanks or punctuation.
  pattern: new RegExp(
    `(?<![\\w${'\\'}${char}])\\${char}(?!\\s)([^\\n]{0,1000}?[^\\s\\n])\\${char}(?=$|[\\s\\-.,:!?;'")}\\[\\]])`,
    'ym',
  ),
  html: ([, text = ''], inline) => `<${name}>${isCode ? escapeHtml(text) : inline(text)}</${name}>`,
});

/** A link to a heading, such as `*Set up` and `file:other.org::*Set up`; null for other targets. */
function headingLink(target: string, text: string): string | null {
  const [, file = '', title] = /^(?:file:)?(?:([^*]*)::)?\*(.+)$/.exec(target) ?? [];
  return title === undefined
    ? null
    : linkHtml(`${file}#${github(title.trim(), '')}`, escapeHtml(text || title));
}

const inline = inlineWriter([
  {
    starts: '[',
    pattern: /\[\[([^[\]\n]{1,2000})\](?:\[([^\]\n]{1,2000})\])?\]/y,
    html: ([, target = '', text = '']) =>
      headingLink(target, text) ?? linkHtml(target.replace(/^file:/, ''), escapeHtml(text)),
  },
  // A footnote with its text, and the mark of one.
  {
    starts: '[',
    pattern: /\[fn:[\w-]{0,100}:([^\][\n]{1,2000})\]/y,
    html: ([, text = ''], write) => ` (${write(text)})`,
  },
  { starts: '<', pattern: /<<<?([^<>\n]{1,200})>>>?/y, html: ([, name = '']) => escapeHtml(name) },
  { starts: '@', pattern: /@@html:([^\n]{0,500}?)@@/y, html: () => '' },
  mark('=', 'code', true),
  mark('~', 'code', true),
  mark('*', 'b'),
  mark('/', 'i'),
  mark('+', 'del'),
  mark('_', 'u'),
]);

const HEADING = /^(\*{1,50})[ \t]+(.*)$/;
const TODO = /^(?:(TODO|DONE|NEXT|WAITING|STARTED|CANCELLED|CANCELED|HOLD)[ \t]+)?(?:\[#(\w)\][ \t]+)?/;
const TAGS = /[ \t]+:((?:[\w@#%]{1,100}:){1,30})[ \t]*$/;
const ITEM = /^([ \t]*)(?:([-+]|\*(?<=[ \t]\*))|\d{1,9}[.)])[ \t]+(.*)$/;
const KEYWORD = /^[ \t]*#\+(\w[\w-]{0,40})(?:\[[^\]\n]{0,200}\])?:[ \t]*(.*)$/;
const BEGIN = /^[ \t]*#\+begin_(\w{1,40})[ \t]*(.*)$/i;
const CODE_BLOCKS = /^(?:src|example|verse)$/i;
const HIDDEN_BLOCKS = /^(?:comment|export)$/i;
/** Keywords that are shown. */
const SHOWN = /^(?:caption|subtitle|description)$/i;

/** Converts a file of Org mode. Comments, drawers and blocks for exports are left out. @throws MalformedDocumentError */
export function convertOrg(bytes: Uint8Array): ConvertedText {
  const text = new OrgText(decodeSource(bytes).split('\n'));
  const html = text.read();
  return htmlPage(text.title, html);
}

class OrgText {
  title = '';
  private readonly blocks = new BlockWriter(inline);
  private readonly levels: { readonly indent: number; readonly kind: ListTag }[] = [];
  private at = 0;

  constructor(private readonly lines: readonly string[]) {}

  read(): string {
    for (; this.at < this.lines.length; this.at++) this.line(this.lines[this.at] ?? '');
    const body = this.blocks.finish();
    return this.title === '' ? body : tag('h1', escapeHtml(this.title)) + body;
  }

  private line(line: string): void {
    const heading = HEADING.exec(line);
    if (heading) this.heading(heading[1]?.length ?? 1, heading[2] ?? '');
    else if (BEGIN.test(line)) this.block(line);
    else if (/^[ \t]*:[\w-]{1,60}:[ \t]*$/.test(line) && this.skipDrawer()) return;
    else if (/^[ \t]*\|/.test(line)) this.tableRow(line.trim());
    else if (/^[ \t]*: /.test(line) || /^[ \t]*:$/.test(line)) this.fixedWidth();
    else if (/^[ \t]*# /.test(line) || /^[ \t]*#$/.test(line)) return;
    else if (KEYWORD.test(line)) this.keyword(line);
    else this.textLine(line);
  }

  /** Headings are a level below the title. */
  private heading(stars: number, written: string): void {
    const tags = TAGS.exec(written);
    const title = (tags ? written.slice(0, tags.index) : written).replace(TODO, '').trim();
    if (/^COMMENT\b/.test(title)) {
      this.skipSection(stars);
      return;
    }
    this.levels.length = 0;
    const state = TODO.exec(written)?.[1];
    this.blocks.heading(Math.min(6, stars + 1), title, this.customId());
    const facts = [...(state === undefined ? [] : [state]), ...(tags?.[1]?.split(':').filter(Boolean) ?? [])];
    if (facts.length > 0) {
      this.blocks.line(facts.join(', '));
      this.blocks.end();
    }
  }

  /** The id in the drawer below a heading. */
  private customId(): string {
    for (const line of this.lines.slice(this.at + 1, this.at + 12)) {
      const [, id] = /^[ \t]*:CUSTOM_ID:[ \t]*(\S{1,200})[ \t]*$/i.exec(line) ?? [];
      if (id !== undefined) return id;
      if (line.startsWith('*') || /^[ \t]*:END:/i.test(line)) return '';
    }
    return '';
  }

  private skipSection(stars: number): void {
    while (this.at + 1 < this.lines.length) {
      const [, next = ''] = HEADING.exec(this.lines[this.at + 1] ?? '') ?? [];
      if (next !== '' && next.length <= stars) return;
      this.at++;
    }
  }

  /** @returns false if it does not end before the next heading or drawer: then it is text */
  private skipDrawer(): boolean {
    const end = this.findEnd(/^[ \t]*:END:[ \t]*$|^\*+[ \t]|^[ \t]*:(?:PROPERTIES|LOGBOOK):[ \t]*$/i, 500);
    if (!/^[ \t]*:END:/i.test(this.lines[end] ?? '')) return false;
    this.at = end;
    return true;
  }

  private findEnd(pattern: RegExp, within = Infinity): number {
    for (let i = this.at + 1; i < this.lines.length && i <= this.at + within; i++)
      if (pattern.test(this.lines[i] ?? '')) return i;
    return -1;
  }

  private block(line: string): void {
    const [, name = '', options = ''] = BEGIN.exec(line) ?? [];
    const found = this.endOfBlock(name.toLowerCase());
    const isCode = CODE_BLOCKS.test(name);
    if (HIDDEN_BLOCKS.test(name)) this.at = found < 0 ? this.lines.length : found;
    if (!isCode) return;
    const end = found < 0 ? this.lines.length : found;
    const lines = this.lines
      .slice(this.at + 1, end)
      .map((one) => one.replace(/^([ \t]*),(?=\*|#\+|,)/, '$1'));
    this.blocks.code(
      withoutMargin(lines),
      name.toLowerCase() === 'src' ? (options.split(/\s/)[0] ?? '') : '',
    );
    this.at = end;
  }

  /** Names of blocks that do not end: their end is not searched again. */
  private readonly endless = new Set<string>();

  private endOfBlock(name: string): number {
    if (this.endless.has(name)) return -1;
    const end = this.findEnd(new RegExp(`^[ \\t]*#\\+end_${name}[ \\t]*$`, 'i'));
    if (end < 0) this.endless.add(name);
    return end;
  }

  private fixedWidth(): void {
    const lines: string[] = [];
    for (; this.at < this.lines.length; this.at++) {
      const [, text] = /^[ \t]*:(?: (.*))?$/.exec(this.lines[this.at] ?? '') ?? [null, null];
      if (text === null) break;
      lines.push(text ?? '');
    }
    this.at--;
    this.blocks.code(lines);
  }

  private tableRow(line: string): void {
    if (/^\|-[-+|]*$/.test(line)) {
      this.blocks.markHeader();
      return;
    }
    const cells = line.replace(/^\|/, '').replace(/\|$/, '').split('|');
    if (cells.every((cell) => /^\s*<[lcr]?\d*>\s*$/.test(cell))) return;
    this.blocks.row(
      cells.map((cell): Cell => ({ content: inline(cell.trim()) })),
      false,
    );
  }

  private keyword(line: string): void {
    const [, name = '', value = ''] = KEYWORD.exec(line) ?? [];
    if (name.toLowerCase() === 'title') this.title = [this.title, value].filter(Boolean).join(' ');
    else if (SHOWN.test(name)) {
      this.blocks.end();
      this.blocks.line(value);
      this.blocks.end();
    }
  }

  private textLine(line: string): void {
    if (line.trim() === '') {
      this.blankLine();
      return;
    }
    const item = ITEM.exec(line);
    if (item) {
      this.item(item);
      return;
    }
    const indent = line.search(/\S/);
    // A line that is not indented deeper than the item ends the list.
    if (this.levels.length > 0 && indent <= (this.levels[0]?.indent ?? 0)) this.endList();
    if (/^[ \t]*-{5,}[ \t]*$/.test(line) || /^[ \t]*#\+(?:end|begin)_\w+/i.test(line)) this.blocks.end();
    else
      this.blocks.line(
        line
          .trim()
          .replace(/^\[fn:([\w-]{1,100})\]/, '[$1]')
          .replace(/\\\\$/, ''),
      );
  }

  private item([, margin = '', bullet, written = '']: RegExpExecArray): void {
    const text = written.replace(/^\[@\w+\][ \t]*/, '');
    const [, term, rest] = /^(.{1,300}?)[ \t]+::(?:[ \t]+(.*))?$/.exec(text) ?? [];
    const isTerm = bullet !== undefined && term !== undefined;
    const kind = isTerm ? 'dl' : bullet === undefined ? 'ol' : 'ul';
    const indent = margin.length;
    while ((this.levels.at(-1)?.indent ?? -1) > indent) this.levels.pop();
    if (this.levels.at(-1)?.indent === indent) this.levels.pop();
    this.levels.push({ indent, kind });
    const kinds = this.levels.map((level) => level.kind);
    if (isTerm) this.blocks.item(kinds, rest ?? '', term);
    else this.blocks.item(kinds, text);
  }

  /** One blank line may separate the items of a list and its paragraphs. */
  private blankLine(): void {
    const next = this.lines[this.at + 1] ?? '';
    const isWithin = next.trim() !== '' && (ITEM.test(next) || /^[ \t]/.test(next));
    if (this.levels.length > 0 && isWithin) {
      if (!ITEM.test(next)) this.blocks.gap();
      return;
    }
    this.endList();
  }

  private endList(): void {
    this.levels.length = 0;
    this.blocks.end();
  }
}

function withoutMargin(lines: readonly string[]): string[] {
  const margin = lines.reduce(
    (least, line) => (line.trim() === '' ? least : Math.min(least, line.search(/\S/))),
    100,
  );
  return lines.map((line) => line.slice(margin));
}
