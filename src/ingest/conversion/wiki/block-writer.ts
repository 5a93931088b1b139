import { type Cell, escapeHtml, tableHtml } from '../html-text.js';

export type ListTag = 'ul' | 'ol' | 'dl';

interface ListItem {
  /** The lists around the item, outermost first. */
  readonly kinds: readonly ListTag[];
  /** HTML; '' for an item without a term. */
  readonly term: string;
  /** HTML of its finished blocks. */
  readonly done: string[];
  /** Lines as written. */
  lines: string[];
}

type Inline = (text: string) => string;

const MAX_LEVELS = 20;
const MAX_COLUMNS = 200;

/** Writes the blocks of a text: lines that follow each other are one paragraph, items one list, and rows one table. */
export class BlockWriter {
  private readonly parts: string[] = [];
  private words: string[] = [];
  private items: ListItem[] = [];
  private rows: Cell[][] = [];
  private isHeaderless = false;

  get isInList(): boolean {
    return this.items.length > 0;
  }

  get isInTable(): boolean {
    return this.rows.length > 0;
  }

  /** @param inline  makes HTML of a text as written */
  constructor(private readonly inline: Inline) {}

  /** @param text  a line of a paragraph, or of the item before it */
  line(text: string): void {
    const item = this.items.at(-1);
    if (item) {
      item.lines.push(text);
      return;
    }
    this.endTable();
    this.words.push(text);
  }

  /** Ends a paragraph, in the item before it if there is one. */
  gap(): void {
    const item = this.items.at(-1);
    if (item) this.finishLines(item, true);
    else this.end();
  }

  /** @param kinds  the lists around the item, outermost first; never empty */
  item(kinds: readonly ListTag[], text: string, term = ''): void {
    this.endParagraph();
    this.endTable();
    const lines = text === '' ? [] : [text];
    this.items.push({ kinds: kinds.slice(0, MAX_LEVELS), term: this.inline(term), done: [], lines });
  }

  /** @param isHeader  of the first row: true if it has the names of the columns */
  row(cells: readonly Cell[], isHeader: boolean): void {
    this.endParagraph();
    this.endList();
    if (this.rows.length === 0) this.isHeaderless = !isHeader;
    this.rows.push(cells.slice(0, MAX_COLUMNS));
  }

  /** The first row has the names of the columns. */
  markHeader(): void {
    if (this.rows.length === 1) this.isHeaderless = false;
  }

  heading(level: number, text: string, id = ''): void {
    this.end();
    const html = this.inline(text);
    const attribute = id === '' ? '' : ` id="${escapeHtml(id)}"`;
    if (html.trim() !== '') this.parts.push(`<h${level}${attribute}>${html.trim()}</h${level}>\n`);
  }

  code(lines: readonly string[], language = ''): void {
    const text = lines.join('\n').replace(/^\n+|\s+$/g, '');
    if (text === '') return;
    const name = /^[\w+#.-]{1,30}$/.test(language) ? ` class="language-${language}"` : '';
    this.block(`<pre><code${name}>${escapeHtml(text)}</code></pre>\n`);
  }

  /** A block of HTML: part of the item before it, if there is one. */
  block(html: string): void {
    const item = this.items.at(-1);
    if (item) {
      this.finishLines(item, false);
      item.done.push(html);
      return;
    }
    this.end();
    this.parts.push(html);
  }

  end(): void {
    this.endParagraph();
    this.endList();
    this.endTable();
  }

  finish(): string {
    this.end();
    return this.parts.join('');
  }

  private endParagraph(): void {
    const text = this.words.join('\n').trim();
    this.words = [];
    if (text !== '') this.parts.push(`<p>${this.inline(text)}</p>\n`);
  }

  private endList(): void {
    const { items } = this;
    this.items = [];
    for (const item of items) this.finishLines(item, item.done.length > 0);
    if (items.length > 0) this.parts.push(nestedLists(items));
  }

  private finishLines(item: ListItem, isParagraph: boolean): void {
    const text = item.lines.join('\n').trim();
    item.lines = [];
    if (text !== '') item.done.push(isParagraph ? `<p>${this.inline(text)}</p>` : this.inline(text));
  }

  private endTable(): void {
    const { rows } = this;
    this.rows = [];
    const [first] = rows;
    if (!first) return;
    const header = this.isHeaderless
      ? [first.map(({ columns }) => ({ content: '', ...(columns && { columns }) }))]
      : [];
    this.parts.push(tableHtml([...header, ...rows]));
  }
}

function nestedLists(items: readonly ListItem[]): string {
  const parts: string[] = [];
  const open: ListTag[] = [];
  const close = (): void => {
    const kind = open.pop() ?? 'ul';
    parts.push(`</${kind === 'dl' ? 'dd' : 'li'}></${kind}>\n`);
  };
  for (const { kinds, term, done } of items) {
    const known = kinds.findIndex((kind, i) => open[i] !== kind);
    const common = known < 0 ? kinds.length : known;
    while (open.length > common) close();
    if (common === kinds.length) parts.push(kinds.at(-1) === 'dl' ? '</dd>\n' : '</li>\n');
    for (const [i, kind] of kinds.entries()) {
      if (i < common - 1 || (i < common && common < kinds.length)) continue;
      if (i >= common) {
        parts.push(`<${kind}>`);
        open.push(kind);
      }
      const isLast = i === kinds.length - 1;
      if (kind === 'dl' && isLast && term !== '') parts.push(`<dt>${term}</dt>`);
      parts.push(kind === 'dl' ? '<dd>' : '<li>');
    }
    parts.push(done.join('\n'));
  }
  while (open.length > 0) close();
  return parts.join('');
}
