import { decodeSource } from '../../reading/decode-source.js';
import type { ConvertedText } from '../converted-text.js';
import { type Cell, escapeHtml, htmlPage } from '../html-text.js';
import { BlockWriter, type ListTag } from './block-writer.js';
import {
  type InlineRule,
  inlineWriter,
  linkHtml,
  otherTags,
  putWordsAside,
  wordsPutBack,
} from './inline-marks.js';

const mark = (char: string, name: string): InlineRule => ({
  starts: char.charAt(0),
  pattern: new RegExp(
    `(?<![\\w${char.charAt(0) === '-' ? '-' : ''}])${char.replace(/[*?^+]/g, '\\$&')}(?:\\([^)\\n]{1,100}\\))?(?=\\S)((?:(?!\\n\\n)[^]){0,1000}?\\S)${char.replace(/[*?^+]/g, '\\$&')}(?!\\w)`,
    'y',
  ),
  html: ([, text = ''], write) => `<${name}>${write(text)}</${name}>`,
});

const inline = inlineWriter([
  { starts: '=', pattern: /==([^\n]{1,2000}?)==/y, html: ([, text = '']) => escapeHtml(text) },
  {
    starts: '@',
    pattern: /@(?:\|[\w-]{1,30}\|)?([^\n@]{1,1000})@/y,
    html: ([, text = '']) => `<code>${escapeHtml(text)}</code>`,
  },
  {
    starts: '"',
    pattern:
      /"(?:\([^)\n]{1,100}\))?([^"\n]{1,1000}?)(?:\([^()\n]{1,200}\))?":((?:https?:|mailto:|ftp:|\/|#|\.)?[^\s"<>[\]]{0,2000}[^\s"<>[\].,:;!?)])/y,
    html: ([, text = '', target = ''], write) => linkHtml(target, write(text)),
  },
  {
    starts: '!',
    pattern:
      /!(?:[<>=])?(?:\([^)\n]{1,100}\))?([^\s!()]{1,1000})(?:\(([^()\n]{1,500})\))?!(?::[^\s<>"]{1,1000})?/y,
    html: ([, , alt = '']) => escapeHtml(alt),
  },
  { starts: '[', pattern: /\[(\d{1,4})\]/y, html: ([written = '']) => escapeHtml(written) },
  mark('**', 'b'),
  mark('*', 'b'),
  mark('__', 'i'),
  mark('_', 'i'),
  mark('??', 'cite'),
  mark('-', 'del'),
  mark('+', 'ins'),
  mark('^', 'sup'),
  mark('~', 'sub'),
  {
    starts: '%',
    pattern: /%(?:\{[^}\n]{0,200}\}|\([^)\n]{0,200}\))?([^%\n]{1,1000})%/y,
    html: ([, text = ''], write) => write(text),
  },
  {
    starts: '<',
    pattern: /<(code|kbd|sub|sup|tt)>([^<\n]{1,1000})<\/\1>/iy,
    html: ([, name = '', text = '']) => `<${name.toLowerCase()}>${escapeHtml(text)}</${name.toLowerCase()}>`,
  },
  otherTags,
  {
    starts: '&',
    pattern: /&(?:#\d{1,6}|#x[\da-fA-F]{1,5}|[a-zA-Z]{2,20});/y,
    html: ([entity = '']) => entity,
  },
]);

/** Class, id, style, language and alignment of a block. */
const OPTIONS = /(?:\([^)\n]{0,200}\)|\{[^}\n]{0,300}\}|\[[^\]\n]{0,50}\]|[<>=()]){0,10}/.source;
const BLOCK = new RegExp(
  `^(h[1-6]|p|bq|bc|pre|fn\\d{1,4}|notextile|table)(${OPTIONS})(\\.\\.?)(?::\\S{0,500})?[ \\t]+(.*)$`,
);
const ITEM = /^([*#]{1,20})(?:\([^)\n]{0,100}\))?[ \t]+(.*)$/;
const TERM = /^-[ \t]+(.{1,300}?)[ \t]*:=[ \t]*(.*)$/;

/** Converts a page of Textile. @throws MalformedDocumentError */
export function convertTextile(bytes: Uint8Array): ConvertedText {
  const text = putWordsAside(decodeSource(bytes));
  return htmlPage('', wordsPutBack(new TextileText(text.split('\n')).read()));
}

class TextileText {
  private readonly blocks = new BlockWriter(inline);
  private at = 0;

  constructor(private readonly lines: readonly string[]) {}

  read(): string {
    for (; this.at < this.lines.length; this.at++) this.line(this.lines[this.at] ?? '');
    return this.blocks.finish();
  }

  private line(line: string): void {
    const [, name = '', options = '', dots = '', text = ''] = BLOCK.exec(line) ?? [];
    const [, bullets = '', item = ''] = ITEM.exec(line) ?? [];
    const [, term, described = ''] = TERM.exec(line) ?? [];
    if (name !== '') this.block({ name, options, dots }, text);
    else if (bullets !== '')
      this.blocks.item(
        Array.from(bullets, (bullet): ListTag => (bullet === '#' ? 'ol' : 'ul')),
        item,
      );
    else if (term !== undefined) this.blocks.item(['dl'], described.replace(/=:$/, ''), term);
    else if (/^\|.*\|[ \t]*$/.test(line)) this.row(line.trim());
    else if (/^<pre\b/i.test(line)) this.pre(line);
    else if (line.trim() === '') this.blocks.end();
    else if (/^###\.{1,2} /.test(line)) return;
    else this.blocks.line(line.trim());
  }

  private block(
    { name, options, dots }: { readonly name: string; readonly options: string; readonly dots: string },
    text: string,
  ): void {
    this.blocks.end();
    const [, id = ''] = /\([^)#]*#([^)\s]{1,200})\)/.exec(options) ?? [];
    if (name.startsWith('h'))
      this.blocks.heading(Number(name.charAt(1)), this.untilBlank(text).join(' '), id);
    else if (name === 'bc' || name === 'pre')
      this.blocks.code(dots === '..' ? this.untilBlock(text) : this.untilBlank(text));
    else if (name === 'table') return;
    else this.blocks.line(name.startsWith('fn') ? `[${name.slice(2)}] ${text}` : text);
  }

  /** The lines of a block, which ends with a blank line. */
  private untilBlank(first: string): string[] {
    const lines = [first];
    while (this.at + 1 < this.lines.length && (this.lines[this.at + 1] ?? '').trim() !== '')
      lines.push(this.lines[++this.at] ?? '');
    return lines;
  }

  /** The lines of a block that goes on until the next one that is named. */
  private untilBlock(first: string): string[] {
    const lines = [first];
    while (this.at + 1 < this.lines.length && !BLOCK.test(this.lines[this.at + 1] ?? ''))
      lines.push(this.lines[++this.at] ?? '');
    return lines;
  }

  private pre(line: string): void {
    const lines = [line.replace(/^<pre[^>]{0,200}>(?:<code[^>]{0,200}>)?/i, '')];
    while (!/<\/pre>/i.test(lines.at(-1) ?? '') && this.at + 1 < this.lines.length)
      lines.push(this.lines[++this.at] ?? '');
    const last = lines.pop() ?? '';
    this.blocks.code([...lines, last.replace(/(?:<\/code>)?<\/pre>.*$/i, '')].map(decodeMarks));
  }

  private row(line: string): void {
    const written = line.replace(/^\|/, '').replace(/\|$/, '').split('|');
    const cells = written.map((cell) => {
      const [found = '', isHeader, options = ''] =
        new RegExp(`^(_)?((?:\\\\\\d{1,3}|/\\d{1,3}|${OPTIONS}){0,5})\\.[ \\t]`).exec(cell) ?? [];
      const columns = Number(/\\(\d{1,3})/.exec(options)?.[1] ?? 1);
      return { content: inline(cell.slice(found.length).trim()), columns, isHeader: isHeader !== undefined };
    });
    this.blocks.row(
      cells.map(({ content, columns }): Cell => ({ content, columns })),
      cells.every((cell) => cell.isHeader),
    );
  }
}

const decodeMarks = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
