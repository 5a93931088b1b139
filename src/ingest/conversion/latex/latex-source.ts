import { escapeHtml } from '../html-text.js';

/** An environment whose text is code. */
export const CODE =
  /^(?:verbatim|Verbatim|BVerbatim|lstlisting|minted|alltt|code|Highlighting|filecontents|semiverbatim)\*?$/;

/** The state that all parts of a document share. */
export interface LatexContext {
  /** Macros without arguments, by name. */
  readonly macros: Map<string, string>;
  /** The level of a heading of `\section`. */
  readonly sectionLevel: number;
  /** Files that the document includes. */
  readonly included: Set<string>;
  added: number;
}

/** The source of a document, or of a part of it, and the place that is read. */
export class LatexSource {
  protected at = 0;
  private readonly ends: Int32Array;
  /** Marks without an end: it is not searched again. */
  protected readonly noEnd = new Set<string>();

  constructor(protected readonly source: string) {
    this.ends = matchingBraces(source);
  }

  /** A comment ends with its line and the blanks at the start of the next one. */
  protected endOfLine(): number {
    const end = this.source.indexOf('\n', this.at);
    return end < 0
      ? this.source.length
      : end + (/^\n[ \t]*\n/.test(this.source.slice(end, end + 80)) ? 0 : 1);
  }

  protected skipBlanks(): void {
    const blanks = /[ \t]*(?:\n(?![ \t]*\n)[ \t]*)?/y;
    blanks.lastIndex = this.at;
    this.at += blanks.exec(this.source)?.[0].length ?? 0;
  }

  /** Reads code between two marks. @returns '' without one */
  protected verb(): string {
    if (this.source[this.at] === '[') this.options();
    if (this.source[this.at] === '{') return this.group();
    const mark = this.source[this.at] ?? '';
    const end = this.source.slice(this.at + 1, this.at + 1_000).indexOf(mark);
    if (mark === '' || end < 0) return '';
    const code = this.source.slice(this.at + 1, this.at + 1 + end);
    this.at += end + 2;
    return code;
  }

  /** Reads the definition of a macro. @returns null unless it has no arguments */
  protected readMacro(word: string): { name: string; body: string } | null {
    const name = /\{?\\([a-zA-Z@]{1,60})\}?/y;
    name.lastIndex = this.at;
    const found = name.exec(this.source);
    if (!found) return null;
    this.at += found[0].length;
    if (word === 'let') return null;
    const parameters = /(?:\[[^\]\n]{0,100}\]|#\d){0,12}/y;
    parameters.lastIndex = this.at;
    const [given = ''] = parameters.exec(this.source) ?? [];
    this.at += given.length;
    const body = this.group();
    return given === '' || given === '[0]' ? { name: found[1] ?? '', body } : null;
  }

  /** Reads a formula between dollar signs. */
  protected math(start: number): string {
    const mark = this.source[this.at] === '$' ? '$$' : '$';
    const end = this.source.slice(start + mark.length, start + 5_000).indexOf(mark);
    if (end < 0) return '$';
    this.at = start + 2 * mark.length + end;
    return this.source.slice(start, this.at).replace(/\s+/g, ' ');
  }

  /** Reads a formula up to its closing mark. */
  protected delimited(open: string): string {
    const close = open === '(' ? '\\)' : '\\]';
    const end = this.noEnd.has(close) ? -1 : this.source.indexOf(close, this.at);
    if (end < 0) {
      this.noEnd.add(close);
      return '';
    }
    const mark = open === '(' ? '$' : '$$';
    const formula = this.source.slice(this.at, end).replace(/\s+/g, ' ').trim();
    this.at = end + 2;
    return `${mark}${formula}${mark}`;
  }

  /** Reads the letter below an accent. */
  protected accent(mark: string): string {
    const letter = /\{?\\?([a-zA-Z])\}?/y;
    letter.lastIndex = this.at;
    const found = letter.exec(this.source);
    if (!found) return '';
    this.at += found[0].length;
    return `${found[1] ?? ''}${mark}`.normalize('NFC');
  }

  /** The source of an environment, up to its end. */
  protected raw(name: string): string {
    const close = `\\end{${name}}`;
    const open = `\\begin{${name}}`;
    if (this.noEnd.has(close)) return '';
    const marks = new RegExp(`${open.replace(/[\\{}*]/g, '\\$&')}|${close.replace(/[\\{}*]/g, '\\$&')}`, 'g');
    marks.lastIndex = this.at;
    let depth = 1;
    for (let mark = marks.exec(this.source); mark; mark = marks.exec(this.source)) {
      depth += mark[0] === open ? 1 : -1;
      if (depth > 0 && !CODE.test(name)) continue;
      const inner = this.source.slice(this.at, mark.index);
      this.at = mark.index + mark[0].length;
      return inner;
    }
    this.noEnd.add(close);
    return '';
  }

  /** Skips options in brackets. */
  protected options(): string {
    const found = /^\s{0,5}\[([^[\]]{0,1000}(?:\[[^[\]]{0,200}\][^[\]]{0,500}){0,5})\]/.exec(
      this.source.slice(this.at, this.at + 2_000),
    );
    this.at += found?.[0].length ?? 0;
    return found?.[1] ?? '';
  }

  /** The source of the group that begins here; '' without one. */
  protected group(): string {
    const text = this.peekGroup();
    const start = this.source.indexOf('{', this.at);
    if (this.groupStart() >= 0) this.at = (this.ends[start] ?? start) + 1;
    return text;
  }

  protected groupStart(): number {
    const blanks = /\s{0,20}\{/y;
    blanks.lastIndex = this.at;
    const found = blanks.exec(this.source);
    if (!found) return -1;
    const start = this.at + found[0].length - 1;
    return (this.ends[start] ?? 0) > 0 ? start : -1;
  }

  protected peekGroup(): string {
    const start = this.groupStart();
    return start < 0 ? '' : this.source.slice(start + 1, this.ends[start]);
  }
}

/** For each opening brace the place of the closing one; 0 if there is none. */
function matchingBraces(source: string): Int32Array {
  const ends = new Int32Array(source.length);
  const open: number[] = [];
  for (const { 0: mark, index } of source.matchAll(/\\[^]|[{}]/g)) {
    if (mark === '{') open.push(index);
    else if (mark === '}') {
      const start = open.pop();
      if (start !== undefined) ends[start] = index;
    }
  }
  return ends;
}

/** The items of a list, without those of the lists in it. */
export function splitItems(source: string): { term: string | null; text: string }[] {
  const items: { term: string | null; from: number }[] = [];
  const parts: { term: string | null; text: string }[] = [];
  let depth = 0;
  for (const { 0: mark, 1: term, index } of source.matchAll(
    /\\begin\{|\\end\{|\\item(?![a-zA-Z])[ \t\n]{0,20}(?:\[((?:[^[\]]|\[[^[\]]{0,200}\]){0,500})\])?/g,
  )) {
    if (mark === '\\begin{') depth++;
    else if (mark === '\\end{') depth--;
    else if (depth === 0) {
      const last = items.at(-1);
      if (last) parts.push({ term: last.term, text: source.slice(last.from, index) });
      items.push({ term: term ?? null, from: index + mark.length });
    }
  }
  const last = items.at(-1);
  return last ? [...parts, { term: last.term, text: source.slice(last.from) }] : [];
}

/** The rows of a table and their cells. A rule below the first row marks it as the header. */
export function splitRows(source: string): { rows: string[][]; isHeaded: boolean } {
  const plain = source.replace(
    /\\(?:toprule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|noalign\{\}|centering|raggedright|arraybackslash|tabularnewline(?=\s*$))/g,
    '',
  );
  const rows: string[][] = [[]];
  let [from, depth] = [0, 0];
  const take = (to: number): void => void rows.at(-1)?.push(plain.slice(from, to).replace(RULES, ' '));
  for (const { 0: mark, index } of plain.matchAll(
    /\\\\(?:\[[^\]\n]{0,30}\])?|\\tabularnewline|\\begin\{|\\end\{|\\[^]|[{}&]/g,
  )) {
    if (mark === '{') depth++;
    else if (mark === '}') depth--;
    else if (mark === '\\begin{') depth += 2;
    else if (depth > 0 && mark !== '\\end{') continue;
    else if (mark === '&' || mark.startsWith('\\\\') || mark === '\\tabularnewline') {
      take(index);
      from = index + mark.length;
      if (mark !== '&') rows.push([]);
    }
    if (mark === '\\end{') depth = Math.max(0, depth);
  }
  take(plain.length);
  const [, second = ''] = plain.split('\\\\', 2);
  const isHeaded = /^\s*(?:\[[^\]]{0,20}\])?\s*\\(?:midrule|hline|cmidrule)/.test(second);
  return { rows: rows.filter((row) => row.some((cell) => cell.trim() !== '')), isHeaded };
}

const RULES = /\\(?:hline|midrule|(?:cline|cmidrule)(?:\([a-z]{1,4}\))?\{[\d-]{1,10}\})/g;

const SPANNING =
  /^\s*\\multicolumn\s*\{(\d{1,3})\}\s*\{[^{}]{0,100}(?:\{[^{}]{0,100}\}[^{}]{0,100})?\}\s*\{([^]*)\}\s*$/;

/** The source of a cell, and the number of columns that it spans. */
export function readCell(cell: string): { readonly text: string; readonly columns: number } {
  const [, columns = '1', text = cell] = SPANNING.exec(cell) ?? [];
  return { text, columns: Number(columns) };
}

/** HTML of code; empty without any. */
export const codeHtml = (code: string): string => (code === '' ? '' : `<code>${escapeHtml(code)}</code>`);

const SIGNS = new Map(
  Object.entries({
    ...{ backslash: '\\', greater: '>', less: '<', quotesingle: "'", bar: '|' },
    ...{ asciitilde: '~', asciicircum: '^', asciigrave: '`' },
  }),
);

/** Code that pandoc coloured, without the commands for colours. Braces that are no text have a backslash. */
export const uncoloured = (code: string): string =>
  code.replace(
    /\\[A-Za-z]{1,40}Tok\{|\\text([a-z]{1,20})\{\}|\\([{}\\$&#_%])|[{}]/g,
    (_all, name: string | undefined, mark: string | undefined) => SIGNS.get(name ?? '') ?? mark ?? '',
  );
