import { mdocInline } from './mdoc-inline.js';
import { listText } from './mdoc-texts.js';
import { PageHtml } from './page-html.js';
import { type RoffLine, splitArguments } from './roff-lines.js';
import { roffTable } from './roff-table.js';
import type { RoffText } from './roff-text.js';

type ListKind = 'dl' | 'ul' | 'ol' | 'table';

/** The kinds of lists; others have terms. */
const LISTS: Readonly<Record<string, ListKind>> = {
  '-bullet': 'ul',
  '-dash': 'ul',
  '-hyphen': 'ul',
  '-item': 'ul',
  '-enum': 'ol',
  '-column': 'table',
};
const MAX_LISTS = 60;

/** Reads a page with the macros of the package `mdoc`. */
export class MdocPage {
  title = '';
  private readonly page = new PageHtml();
  private name = '';
  private readonly lists: ListKind[] = [];
  private rows: string[][] = [];
  private tableLines: string[] | null = null;
  /** Authors of the reference that is open. */
  private authors: string[] = [];
  private isSynopsis = false;
  /** False if no blank comes before the next text. */
  private isSpaced = true;

  constructor(private readonly text: RoffText) {}

  read(lines: Iterable<RoffLine>): string {
    for (const line of lines) this.line(line);
    return this.page.end();
  }

  private line({ macro, text }: RoffLine): void {
    if (this.tableLines) {
      if (macro === 'TE') this.endTable();
      else this.tableLines.push(text);
      return;
    }
    if (macro === '') this.textLine(text);
    else {
      if (macro !== '%A') this.endAuthors();
      const act = this.requests[macro];
      if (act) act(splitArguments(text));
      else this.inline([macro, ...splitArguments(text)]);
    }
  }

  private textLine(text: string): void {
    if (text.trim() === '') this.page.gap();
    else this.add(this.text.html(this.page.isInCode ? text : text.trim(), this.page.isInCode));
  }

  private inline(words: readonly string[]): void {
    const { html, isOpen } = mdocInline(words, {
      text: this.text,
      name: this.name,
      isPlain: this.page.isInCode,
      isSynopsis: this.isSynopsis,
    });
    if (html !== '') this.add(html);
    if (isOpen) this.isSpaced = false;
  }

  private add(html: string): void {
    const row = this.rows.at(-1);
    if (this.lists.at(-1) === 'table' && row) {
      row.push(`${row.pop() ?? ''} ${html}`.trim());
      return;
    }
    const isClosing = /^[).,:;?!\]](?!\S)/.test(html);
    this.page.text(html, this.isSpaced && !isClosing ? undefined : '');
    this.isSpaced = true;
  }

  private html(words: readonly string[], isPlain = false): string {
    return mdocInline(words, { text: this.text, name: this.name, isPlain }).html;
  }

  private readonly requests: Readonly<Record<string, (given: readonly string[]) => void>> = {
    Dd: () => undefined,
    Os: () => undefined,
    Sm: () => undefined,
    Bk: () => undefined,
    Ek: () => undefined,
    Dt: ([name = '', section = '']) => {
      this.title ||= `${name.toLowerCase()}(${section})`;
      this.page.heading(1, this.text.html(this.title, true));
    },
    Sh: (given) => {
      this.isSynopsis = given[0] === 'SYNOPSIS';
      this.page.heading(2, this.html(given, true));
    },
    Ss: (given) => this.page.heading(3, this.html(given, true)),
    Pp: () => this.page.gap(),
    Lp: () => this.page.gap(),
    br: () => this.page.breakLine(),
    sp: () => this.page.gap(),
    Nm: (given) => {
      if (this.name === '' && given[0] !== undefined) this.name = given[0];
      this.inline(['Nm', ...given]);
    },
    Nd: (given) => this.add(`– ${this.html(given)}`),
    Bd: (given) => {
      if (given.some((option) => /^-(?:literal|unfilled)$/.test(option))) this.page.startCode();
      else this.page.gap();
    },
    Ed: () => {
      this.page.endCode();
      this.page.gap();
    },
    Dl: (given) => this.lineOfCode(given),
    D1: (given) => this.lineOfCode(given),
    Bl: ([kind = '']) => this.openList(LISTS[kind] ?? 'dl'),
    El: () => this.closeList(),
    It: (given) => this.item(given),
    TS: () => {
      this.tableLines = [];
    },
    Rs: () => this.page.gap(),
    Re: () => {
      this.endAuthors();
      this.page.gap();
    },
    '%A': (given) => void this.authors.push(this.html(given)),
    Ex: (given) => {
      const [names, isOne] = this.names('Nm', given);
      this.add(
        `The ${names} ${isOne ? 'utility exits' : 'utilities exit'} 0 on success, and &gt;0 if an error occurs.`,
      );
    },
    Rv: (given) => {
      const [names, isOne] = this.names('Fn', given);
      const success =
        given.length > 1
          ? `The ${names} ${isOne ? 'function returns' : 'functions return'} the value 0 if successful`
          : 'Upon successful completion, the value 0 is returned';
      this.add(
        `${success}; otherwise the value -1 is returned and the global variable <code>errno</code> is set to indicate the error.`,
      );
    },
  };

  /** The names of a standard sentence, by default that of the page. */
  private names(macro: string, [, ...given]: readonly string[]): [names: string, isOne: boolean] {
    const names = given.length > 0 ? given : [this.name];
    return [listText(names.map((name) => this.html([macro, name]))), names.length === 1];
  }

  private endAuthors(): void {
    if (this.authors.length > 0) this.add(`${listText(this.authors)},`);
    this.authors = [];
  }

  private lineOfCode(given: readonly string[]): void {
    this.page.startCode();
    this.page.text(this.html(given, true));
    this.page.endCode();
  }

  private openList(kind: ListKind): void {
    if (this.lists.length >= MAX_LISTS) return;
    this.lists.push(kind);
    this.page.indent();
    if (kind === 'table') this.rows = [];
  }

  private closeList(): void {
    const kind = this.lists.pop();
    if (kind === undefined) return;
    if (kind === 'table') {
      const rows = this.rows
        .filter((row) => row.length > 0)
        .map((row) => row.map((content) => ({ content })));
      this.rows = [];
      const [first] = rows;
      if (first) this.page.table([first.map(() => ({ content: '' })), ...rows]);
    }
    this.page.outdent();
  }

  private item(given: readonly string[]): void {
    const kind = this.lists.at(-1) ?? 'dl';
    if (kind === 'table') this.rows.push(this.columns(given));
    else this.page.item(kind, kind === 'dl' ? this.html(given) || '–' : '');
  }

  /** The cells of a row, between `Ta` or tabs. */
  private columns(given: readonly string[]): string[] {
    const cells: string[][] = [[]];
    for (const word of given.flatMap((one) => one.split(/(?<=\t)|(?=\t)/))) {
      if (word === 'Ta' || word === '\t') cells.push([]);
      else cells.at(-1)?.push(word);
    }
    return cells.map((words) => this.html(words));
  }

  private endTable(): void {
    const rows = roffTable(this.tableLines ?? [], (cell) => this.text.html(cell));
    this.tableLines = null;
    this.page.table(rows);
  }
}
