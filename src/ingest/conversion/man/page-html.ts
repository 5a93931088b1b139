import { type Cell, escapeHtml, tableHtml } from '../html-text.js';

/** Levels of lists and indented parts; deeper ones are not nested. */
const MAX_DEPTH = 60;

const MAX_TERM_CHARS = 200;
const isTerm = (html: string): boolean =>
  html !== '' && html.length <= MAX_TERM_CHARS && !html.includes('<br>') && !/[.:!?]$/.test(html);

type ListTag = 'dl' | 'ul' | 'ol';

/** Writes the blocks of a manual page. An indented part keeps the lists around it open. */
export class PageHtml {
  private readonly parts: string[] = [];
  /** Open elements; '' for an indented part. */
  private readonly open: string[] = [];
  private words: string[] = [];
  private code: string[] | null = null;

  get isInCode(): boolean {
    return this.code !== null;
  }

  heading(level: number, html: string): void {
    this.endAll();
    if (html.trim() !== '') this.parts.push(`<h${level}>${html}</h${level}>\n`);
  }

  /** Adds a line to the paragraph, or to code. @param html  of a line of code: with its blanks */
  text(html: string, gap = ' '): void {
    if (this.code) {
      if (gap === '' && this.code.length > 0) this.code.push(`${this.code.pop() ?? ''}${html}`);
      else this.code.push(html);
    } else this.words.push(this.words.length > 0 ? gap : '', html);
  }

  breakLine(): void {
    if (!this.code && this.words.length > 0) this.words.push('<br>');
  }

  /** Ends the paragraph. */
  gap(): void {
    if (this.code) this.code.push('');
    else this.flush();
  }

  /** Ends the paragraph, and the lists of this part. */
  paragraph(): void {
    this.flush();
    this.closeWhile((element) => element !== '');
  }

  startCode(): void {
    this.flush();
    this.code = [];
  }

  endCode(): void {
    const lines = this.code ?? [];
    this.code = null;
    const text = lines.join('\n').replace(/^\n+|\n+$/g, '');
    if (text !== '') this.parts.push(`<pre><code>${text}</code></pre>\n`);
  }

  /** Begins an item. @param term  HTML; '' in a list without terms @param start  the first number of a list with numbers */
  item(list: ListTag, term = '', start = 1): void {
    this.flush();
    const within = list === 'dl' ? 'dd' : 'li';
    // A further term of the same item.
    if (term !== '' && this.parts.at(-1) === '<dd>') {
      this.parts.pop();
      this.open.pop();
    } else this.closeWhile((element) => element !== '' && element !== list);
    if (this.open.at(-1) !== list) this.start(list, start > 1 ? ` start="${start}"` : '');
    if (term !== '') this.parts.push(`<dt>${term}</dt>`);
    this.start(within);
  }

  /** Begins an indented part. A short line before it is its term, as programs write lists of options. */
  indent(): void {
    const term = this.words.join('').trim();
    const isInItem = !['', undefined].includes(this.open.at(-1));
    if (this.code || isInItem || this.open.length >= MAX_DEPTH || !isTerm(term)) this.flush();
    else {
      this.words = [];
      this.item('dl', term);
    }
    if (this.open.length < MAX_DEPTH) this.open.push('');
  }

  outdent(): void {
    this.flush();
    if (!this.open.includes('')) return;
    this.closeWhile((element) => element !== '');
    this.open.pop();
  }

  table(rows: readonly (readonly Cell[])[]): void {
    this.flush();
    this.parts.push(tableHtml(rows));
  }

  end(): string {
    this.endAll();
    return this.parts.join('');
  }

  private start(element: string, attribute = ''): void {
    this.parts.push(`<${element}${attribute}>`);
    this.open.push(element);
  }

  private endAll(): void {
    this.flush();
    while (this.open.length > 0) this.closeWhile(() => true);
  }

  private closeWhile(isClosed: (element: string) => boolean): void {
    for (let last = this.open.at(-1); last !== undefined && isClosed(last); last = this.open.at(-1)) {
      if (last !== '') this.parts.push(`</${escapeHtml(last)}>\n`);
      this.open.pop();
    }
  }

  private flush(): void {
    if (this.code) this.endCode();
    const text = this.words
      .join('')
      .replace(/(?:\s*<br>)+\s*$/, '')
      .trim();
    this.words = [];
    if (text !== '') this.parts.push(`<p>${text}</p>\n`);
  }
}
