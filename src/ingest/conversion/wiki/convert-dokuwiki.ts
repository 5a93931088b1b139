import { decodeSource } from '../../reading/decode-source.js';
import type { ConvertedText } from '../converted-text.js';
import { type Cell, escapeHtml, htmlPage } from '../html-text.js';
import { BlockWriter, type ListTag } from './block-writer.js';
import { between, inlineWriter, linkHtml, otherTags, putWordsAside, wordsPutBack } from './inline-marks.js';

const inline = inlineWriter([
  { starts: '%', pattern: /%%([^\n]{0,2000}?)%%/y, html: ([, text = '']) => escapeHtml(text) },
  {
    starts: '<',
    pattern: /<nowiki>([^<]{0,5000})<\/nowiki>/iy,
    html: ([, text = '']) => escapeHtml(text),
  },
  {
    starts: '[',
    pattern: /\[\[([^[\]|\n]{1,2000})(?:\|([^\]\n]{0,2000}))?\]\]/y,
    html: ([, target = '', text = ''], write) => linkHtml(target.trim(), write(text.trim())),
  },
  // An image or a file of the wiki: its title.
  {
    starts: '{',
    pattern: /\{\{([^{}|\n]{1,1000})(?:\|([^{}\n]{0,1000}))?\}\}/y,
    html: ([, , title = '']) => escapeHtml(title.trim()),
  },
  {
    starts: '(',
    pattern: /\(\(((?:(?!\)\))[^\n]){1,3000})\)\)/y,
    html: ([, note = ''], write) => ` (${write(note.trim())})`,
  },
  { starts: '\\', pattern: /\\\\(?=\s|$)/y, html: () => '<br>' },
  // Addresses have slashes that are no marks.
  {
    starts: 'hf',
    pattern: /(?:https?|ftp):\/\/[^\s<>|\]]{1,2000}/y,
    html: ([address = '']) => escapeHtml(address),
  },
  between('**', 'b'),
  between('//', 'i'),
  between('__', 'u'),
  {
    starts: "'",
    pattern: /''((?:(?!'')[^\n]){1,1000})''/y,
    html: ([, text = '']) => `<code>${escapeHtml(text)}</code>`,
  },
  {
    starts: '<',
    pattern: /<(del|sub|sup)>([^<\n]{1,1000})<\/\1>/iy,
    html: ([, name = '', text = ''], write) =>
      `<${name.toLowerCase()}>${write(text)}</${name.toLowerCase()}>`,
  },
  // Tags of plug-ins, such as <note> and <WRAP round tip>.
  otherTags,
  { starts: '~', pattern: /~~[A-Z][\w: -]{0,100}~~/y, html: () => '' },
]);

const HEADING = /^[ \t]*(={2,6})[ \t]*(\S.*?)[ \t]*={2,6}[ \t]*$/;
const ITEM = /^((?: {2}|\t)+)([*-])[ \t]*(.*)$/;
const CODE_START = /<(code|file)(?:[ \t]+([\w+#.-]{1,30}))?[^>\n]{0,200}>(.*)$/i;
const INDENTED = /^(?: {2}|\t)(.*)$/;

/** Converts a page of DokuWiki. @throws MalformedDocumentError */
export function convertDokuwiki(bytes: Uint8Array): ConvertedText {
  const text = putWordsAside(decodeSource(bytes));
  return htmlPage('', wordsPutBack(new DokuwikiText(text.split('\n')).read()));
}

class DokuwikiText {
  private readonly blocks = new BlockWriter(inline);
  private kinds: ListTag[] = [];
  private at = 0;

  constructor(private readonly lines: readonly string[]) {}

  read(): string {
    for (; this.at < this.lines.length; this.at++) this.line(this.lines[this.at] ?? '');
    return this.blocks.finish();
  }

  private line(line: string): void {
    const [, marks = '', title = ''] = HEADING.exec(line) ?? [];
    const item = ITEM.exec(line);
    const code = CODE_START.exec(line);
    if (marks !== '') this.blocks.heading(7 - marks.length, title);
    else if (code) this.code(line.slice(0, code.index), code);
    else if (item) this.item(item);
    else if (/^[|^].*[|^][ \t]*$/.test(line)) this.row(line.trim());
    else if (line.trim() === '' || /^-{4,}[ \t]*$/.test(line)) this.blocks.end();
    else if (INDENTED.test(line) && !this.blocks.isInList) this.indented();
    else {
      if (this.blocks.isInList && !/^\s/.test(line)) this.blocks.end();
      this.blocks.line(line.trim().replace(/^>+[ \t]?/, ''));
    }
  }

  private code(before: string, [, name = '', language = '', first = '']: RegExpExecArray): void {
    const close = `</${name.toLowerCase()}>`;
    const item = ITEM.exec(before);
    if (item) this.item(item);
    else if (before.trim() !== '') this.blocks.line(before.trim());
    const lines: string[] = [];
    let line = first;
    for (;;) {
      const end = line.toLowerCase().indexOf(close);
      if (end >= 0) {
        lines.push(line.slice(0, end));
        this.blocks.code(lines, language);
        const rest = line.slice(end + close.length).trim();
        if (rest !== '') this.blocks.line(rest);
        return;
      }
      lines.push(line);
      this.at++;
      if (this.at >= this.lines.length) break;
      line = this.lines[this.at] ?? '';
    }
    this.blocks.code(lines, language);
  }

  private item([, margin = '', bullet, text = '']: RegExpExecArray): void {
    const depth = margin.includes('\t') ? margin.length : Math.floor(margin.length / 2);
    const kind = bullet === '-' ? 'ol' : 'ul';
    this.kinds = this.blocks.isInList ? this.kinds.slice(0, depth - 1) : [];
    this.kinds.push(kind);
    this.blocks.item(this.kinds, text);
  }

  private indented(): void {
    const lines: string[] = [];
    for (; this.at < this.lines.length; this.at++) {
      const [, text] = INDENTED.exec(this.lines[this.at] ?? '') ?? [];
      if (text === undefined) break;
      lines.push(text);
    }
    this.at--;
    this.blocks.code(lines);
  }

  private row(line: string): void {
    const cells: { content: string; columns: number; isHeader: boolean }[] = [];
    for (const [, mark, text = ''] of line.matchAll(
      /([|^])((?:\[\[[^\]\n]{0,2000}\]\]|%%[^%\n]{0,500}%%|[^|^])*)(?=[|^])/g,
    )) {
      const last = cells.at(-1);
      if (text === '' && last) last.columns++;
      else
        cells.push({
          content: text.trim() === ':::' ? '' : inline(text.trim()),
          columns: 1,
          isHeader: mark === '^',
        });
    }
    const isHeader = cells.length > 0 && cells.every((cell) => cell.isHeader);
    this.blocks.row(
      cells.map(({ content, columns }): Cell => ({ content, columns })),
      isHeader,
    );
  }
}
