import type { Span } from './span.js';

/**
 * The smallest part of a quote: a sentence, a table row or a line of code. It is read once, with its document, and knows
 * what a quote needs. Positions are those of units in their section.
 */
export interface Unit extends Span {
  readonly kind: 'sentence' | 'row' | 'code';
  /** True for the first row of a table. */
  readonly isHeader: boolean;
  /** The titles of the tabs and admonitions around it, one per line; undefined without titles. */
  readonly label?: string | undefined;
  /** Length of the text before it that a quote includes if it begins here: a mark, the line of a fence or of an admonition. */
  readonly lead: number;
  /** Length of the text after it that a quote includes if it ends here: the line below a header, or the end of a fence. */
  readonly tail: number;
  /** The units without which it is not understood, itself included, in rising order. */
  readonly needs: readonly number[];
  /** Where a quote of what it announces may end, in rising order; only short ones. Empty for most units. */
  readonly ends: readonly number[];
  /** The last unit of what a sentence with a colon announces, or its own position if the section ends with it; null for others. */
  readonly announcesTo: number | null;
  /** True for the first line of a block of code with a fence. */
  readonly isFenced: boolean;
  /** True for a line of code that only closes brackets, which says nothing at the start of a quote. */
  readonly isCloser: boolean;
  /** True if the unit above is in the same block of code. */
  readonly isInBlock: boolean;
  /** True if the unit above is in the same record: the rows or lines about one field. Quotes do not end inside. */
  readonly isInRecord: boolean;
}

/** Positions of the first and the last unit of a stretch of a section. */
export interface UnitRange {
  readonly from: number;
  readonly to: number;
}

const KINDS = ['sentence', 'row', 'code'] as const;
/** Bits of the third number of a unit, above those of its kind. */
const BIT = {
  isHeader: 4,
  isFenced: 8,
  isCloser: 16,
  isInBlock: 32,
  isInRecord: 64,
  lead: 128,
  tail: 256,
  needs: 512,
  ends: 1024,
  announcesTo: 2048,
  label: 4096,
} as const;

/**
 * Neighbouring positions as stretches.
 * @param joins  false if a position does not belong to the stretch that ends just before it
 */
export function stretches(
  positions: Iterable<number>,
  joins: (at: number) => boolean = () => true,
): readonly UnitRange[] {
  const found: { from: number; to: number }[] = [];
  for (const at of positions) {
    const last = found.at(-1);
    if (last?.to === at - 1 && joins(at)) last.to = at;
    else found.push({ from: at, to: at });
  }
  return found;
}

interface Place {
  readonly at: number;
  /** The end of the unit before it. */
  readonly before: number;
  readonly labels: string[];
}

const FLAGS = ['isHeader', 'isFenced', 'isCloser', 'isInBlock', 'isInRecord'] as const;

/** Appends the numbers of a unit. Positions are relative to its own, and its start to the end of the unit before it. */
function write(numbers: number[], unit: Unit, { at, before, labels }: Place): void {
  let bits: number = KINDS.indexOf(unit.kind);
  for (const flag of FLAGS) if (unit[flag]) bits |= BIT[flag];
  const place = numbers.push(unit.start - before, unit.end - unit.start, bits) - 1;
  const add = (field: keyof typeof BIT, ...more: readonly number[]): void => {
    bits |= BIT[field];
    numbers.push(...more);
  };
  if (unit.lead > 0) add('lead', unit.lead);
  if (unit.tail > 0) add('tail', unit.tail);
  if (unit.needs.length > 1) {
    const needed = stretches(unit.needs);
    add('needs', needed.length, ...needed.flatMap(({ from, to }) => [at - from, to - from]));
  }
  if (unit.ends.length > 0) add('ends', unit.ends.length, ...unit.ends.map((end) => end - at));
  if (unit.announcesTo !== null) add('announcesTo', unit.announcesTo - at);
  if (unit.label !== undefined) {
    if (!labels.includes(unit.label)) labels.push(unit.label);
    add('label', labels.indexOf(unit.label));
  }
  numbers[place] = bits;
}

/** Writes the units of a section as text, about a fifth as long as that of the section. */
export function packUnits(units: readonly Unit[]): string {
  const labels: string[] = [];
  const numbers: number[] = [];
  for (const [at, unit] of units.entries())
    write(numbers, unit, { at, before: units[at - 1]?.end ?? 0, labels });
  return JSON.stringify([numbers, ...labels]);
}

/** Reads what `packUnits` has written. @returns none for an empty text */
export function unpackUnits(packed: string): readonly Unit[] {
  if (packed === '') return [];
  const [numbers, ...labels] = JSON.parse(packed) as [number[], ...string[]];
  const units: Unit[] = [];
  let next = 0;
  let end = 0;
  const read = (): number => numbers[next++] ?? 0;
  const list = <T>(make: () => T): T[] => Array.from({ length: read() }, make);
  while (next < numbers.length) {
    const at = units.length;
    const start = end + read();
    end = start + read();
    const bits = read();
    const has = (field: keyof typeof BIT): boolean => (bits & BIT[field]) !== 0;
    const stretch = (): number[] => {
      const from = at - read();
      return Array.from({ length: read() + 1 }, (_, i) => from + i);
    };
    units.push({
      start,
      end,
      kind: KINDS[bits & 3] ?? 'sentence',
      isHeader: has('isHeader'),
      isFenced: has('isFenced'),
      isCloser: has('isCloser'),
      isInBlock: has('isInBlock'),
      isInRecord: has('isInRecord'),
      lead: has('lead') ? read() : 0,
      tail: has('tail') ? read() : 0,
      needs: has('needs') ? list(stretch).flat() : [at],
      ends: has('ends') ? list(() => at + read()) : [],
      announcesTo: has('announcesTo') ? at + read() : null,
      label: has('label') ? labels[read()] : undefined,
    });
  }
  return units;
}
