import { type Cell, escapeHtml } from '../html-text.js';
import { BlockWriter, type ListTag } from './block-writer.js';
import { inlineWriter, linkHtml, otherTags, putWordsAside, wordsPutBack } from './inline-marks.js';
import { readWikiTable } from './wiki-table.js';

/** Stands for code in the text: characters for private use, which are removed from the text. */
const [CODE_START, CODE_END] = ['\uE000', '\uE001'];
const FILE = /^:?(?:file|image|media|datei|bild|fichier|archivo|immagine):/i;
const CATEGORY = /^(?:category|kategorie|catégorie|categoría):/i;

const inline = inlineWriter([
  {
    starts: '[',
    pattern:
      /\[\[([^[\]|\n]{1,500})(?:\|((?:[^[\]]|\[\[[^[\]\n]{1,300}\]\]|\[(?!\[)|\](?!\])){0,1000}))?\]\]/y,
    html: ([, target = '', text = ''], write) => {
      if (CATEGORY.test(target)) return '';
      const shown = splitArguments(text).at(-1) ?? '';
      if (FILE.test(target))
        return /^(?:thumb|right|left|center|frame|\d*x?\d+px|)$/i.test(shown) ? '' : write(shown);
      const name = target.trim().replace(/^:/, '');
      return linkHtml(name, write(shown === '' ? name : shown));
    },
  },
  {
    starts: '[',
    pattern: /\[((?:https?:)?\/\/[^\s\]]{1,2000}|mailto:[^\s\]]{1,500})(?:[ \t]+([^\]\n]{1,1000}))?\]/y,
    html: ([, href = '', text = ''], write) => linkHtml(href, write(text)),
  },
  {
    starts: "'",
    pattern: /'''''((?:(?!''''')[^]){1,1000}?)'''''/y,
    html: ([, text = ''], write) => `<b>${write(text)}</b>`,
  },
  {
    starts: "'",
    pattern: /'''((?:(?!''')[^]){1,1000}?)'''(?!')/y,
    html: ([, text = ''], write) => `<b>${write(text)}</b>`,
  },
  {
    starts: "'",
    pattern: /''((?:(?!'')[^]){1,1000}?)''(?!')/y,
    html: ([, text = ''], write) => `<i>${write(text)}</i>`,
  },
  { starts: '<', pattern: /<br\s{0,5}\/?>/iy, html: () => '<br>' },
  {
    starts: '<',
    pattern: /<(code|kbd|tt|samp|var)(?:\s[^<>\n]{0,200})?>([^]{1,1000}?)<\/\1>/iy,
    html: ([, , text = '']) => `<code>${escapeHtml(decoded(text).replace(/<\/?nowiki>|'''?/g, ''))}</code>`,
  },
  {
    starts: '<',
    pattern: /<(sub|sup|del|s|b|i)>([^]{1,500}?)<\/\1>/iy,
    html: ([, name = '', text = ''], write) =>
      `<${name.toLowerCase()}>${write(text)}</${name.toLowerCase()}>`,
  },
  otherTags,
  {
    starts: '&',
    pattern: /&(?:#\d{1,6}|#x[\da-fA-F]{1,5}|[a-zA-Z]{2,20});/y,
    html: ([entity = '']) => entity,
  },
  { starts: '_', pattern: /__[A-Z]{3,30}__/y, html: () => '' },
]);

/** Reads the text of a page of MediaWiki. */
export class MediawikiText {
  private readonly blocks = new BlockWriter((text) => this.inline(text));
  private readonly codes: { readonly text: string; readonly language: string; readonly isBlock: boolean }[] =
    [];
  private readonly lines: readonly string[];
  private at = 0;
  /** Templates without a text of their own. */
  dropped = 0;

  /** @param title  of the page; its headings are below */
  constructor(
    text: string,
    private readonly title = '',
  ) {
    const plain = this.withoutCode(text.replace(/[\uE000\uE001]/g, ''));
    this.lines = this.withoutTemplates(putWordsAside(plain)).split('\n');
  }

  read(): string {
    if (this.title !== '') this.blocks.heading(1, this.title);
    for (; this.at < this.lines.length; this.at++) this.line(this.lines[this.at] ?? '');
    return wordsPutBack(this.blocks.finish());
  }

  leftOut(): string[] {
    return droppedTemplates(this.dropped);
  }

  /** Puts aside code and text without marks, and removes comments. Footnotes become text in brackets. */
  private withoutCode(text: string): string {
    const kept: string[] = [];
    let from = 0;
    const starts = /<(!--|nowiki|pre|syntaxhighlight|source|math|ref)\b([^<>]{0,500})>|<!--/gi;
    for (let found = starts.exec(text); found; found = starts.exec(text)) {
      const { 0: written, index } = found;
      const name = (found[1] ?? '!--').toLowerCase();
      const options = found[2] ?? '';
      kept.push(text.slice(from, index));
      from = index + written.length;
      if (options.endsWith('/')) continue;
      const close = name === '!--' ? '-->' : `</${name}`;
      const end = this.findClose(text, close, name === '!--' ? index + 4 : from);
      if (end < 0) continue;
      const inner = text.slice(name === '!--' ? index : from, end);
      from = name === '!--' ? end + 3 : text.indexOf('>', end) + 1 || text.length;
      starts.lastIndex = from;
      if (name === 'ref') kept.push(` (${inner.trim()})`);
      else if (name !== '!--') kept.push(this.putAside(name, options, inner));
    }
    kept.push(text.slice(from));
    return kept.join('');
  }

  private readonly noClose = new Set<string>();

  /** The place of an end; it is not searched again if there is none. */
  private findClose(text: string, close: string, from: number): number {
    if (this.noClose.has(close)) return -1;
    const upper = close.startsWith('</') ? close.toUpperCase() : close;
    const end = text.indexOf(close, from);
    const found = end < 0 && upper !== close ? text.indexOf(upper, from) : end;
    if (found < 0) this.noClose.add(close);
    return found;
  }

  private putAside(name: string, options: string, text: string): string {
    const [, language = ''] = /\blang\s*=\s*["']?([\w+#.-]{1,30})/i.exec(options) ?? [];
    const isBlock = name === 'pre' || (text.includes('\n') && /^(?:syntaxhighlight|source)$/.test(name));
    const shown = name === 'math' ? `$${text.trim()}$` : text;
    this.codes.push({ text: /^(?:pre|nowiki)$/.test(name) ? decoded(shown) : shown, language, isBlock });
    const mark = `${CODE_START}${name === 'nowiki' || name === 'math' ? 'n' : 'c'}${this.codes.length - 1}${CODE_END}`;
    return isBlock ? `\n${mark}\n` : mark;
  }

  /** Replaces templates by the texts that they are given, from the inner to the outer ones. */
  private withoutTemplates(text: string): string {
    const stack: string[][] = [[]];
    let from = 0;
    for (const { 0: mark, index } of text.matchAll(/\{\{|\}\}/g)) {
      if (mark === '}}' && stack.length === 1) continue;
      stack.at(-1)?.push(text.slice(from, index));
      from = index + 2;
      if (mark === '{{') stack.push([]);
      else stack.at(-2)?.push(this.templateText((stack.pop() ?? []).join('')));
    }
    stack.at(-1)?.push(text.slice(from));
    // Templates that do not end stay as written.
    return stack.map((parts) => parts.join('')).join('{{');
  }

  private templateText(written: string): string {
    const [name = '', ...given] = splitArguments(written);
    const texts = given.flatMap((argument) => {
      const [, key = '', value = argument] = /^\s*([^=<>[\]{}]{1,80}?)\s*=([^]*)$/.exec(argument) ?? [];
      const text = value.trim();
      if (text === '') return [];
      return [key === '' || /^\d+$/.test(key) ? text : `${key}: ${text}`];
    });
    if (texts.length === 0) this.dropped++;
    // Arguments on lines of their own are those of a box.
    const isBox = written.includes('\n');
    return name.startsWith('#') || texts.length === 0 ? texts.join(' ') : texts.join(isBox ? '\n\n' : ' ');
  }

  private inline(text: string): string {
    return inline(text).replace(
      new RegExp(`${CODE_START}([nc])(\\d+)${CODE_END}`, 'g'),
      (_, kind: string, number: string) => {
        const shown = escapeHtml(this.codes[Number(number)]?.text.trim() ?? '');
        return kind === 'n' ? shown : `<code>${shown}</code>`;
      },
    );
  }

  private line(line: string): void {
    const [, marks = '', title = ''] = /^(={1,6})[ \t]*([^\n]*?\S)[ \t]*\1[ \t]*$/.exec(line) ?? [];
    const [, number] = new RegExp(`^${CODE_START}c(\\d+)${CODE_END}$`).exec(line) ?? [];
    const code = number === undefined ? undefined : this.codes[Number(number)];
    const [, bullets = '', item = ''] = /^([*#:;]{1,30})[ \t]*(.*)$/.exec(line) ?? [];
    if (code?.isBlock) this.blocks.code(code.text.split('\n'), code.language);
    else if (marks !== '') this.blocks.heading(marks.length, title);
    else if (/^[ \t:]*\{\|/.test(line)) this.table();
    else if (bullets !== '') this.item(bullets, item);
    else if (line.trim() === '' || /^-{4,}$/.test(line.trim())) this.blocks.end();
    else if (/^ \S/.test(line) && !this.blocks.isInList) this.indented();
    else {
      if (this.blocks.isInList) this.blocks.end();
      this.blocks.line(line.trim());
    }
  }

  private item(bullets: string, text: string): void {
    if (/^:+$/.test(bullets) && !this.blocks.isInList) {
      this.blocks.end();
      this.blocks.line(text);
      this.blocks.end();
      return;
    }
    const kinds = Array.from(bullets, (bullet): ListTag =>
      bullet === '#' ? 'ol' : bullet === '*' ? 'ul' : 'dl',
    );
    const at = bullets.endsWith(';') ? text.search(/ ?:(?!\/\/)/) : -1;
    if (!bullets.endsWith(';')) this.blocks.item(kinds, text);
    else if (at < 0) this.blocks.item(kinds, '', text);
    else this.blocks.item(kinds, text.slice(at).replace(/^ ?:[ \t]*/, ''), text.slice(0, at));
  }

  private indented(): void {
    const lines: string[] = [];
    for (; this.at < this.lines.length && /^ /.test(this.lines[this.at] ?? ''); this.at++)
      lines.push(plainText(this.inline((this.lines[this.at] ?? '').slice(1))));
    this.at--;
    this.blocks.code(lines);
  }

  private table(): void {
    this.blocks.end();
    const { caption, rows, end } = readWikiTable(this.lines, this.at);
    this.at = end;
    if (caption !== '') this.blocks.line(caption);
    this.blocks.end();
    for (const { cells, isHeader } of rows)
      this.blocks.row(
        cells.map(({ text, ...spans }): Cell => ({
          content: this.inline(text.trim().replace(/\n+[*#:]*[ \t]*/g, '<br>')),
          ...spans,
        })),
        isHeader,
      );
    this.blocks.end();
  }
}

/** The line of the report about templates. */
export const droppedTemplates = (count: number): string[] =>
  count > 0 ? [`${count} templates without text of their own are left out`] : [];

/** The parts between bars outside links. */
function splitArguments(text: string): string[] {
  const parts: string[] = [];
  let [from, depth] = [0, 0];
  for (const { 0: mark, index } of text.matchAll(/\[\[|\]\]|\|/g)) {
    if (mark === '[[') depth++;
    else if (mark === ']]') depth = Math.max(0, depth - 1);
    else if (depth === 0) {
      parts.push(text.slice(from, index));
      from = index + 1;
    }
  }
  return [...parts, text.slice(from)];
}

const decoded = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

const plainText = (html: string): string => decoded(html.replace(/<[^<>]{0,2100}>/g, ''));
