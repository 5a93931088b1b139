import { type Cell, escapeHtml, tableHtml, tag } from '../html-text.js';

const MAX_COLUMNS = 200;

/** The role of a paragraph, read from the marks before it. */
interface ParagraphFacts {
  /** Of a heading; 0 for other paragraphs. */
  readonly level: number;
  /** '' for a paragraph that is no item of a list. */
  readonly bullet: string;
}

/** Writes the paragraphs of RTF: those in a font for code that follow each other are one block, rows one table. */
export class RtfBlocks {
  /** The paragraph that is read: its text, and the number of its characters in a font for code. */
  readonly paragraph = { html: '', text: '', code: 0 };
  isInTable = false;
  private readonly parts: string[] = [];
  private code: string[] = [];
  private list: 'ul' | 'ol' | null = null;
  private cells: string[] = [];
  private cell: string[] = [];
  private rows: Cell[][] = [];

  endParagraph({ level, bullet }: ParagraphFacts): void {
    const { html, text, code } = this.paragraph;
    Object.assign(this.paragraph, { html: '', text: '', code: 0 });
    if (this.isInTable) {
      if (text.trim() !== '') this.cell.push(html.trim());
      return;
    }
    this.endTable();
    if (text.trim() === '') return;
    if (bullet === '' && code >= text.trim().length) {
      this.endList();
      this.code.push(escapeHtml(text));
      return;
    }
    this.endCode();
    if (bullet !== '' && level === 0) this.item(html, bullet);
    else {
      this.endList();
      this.parts.push(tag(level === 0 ? 'p' : `h${Math.min(6, level)}`, html.trim()));
    }
  }

  endCell(): void {
    if (this.cells.length < MAX_COLUMNS) this.cells.push(this.cell.join('<br>'));
    this.cell = [];
  }

  endRow(): void {
    if (this.cells.length > 0) this.rows.push(this.cells.map((content) => ({ content })));
    this.cells = [];
  }

  finish(): string {
    this.endTable();
    this.endCode();
    this.endList();
    return this.parts.join('');
  }

  private item(html: string, bullet: string): void {
    const list = /^[\da-z]{1,4}[.)]$/i.test(bullet) ? 'ol' : 'ul';
    if (this.list !== list) {
      this.endList();
      this.parts.push(`<${list}>\n`);
      this.list = list;
    }
    this.parts.push(tag('li', html.trim()));
  }

  private endCode(): void {
    if (this.code.length > 0) this.parts.push(`<pre><code>${this.code.join('\n')}</code></pre>\n`);
    this.code = [];
  }

  private endList(): void {
    if (this.list) this.parts.push(`</${this.list}>\n`);
    this.list = null;
  }

  private endTable(): void {
    if (this.rows.length === 0) return;
    const { rows } = this;
    this.rows = [];
    this.endCode();
    this.endList();
    this.parts.push(tableHtml(rows));
  }
}
