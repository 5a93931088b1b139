import { escapeHtml } from '../html-text.js';
import { attText, libraryText, standardText } from './mdoc-texts.js';
import type { RoffText } from './roff-text.js';

interface InlineTerms {
  readonly text: RoffText;
  /** The name of the page, which `Nm` without a name stands for. */
  readonly name: string;
  readonly isPlain: boolean;
  /** True for a line of the synopsis: `In` is shown as a directive there. */
  readonly isSynopsis?: boolean;
}

/** Marks around the rest of a line. */
const ENCLOSING: Readonly<Record<string, readonly [string, string]>> = {
  Op: ['[', ']'],
  Bq: ['[', ']'],
  Brq: ['{', '}'],
  Aq: ['<', '>'],
  Pq: ['(', ')'],
  Dq: ['“', '”'],
  Sq: ['‘', '’'],
  Qq: ['"', '"'],
  Ql: ['‘', '’'],
  En: ['', ''],
};
/** Marks that one macro opens and another closes. */
const OPENING: Readonly<Record<string, string>> = {
  Oo: '[',
  Bo: '[',
  Bro: '{',
  Ao: '<',
  Po: '(',
  Do: '“',
  So: '‘',
  Qo: '"',
  Eo: '',
  Xo: '',
};
const CLOSING: Readonly<Record<string, string>> = {
  Oc: ']',
  Bc: ']',
  Brc: '}',
  Ac: '>',
  Pc: ')',
  Dc: '”',
  Sc: '’',
  Qc: '"',
  Ec: '',
  Xc: '',
  Fc: ')',
};
/** Macros for input that is typed, and for names in code. */
const CODE = new Set([
  'Cm',
  'Ic',
  'Li',
  'Pa',
  'Ev',
  'Va',
  'Vt',
  'Fa',
  'Dv',
  'Er',
  'Cd',
  'Ft',
  'Sy',
  'Ms',
  'Fd',
  'In',
]);
/** Macros for placeholders, and for names in the text. */
const PLAIN = new Set(['Ar', 'Em', 'Tn', 'An', 'Ad', 'No', 'Nd', 'Mt']);
const SYSTEMS: Readonly<Record<string, string>> = {
  Ux: 'UNIX',
  Bx: 'BSD',
  Nx: 'NetBSD',
  Fx: 'FreeBSD',
  Ox: 'OpenBSD',
  Dx: 'DragonFly',
  At: '',
  Bsx: 'BSD/OS',
};
const ALONE = new Set([
  'Ns',
  'Ap',
  'Pf',
  'Ta',
  'Fl',
  'Nm',
  'Xr',
  'Fn',
  'Fo',
  'Lk',
  'St',
  'An',
  'Bt',
  'Ud',
  'Lb',
]);
/** Macros whose words are settings. */
const SILENT = new Set(['Bf', 'Ef', 'Tg']);
const CLOSING_MARK = /^(?:[.,:;)\]?!]|\\&?\.)$/;
const OPENING_MARK = /^[([]$/;
/** Nested macros of one line. */
const MAX_LEVELS = 50;

const isMacro = (word: string): boolean =>
  [ENCLOSING, OPENING, CLOSING, SYSTEMS].some((known) => Object.hasOwn(known, word)) ||
  CODE.has(word) ||
  PLAIN.has(word) ||
  SILENT.has(word) ||
  ALONE.has(word);

/** Writes a line of macros of `mdoc` that can stand in a sentence. */
class InlineLine {
  private html = '';
  /** True if no blank comes before the next word. */
  isOpen = false;
  private at = 0;

  constructor(
    private readonly words: readonly string[],
    private readonly terms: InlineTerms,
  ) {}

  run(): string {
    this.rest(0);
    return this.html;
  }

  private rest(level: number): void {
    while (this.at < this.words.length) {
      const word = this.words[this.at] ?? '';
      this.at++;
      if (isMacro(word) && level < MAX_LEVELS) this.macro(word, level);
      else if (/^%[A-Z]$/.test(word) || (this.at === 1 && /^[A-Z][a-z]$/.test(word))) continue;
      else this.add(this.plain(word), word);
    }
  }

  private macro(name: string, level: number): void {
    const marks = ENCLOSING[name];
    if (marks) this.enclose(marks, level);
    else if (SILENT.has(name)) this.at = this.words.length;
    else if (name in OPENING) {
      this.add(escapeHtml(OPENING[name] ?? ''));
      this.isOpen = true;
    } else if (name in CLOSING) {
      this.isOpen = true;
      this.add(escapeHtml(CLOSING[name] ?? ''));
    } else if (name in SYSTEMS) this.system(name);
    else if (name === 'Ns') this.isOpen = true;
    else if (name === 'Ap') {
      this.isOpen = true;
      this.add("'");
      this.isOpen = true;
    } else if (name === 'Pf') {
      this.add(this.plain(this.take() ?? ''));
      this.isOpen = true;
    } else this.named(name);
  }

  private enclose([before, after]: readonly [string, string], level: number): void {
    const end = this.words.length - this.trailing();
    const inner = new InlineLine(this.words.slice(this.at, end), this.terms);
    inner.rest(level + 1);
    this.at = end;
    this.add(escapeHtml(before) + inner.html + escapeHtml(after));
  }

  /** The number of marks at the end of the line. */
  private trailing(): number {
    let count = 0;
    while (count < this.words.length - this.at && CLOSING_MARK.test(this.words.at(-1 - count) ?? '')) count++;
    return count;
  }

  private system(name: string): void {
    const system = SYSTEMS[name] ?? '';
    const version = this.isWord() ? (this.take() ?? '') : '';
    if (name === 'At') this.add(escapeHtml(attText(version)));
    else if (name === 'Bx' && version !== '') this.add(escapeHtml(`${version}BSD`));
    else this.add(escapeHtml(`${system} ${version}`.trim()));
  }

  private named(name: string): void {
    if (name === 'Fl') this.flags();
    else if (name === 'Nm') this.add(this.code((this.isWord() ? this.take() : undefined) ?? this.terms.name));
    else if (name === 'Xr') this.page();
    else if (name === 'Fn') this.call();
    else if (name === 'Fo') {
      this.add(`${this.code(this.take() ?? '')}(`);
      this.isOpen = true;
    } else if (name === 'Lk') this.link();
    else if (name === 'Lb')
      this.each(
        (word) => `${libraryText(word)} (${this.code(word)}, ${this.code(word.replace(/^lib/, '-l'))})`,
      );
    else if (name === 'St') this.add(escapeHtml(standardText(this.take() ?? '')));
    else if (name === 'In')
      this.each((word) => this.code(`${this.terms.isSynopsis ? '#include ' : ''}<${word}>`));
    else if (CODE.has(name)) this.each((word) => this.code(word));
    else if (name === 'An' && /^-(?:no)?split$/.test(this.words[this.at] ?? '')) this.take();
    else if (name === 'Ar' && !this.isWord()) this.add('file ...');
    else this.each((word) => this.plain(word));
  }

  private flags(): void {
    if (!this.isWord()) this.add(this.code('-'));
    else this.each((word) => this.code(`-${word}`));
  }

  private page(): void {
    const name = this.take() ?? '';
    const section = this.isWord() ? `(${this.take() ?? ''})` : '';
    this.add(this.code(name) + escapeHtml(section));
  }

  private call(): void {
    const name = this.take() ?? '';
    const given: string[] = [];
    while (this.isWord()) given.push(this.take() ?? '');
    this.add(this.code(`${name}(${given.join(', ')})`));
  }

  private link(): void {
    const href = this.take() ?? '';
    const words: string[] = [];
    while (this.isWord()) words.push(this.take() ?? '');
    const shown = words.length > 0 ? words.join(' ') : href;
    this.add(`<a href="${escapeHtml(href)}">${this.plain(shown)}</a>`);
  }

  /** Writes the words up to the next macro or mark. */
  private each(html: (word: string) => string): void {
    while (this.isWord()) this.add(html(this.take() ?? ''));
  }

  private isWord(): boolean {
    const next = this.words[this.at];
    return next !== undefined && !isMacro(next) && !CLOSING_MARK.test(next) && !OPENING_MARK.test(next);
  }

  private take(): string | undefined {
    const word = this.words[this.at];
    this.at++;
    return word;
  }

  private plain(word: string): string {
    return this.terms.text.html(word, this.terms.isPlain);
  }

  private code(word: string): string {
    return this.terms.isPlain ? this.terms.text.html(word, true) : this.terms.text.inFont('B', word);
  }

  private add(html: string, word = html): void {
    const isClosing = CLOSING_MARK.test(word);
    const gap = this.html === '' || this.isOpen || isClosing ? '' : ' ';
    this.html += gap + html;
    this.isOpen = OPENING_MARK.test(word);
  }
}

/** HTML of a line of words and macros. `isOpen` is true if no blank follows. */
export function mdocInline(words: readonly string[], terms: InlineTerms): { html: string; isOpen: boolean } {
  const line = new InlineLine(words, terms);
  const html = line.run();
  return { html, isOpen: line.isOpen };
}
