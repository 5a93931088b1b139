import type { BlockRule, RstConverter } from '../rst-converter.js';
import { dedent, endOfIndented, isBlank, outdent, type SourceLine } from '../source-line.js';
import { item } from '../writing/item.js';
import { codeTerm, lead } from '../writing/lead.js';

/** How a list is counted. */
type Numbering = 'arabic' | 'letter' | 'roman';

const NUMBER = /^\(?(\d{1,9}|#|[A-Za-z]|[ivxlcdm]{1,8}|[IVXLCDM]{1,8})[.)](?: +|$)/;
const DIGITS: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

/** The mark before an item: its label without punctuation, and its width with the space after it. */
interface Enumerator {
  readonly label: string;
  readonly width: number;
}

/** The mark at the start of a line: `1.`, `(a)`, `iv)`, `#.`; null without one. */
function enumeratorOf(text: string): Enumerator | null {
  const [mark = '', label] = NUMBER.exec(text) ?? [];
  return label === undefined ? null : { label, width: mark.length };
}

/** How the list with these first two labels is counted; null if a letter does not begin a list, as in `E. coli`. */
function numberingOf(label: string, after: string | undefined): Numbering | null {
  if (/^[\d#]/.test(label)) return 'arabic';
  const kinds = ['roman', 'letter'] as const;
  return (
    kinds.find((kind) => {
      const first = ordinalOf(label, kind, null);
      return first !== null && after !== undefined && ordinalOf(after, kind, first) !== null;
    }) ?? null
  );
}

/**
 * The number of an item.
 * @param before  number of the item before it, null for the first
 * @returns null if the item does not continue the list; numbers continue with any number
 */
function ordinalOf(label: string, kind: Numbering, before: number | null): number | null {
  if (label === '#') return (before ?? 0) + 1;
  if (/^\d/.test(label)) return kind === 'arabic' ? Number(label) : null;
  const ordinal = kind === 'roman' ? romanOf(label) : kind === 'letter' ? letterOf(label) : null;
  return before === null || ordinal === before + 1 ? ordinal : null;
}

function letterOf(label: string): number | null {
  return label.length === 1 ? label.toLowerCase().charCodeAt(0) - 'a'.charCodeAt(0) + 1 : null;
}

function romanOf(label: string): number | null {
  const digits = Array.from(label.toLowerCase(), (digit) => DIGITS[digit] ?? NaN);
  const sum = digits.reduce((all, digit, at) => all + (digit < (digits[at + 1] ?? 0) ? -digit : digit), 0);
  return Number.isNaN(sum) ? null : sum;
}

const BULLET = /^([*+\-•‣⁃])(?: +|$)/;
const OPTION = /^(?:-[\w?#](?: ?[^\s-]\S{0,60})?|--?\w[\w.-]{0,60}(?:[ =[]\S{1,60})?|\/\w\S{0,60})$/;
const MAX_OPTION_CHARS = 300;

/** The lines of an item: the rest of the first line, and the indented lines after it. */
function itemBody(lines: readonly SourceLine[], at: number, width: number): readonly SourceLine[] {
  const [first, ...rest] = lines.slice(at, endOfIndented(lines, at + 1));
  return first ? [{ ...first, text: first.text.slice(width) }, ...outdent(rest, width)] : [];
}

export const convertBullets: BlockRule = (lines, at, { rst, depth }) => {
  const found: SourceLine[] = [];
  let end = at;
  let next = at;
  for (
    let bullet = BULLET.exec(lines[at]?.text ?? '');
    bullet;
    bullet = BULLET.exec(lines[next]?.text ?? '')
  ) {
    const [{ length: width }, mark = ''] = bullet;
    const body = itemBody(lines, next, width);
    end = next + body.length;
    found.push(...item(/[*+-]/.test(mark) ? mark : '-', rst.blocks(body, depth + 1), lines[next]?.line ?? 0));
    next = skipBlank(lines, end);
  }
  return end === at ? null : { lines: [...found, { text: '', line: lines[end - 1]?.line ?? 0 }], end };
};

/** Letters and Roman numerals become numbers. As in docutils, the second line of an item must be indented. */
export const convertNumbered: BlockRule = (lines, at, { rst, depth }) => {
  const found: SourceLine[] = [];
  const kind = numberingAt(lines, at);
  let end = at;
  let next = at;
  let before: number | null = null;
  for (let mark = enumeratorOf(lines[at]?.text ?? ''); kind && mark;) {
    const number: number | null = ordinalOf(mark.label, kind, before);
    if (number === null) break;
    const body = itemBody(lines, next, mark.width);
    const after = lines[next + body.length];
    if (!isBlank(after) && !after?.text.startsWith(' ') && !enumeratorOf(after?.text ?? '')) break;
    end = next + body.length;
    found.push(...item(`${number}.`, rst.blocks(body, depth + 1), lines[next]?.line ?? 0));
    before = number;
    next = skipBlank(lines, end);
    mark = enumeratorOf(lines[next]?.text ?? '');
  }
  return end === at ? null : { lines: [...found, { text: '', line: lines[end - 1]?.line ?? 0 }], end };
};

/** How the list that begins at a line is counted. An indented line makes `a.` an item, even without a second item. */
function numberingAt(lines: readonly SourceLine[], at: number): Numbering | null {
  const first = enumeratorOf(lines[at]?.text ?? '');
  if (!first) return null;
  const end = endOfIndented(lines, at + 1);
  const second = enumeratorOf(lines[skipBlank(lines, end)]?.text ?? '');
  const numbering = numberingOf(first.label, second?.label);
  if (numbering || end === at + 1) return numbering;
  if (/^a$/i.test(first.label)) return 'letter';
  return /^i$/i.test(first.label) ? 'roman' : null;
}

function skipBlank(lines: readonly SourceLine[], from: number): number {
  let next = from;
  while (next < lines.length && isBlank(lines[next])) next++;
  return next;
}

/** A term, and its definition in indented lines directly below it. The definition follows in the same paragraph. */
export const convertDefinition: BlockRule = (lines, at, { rst, depth }) => {
  const term = lines[at];
  if (!term || isBlank(term) || term.text.startsWith(' ') || term.text.endsWith('::')) return null;
  if (!lines[at + 1]?.text.startsWith(' ')) return null;
  const end = endOfIndented(lines, at + 1);
  const definition = rst.blocks(dedent(lines.slice(at + 1, end)), depth + 1);
  return {
    lines: [...lead(boldTerm(rst, term.text), definition, { line: term.line, isOwnLine: true })],
    end,
  };
};

function boldTerm(rst: RstConverter, term: string): string {
  if (isOptions(term)) return codeTerm(term);
  const text = rst.inline(term);
  return text.includes('**') ? text : `**${text}**`;
}

function isOptions(text: string): boolean {
  return text.length <= MAX_OPTION_CHARS && text.split(/, ?/).every((option) => OPTION.test(option));
}

/** Options of a command: `-v, --verbose  what it does`. */
export const convertOptions: BlockRule = (lines, at, { rst, depth }) => {
  const own = lines[at];
  const gap = own?.text.indexOf('  ') ?? -1;
  if (!own || gap < 0 || !isOptions(own.text.slice(0, gap))) return null;
  const end = endOfIndented(lines, at + 1);
  const first = { ...own, text: own.text.slice(gap).trimStart() };
  const body = rst.blocks([first, ...dedent(lines.slice(at + 1, end))], depth + 1);
  return {
    lines: item(
      '-',
      lead(`\`${own.text.slice(0, gap)}\``, body, { line: own.line, isOwnLine: false }),
      own.line,
    ),
    end,
  };
};
