/** How a list is counted. */
export type Numbering = 'arabic' | 'letter' | 'roman';

const NUMBER = /^\(?(\d{1,9}|#|[A-Za-z]|[ivxlcdm]{1,8}|[IVXLCDM]{1,8})[.)](?: +|$)/;
const DIGITS: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

/** The mark before an item: its label without punctuation, and its width with the space after it. */
export interface Enumerator {
  readonly label: string;
  readonly width: number;
}

/** The mark at the start of a line: `1.`, `(a)`, `iv)`, `#.`; null without one. */
export function enumeratorOf(text: string): Enumerator | null {
  const [mark = '', label] = NUMBER.exec(text) ?? [];
  return label === undefined ? null : { label, width: mark.length };
}

/** How the list with these first two labels is counted; null if a letter does not begin a list, as in `E. coli`. */
export function numberingOf(label: string, after: string | undefined): Numbering | null {
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
export function ordinalOf(label: string, kind: Numbering, before: number | null): number | null {
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
