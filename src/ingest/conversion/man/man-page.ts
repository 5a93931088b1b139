import { PageHtml } from './page-html.js';
import { type RoffLine, splitArguments } from './roff-lines.js';
import { roffTable } from './roff-table.js';
import type { RoffText } from './roff-text.js';

/** Requests that change how a page looks. */
const LAYOUT =
  /^(?:PD|DT|AT|UC|in|ti|ad|na|hy|nh|ne|ns|rs|ps|vs|ll|pl|po|lt|ta|tr|ce|ul|cu|ft|fp|it|ev|pc|lg|ss|cs|bd|ch|wh|ie|el|if|nx|ec|eo|cc|c2|tm|ab|ex|rj|fam|color|mso|so|hla|hcode|hpf|hw|cflags|defcolor|do|warn|kern|nop|box|bp|mk|rt|sv|os|fl|pm|IX|EQ|EN|de|de1|am|am1|ds|as|nr|rm|rn|rr|als|ig|LINE)$/;
const FONTS: Readonly<Record<string, string>> = {
  B: 'B',
  I: 'I',
  R: 'R',
  SM: 'R',
  SB: 'B',
  C: 'CW',
  L: 'CW',
  CW: 'CW',
};
const MIXED = /^[BIR][BIR]$/;
const KNOWN =
  /^(?:TH|S[HSMBY]|YS|OP|[PL]?P|HP|T[PQSE]|IP|R[SE]|[BIRC]|[BIR]{2}|E[XE]|n[fh]|fi|br|sp|UR|UE|MT|ME|PD|EQ|EN|MR)$/;

/** True for a macro of the package `man`, which pages do not replace. */
export const isManMacro = (macro: string): boolean => KNOWN.test(macro);

/** Waits for the next line with text. */
type Pending =
  | { readonly kind: 'heading'; readonly level: number }
  | { readonly kind: 'term' }
  | { readonly kind: 'font'; readonly font: string };

/** Reads a page with the macros of the package `man`. */
export class ManPage {
  title = '';
  private readonly page = new PageHtml();
  private pending: Pending | null = null;
  private address: { readonly href: string; readonly words: string[] } | null = null;
  /** The lines of a table. */
  private table: string[] | null = null;
  private isJoined = false;

  constructor(private readonly text: RoffText) {}

  read(lines: Iterable<RoffLine>): string {
    for (const line of lines) this.line(line);
    return this.page.end();
  }

  private line({ macro, text }: RoffLine): void {
    if (this.table) {
      if (macro === 'TE') this.endTable();
      else this.table.push(macro === '' ? text : `.${macro} ${text}`);
    } else if (macro === '') this.textLine(text);
    else this.request(macro, text);
  }

  private textLine(text: string): void {
    if (text.trim() === '') {
      if (!this.pending) this.page.gap();
      return;
    }
    // A line that begins with blanks is a line of its own.
    if (/^[ \t]/.test(text)) this.page.breakLine();
    const isJoined = /(?<!\\)\\c\s*$/.test(text);
    this.show((plain) => this.text.html(plain ? text : text.trim(), plain));
    this.isJoined = isJoined;
  }

  /** Shows a piece of text where it is expected: as a heading, as a term, or in the paragraph. */
  private show(html: (isPlain: boolean) => string): void {
    const { pending } = this;
    this.pending = null;
    if (pending?.kind === 'heading') this.page.heading(pending.level, html(true));
    else if (pending?.kind === 'term') this.page.item('dl', html(false));
    else if (pending?.kind === 'font') {
      this.text.setFont(pending.font);
      this.add(html(this.page.isInCode));
      this.text.font = 'R';
    } else this.add(html(this.page.isInCode));
  }

  private add(html: string): void {
    if (this.address && !this.page.isInCode) this.address.words.push(html);
    else this.page.text(html, this.isJoined ? '' : undefined);
    this.isJoined = false;
  }

  private request(macro: string, rest: string): void {
    const font = FONTS[macro];
    if (font !== undefined || MIXED.test(macro)) {
      const given = splitArguments(rest);
      if (given.length === 0) this.pending = { kind: 'font', font: font ?? 'B' };
      else
        this.show((plain) =>
          font === undefined ? this.mixed(macro, given, plain) : this.inFont(font, given.join(' '), plain),
        );
      return;
    }
    const act = this.requests[macro];
    if (act) act(splitArguments(rest), rest);
    else if (!LAYOUT.test(macro) && rest.trim() !== '')
      this.show((plain) => this.text.html(splitArguments(rest).join(' '), plain));
  }

  private inFont(font: string, text: string, isPlain: boolean): string {
    return isPlain ? this.text.html(text, true) : this.text.inFont(font, text);
  }

  /** Texts in two fonts by turns, without blanks between them. */
  private mixed(macro: string, given: readonly string[], isPlain: boolean): string {
    return given.map((text, i) => this.inFont(macro[i % 2] ?? 'R', text, isPlain)).join('');
  }

  private readonly requests: Readonly<Record<string, (given: readonly string[], rest: string) => void>> = {
    TH: ([name = '', section = '']) => {
      this.title ||= `${name}${section === '' ? '' : `(${section})`}`;
      this.page.heading(1, this.text.html(this.title, true));
    },
    SH: (given) => this.heading(2, given),
    SS: (given) => this.heading(3, given),
    ...Object.fromEntries(['P', 'PP', 'LP', 'HP'].map((name) => [name, () => this.paragraph()])),
    TP: () => this.awaitTerm(),
    TQ: () => this.awaitTerm(),
    IP: ([tag = '']) => this.indented(tag),
    RS: () => this.page.indent(),
    RE: () => this.page.outdent(),
    ...Object.fromEntries(['nf', 'EX', 'Vb'].map((name) => [name, () => this.page.startCode()])),
    ...Object.fromEntries(['fi', 'EE', 'Ve'].map((name) => [name, () => this.page.endCode()])),
    br: () => this.page.breakLine(),
    sp: () => this.page.gap(),
    Sp: () => this.page.gap(),
    UR: ([href = '']) => this.openAddress(href),
    MT: ([mail = '']) => this.openAddress(`mailto:${mail}`),
    UE: ([after = '']) => this.endAddress(after),
    ME: ([after = '']) => this.endAddress(after),
    MR: ([name = '', section = '', after = '']) =>
      this.show((plain) => `${this.inFont('B', name, plain)}(${section})${this.text.html(after, plain)}`),
    SY: ([name = '']) => {
      this.page.breakLine();
      this.show((plain) => this.inFont('B', name, plain));
    },
    OP: ([name = '', value]) =>
      this.show(
        (plain) =>
          `[${this.inFont('B', name, plain)}${value === undefined ? '' : ` ${this.text.html(value, plain)}`}]`,
      ),
    YS: () => this.page.gap(),
    TS: () => {
      this.table = [];
    },
  };

  private heading(level: number, given: readonly string[]): void {
    this.text.font = 'R';
    if (given.length === 0) this.pending = { kind: 'heading', level };
    else this.page.heading(level, this.text.html(given.join(' '), true));
  }

  private paragraph(): void {
    this.text.font = 'R';
    this.page.paragraph();
  }

  private awaitTerm(): void {
    this.text.font = 'R';
    this.pending = { kind: 'term' };
  }

  private indented(tag: string): void {
    this.text.font = 'R';
    const term = this.text.html(tag).trim();
    if (term === '') this.page.gap();
    else if (/^(?:<code>)?[•·○□*o-](?:<\/code>)?$/.test(term)) this.page.item('ul');
    else if (/^\d{1,3}[.)]$/.test(term)) this.page.item('ol', '', Number.parseInt(term, 10));
    else this.page.item('dl', term);
  }

  private openAddress(href: string): void {
    this.endAddress('');
    this.address = { href: this.text.html(href, true), words: [] };
  }

  private endAddress(after: string): void {
    const { address } = this;
    this.address = null;
    if (!address) return;
    const { href, words } = address;
    const shown = words.length > 0 ? words.join(' ') : href.replace(/^mailto:/, '');
    this.show(() => `<a href="${href}">${shown}</a>${this.text.html(after)}`);
  }

  private endTable(): void {
    const rows = roffTable(this.table ?? [], (cell) => this.text.html(cell));
    this.table = null;
    this.page.table(rows);
  }
}
