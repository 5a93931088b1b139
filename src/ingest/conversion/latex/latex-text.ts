import { type Cell, escapeHtml, tableHtml, tag } from '../html-text.js';
import {
  CODE,
  codeHtml,
  type LatexContext,
  LatexSource,
  readCell,
  splitItems,
  splitRows,
  uncoloured,
} from './latex-source.js';
import * as words from './latex-words.js';

/** Levels of groups and environments, whose deeper text is kept as written; levels of macros in macros. */
const [MAX_LEVELS, MAX_CALLS] = [100, 8];
/** Characters that the macros of a document add. */
const MAX_ADDED = 1_000_000;

/** Writes LaTeX as HTML. Unknown commands are left out, but for the text of their arguments. */
export class LatexText extends LatexSource {
  private readonly parts: string[] = [];
  private words: string[] = [];

  constructor(
    source: string,
    private readonly context: LatexContext,
    private readonly level = 0,
    private readonly calls = 0,
  ) {
    super(source);
  }

  /** The blocks of the source. */
  blocks(): string {
    this.read(this.source.length);
    this.flush();
    return this.parts.join('');
  }

  /** The source as one line. */
  inline(): string {
    this.read(this.source.length);
    return [...this.parts, this.words.join('')].join(' ').trim();
  }

  private read(end: number): void {
    const marks = /[\\{}$~%&]|\n[ \t]*\n|---?|``|''/g;
    while (this.at < end) {
      marks.lastIndex = this.at;
      const mark = marks.exec(this.source);
      const next = mark && mark.index < end ? mark.index : end;
      this.add(this.source.slice(this.at, next));
      this.at = next;
      if (!mark || next === end) return;
      this.mark(mark[0]);
    }
  }

  private add(text: string): void {
    if (text !== '') this.words.push(escapeHtml(text));
  }

  private mark(mark: string): void {
    const start = this.at;
    this.at += mark.length;
    if (mark === '\\') this.command();
    else if (mark === '$') this.add(this.math(start));
    else if (mark === '%') this.at = this.endOfLine();
    else if (mark.startsWith('\n')) this.flush();
    else if (mark === '}') this.add(this.source[this.at] === '{' ? ' ' : '');
    else this.add({ '~': ' ', '--': '–', '---': '—', '``': '“', "''": '”', '&': ' ' }[mark] ?? '');
  }

  private command(): void {
    const name = /[a-zA-Z@]+\*?|[^]/y;
    name.lastIndex = this.at;
    const [written = ''] = name.exec(this.source) ?? [];
    this.at += written.length;
    const word = written.replace(/(?<=[a-zA-Z])\*$/, '');
    if (/^[a-zA-Z]/.test(word)) this.skipBlanks();
    const accent = words.ACCENTS[word];
    const macro = this.context.macros.get(word);
    if (written === '\\') this.words.push('<br>');
    else if (written === '(' || written === '[') this.add(this.delimited(written));
    else if (accent !== undefined) this.add(this.accent(accent));
    else if (words.SHOWN[word] !== undefined) this.shown(words.SHOWN[word], /^[a-zA-Z]/.test(word));
    else if (macro !== undefined) this.expand(macro);
    else this.named(word);
  }

  /** A word that a command shows; `{}` after it is no text. */
  private shown(text: string, isWord: boolean): void {
    this.add(text);
    if (isWord && this.source.startsWith('{}', this.at)) this.at += 2;
    else if (isWord && /\s/.test(this.source[this.at - 1] ?? '')) this.add(' ');
  }

  private expand(macro: string): void {
    this.context.added += macro.length;
    if (this.calls >= MAX_CALLS || this.context.added > MAX_ADDED) return;
    if (this.source.startsWith('{}', this.at)) this.at += 2;
    const isSpaced = /\s/.test(this.source[this.at - 1] ?? '');
    this.words.push(
      new LatexText(macro, this.context, this.level + 1, this.calls + 1).inline(),
      isSpaced ? ' ' : '',
    );
  }

  private named(word: string): void {
    const level = words.HEADINGS[word];
    const element = words.ELEMENTS[word];
    if (level !== undefined) this.heading(level);
    else if (word === 'begin') this.begin(this.group());
    else if (word === 'end') this.group();
    else if (word === 'verb' || word === 'lstinline') this.words.push(codeHtml(this.verb()));
    else if (element !== undefined) this.element(element);
    else if (/^(?:newcommand|renewcommand|providecommand|DeclareRobustCommand|def|let)$/.test(word))
      this.define(word);
    else this.other(word);
  }

  private other(word: string): void {
    if (word === 'par' || word === 'bibitem') {
      this.flush();
      if (word === 'bibitem') this.add(`[${this.group()}] `);
    } else if (word === 'href') this.link(this.group());
    else if (word === 'url' || word === 'path') this.link(this.peekGroup());
    else if (words.REFERENCE.test(word)) this.reference();
    else if (/^(?:footnote|footnotetext|thanks|marginpar)$/.test(word))
      this.words.push(` (${this.argument()})`);
    else if (word === 'caption') {
      this.options();
      this.flush();
      this.words.push(this.argument());
      this.flush();
    } else if (/^(?:SI|qty|si|unit)$/.test(word)) {
      this.options();
      const number = /^(?:SI|qty)$/.test(word) ? `${this.argument()} ` : '';
      this.words.push(number + escapeHtml(words.unitText(this.group())));
    } else if (/^(?:input|include|subfile|import)$/.test(word))
      this.context.included.add(this.group() || 'a file');
    else this.skip(word);
  }

  private skip(word: string): void {
    const count = words.WITHOUT_TEXT[word] ?? words.LAST_ONLY[word];
    if (count === undefined) {
      // Options before an argument are no text.
      if (this.source[this.at] === '[' && word !== 'item') this.options();
      return;
    }
    this.options();
    for (let i = 0; i < count; i++) this.group();
  }

  private heading(depth: number): void {
    this.options();
    const title = this.argument();
    this.skipBlanks();
    const [written = '', id = ''] =
      /^\\label\{([^{}\n]{1,200})\}/.exec(this.source.slice(this.at, this.at + 220)) ?? [];
    this.at += written.length;
    this.flush();
    const level = Math.min(6, Math.max(1, this.context.sectionLevel + depth));
    const attribute = id === '' || /\s/.test(id) ? '' : ` id="${escapeHtml(id)}"`;
    if (title !== '') this.parts.push(`<h${level}${attribute}>${title}</h${level}>\n`);
  }

  private element(name: string): void {
    this.options();
    const text = this.argument();
    if (text === '') return;
    const plain = text.replace(/<\/?(?:b|i|code)>/g, '');
    this.words.push(name === 'code' ? `<code>${plain}</code>` : `<${name}>${text}</${name}>`);
  }

  private define(word: string): void {
    const macro = this.readMacro(word);
    if (macro) this.context.macros.set(macro.name, macro.body);
  }

  private link(href: string): void {
    const text = this.argument();
    this.words.push(`<a href="${escapeHtml(href.replace(/\\([%#&_])/g, '$1'))}">${text}</a>`);
  }

  private reference(): void {
    while (this.source[this.at] === '[') this.options();
    const key = this.group();
    this.add(`[${key}]`);
  }

  private begin(name: string): void {
    const list = words.LISTS[name.replace(/^(?:compact|tight|in)(?=item|enum|desc)/, '')];
    if (CODE.test(name) && !/^filecontents/.test(name)) this.code(name);
    else if (words.HIDDEN.test(name)) this.raw(name);
    else if (words.MATH.test(name)) this.displayed(name);
    else if (words.TABLES.test(name)) this.table(name);
    else if (list) this.list(list, name);
    else if (/^(?:quote|quotation|verse)$/.test(name)) this.wrapped('blockquote', name);
    else {
      // The text of other environments stands where they do.
      this.flush();
      const title = words.titleIn(name, this.options());
      if (title !== '') this.parts.push(tag('p', `<b>${this.part(title).inline()}</b>`));
      if (name === 'frame' && this.source[this.at] === '{') this.heading(words.HEADINGS['frametitle'] ?? 0);
      else if (words.WITH_ARGUMENT.test(name)) this.group();
      if (name === 'abstract') this.parts.push(tag('p', '<b>Abstract</b>'));
    }
  }

  private code(name: string): void {
    this.flush();
    const options = this.options();
    const language =
      name === 'minted' ? this.group() : (/language=\{?([\w+#-]{1,30})/i.exec(options)?.[1] ?? '');
    const raw = this.raw(name).replace(/^[ \t]*\n|\s+$/g, '');
    const text = name === 'Highlighting' ? uncoloured(raw) : raw;
    const attribute = language === '' ? '' : ` class="language-${escapeHtml(language.toLowerCase())}"`;
    if (text !== '') this.parts.push(`<pre><code${attribute}>${escapeHtml(text)}</code></pre>\n`);
  }

  private displayed(name: string): void {
    this.flush();
    const text = this.raw(name)
      .replace(/\\label\{[^{}\n]{0,200}\}/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (text !== '') this.parts.push(tag('p', escapeHtml(`$$${text}$$`)));
  }

  private wrapped(element: string, name: string): void {
    this.flush();
    this.parts.push(tag(element, this.part(this.raw(name)).blocks()));
  }

  private part(source: string): LatexText {
    const isDeep = this.level >= MAX_LEVELS;
    return new LatexText(isDeep ? '' : source, this.context, this.level + 1, this.calls);
  }

  private list(kind: 'ul' | 'ol' | 'dl', name: string): void {
    this.flush();
    this.options();
    const items = splitItems(this.raw(name)).map(({ term, text }) => {
      const html = this.part(text)
        .blocks()
        .replace(/^<p>([^]*?)<\/p>\n$/, (whole, only: string) => (only.includes('<p>') ? whole : only));
      const label = term === null ? '' : this.part(term).inline();
      if (kind === 'dl') return `<dt>${label}</dt><dd>${html}</dd>`;
      return `<li>${label === '' ? '' : `${label} `}${html}</li>`;
    });
    if (items.length > 0) this.parts.push(`<${kind}>${items.join('\n')}</${kind}>\n`);
  }

  private table(name: string): void {
    this.flush();
    this.options();
    if (/^tabular[*x y]/.test(name)) this.group();
    this.options();
    this.group();
    const { rows, isHeaded } = splitRows(this.raw(name));
    const cells = rows.map((row) =>
      row.map(readCell).map(({ text, columns }): Cell => ({ content: this.part(text).inline(), columns })),
    );
    const empty = (cells[0] ?? []).map(({ columns }): Cell => ({ content: '', columns: columns ?? 1 }));
    if (cells.length > 0) this.parts.push(tableHtml(isHeaded ? cells : [empty, ...cells]));
  }

  /** HTML of the group that begins here. */
  private argument(): string {
    return this.part(this.group()).inline();
  }

  private flush(): void {
    const text = this.words
      .join('')
      .replace(/(?:\s*<br>)+\s*$/, '')
      .trim();
    this.words = [];
    if (text !== '') this.parts.push(tag('p', text));
  }
}
