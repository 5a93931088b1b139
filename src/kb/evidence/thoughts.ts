import type { ReadSection } from './read-section.js';

/** Code blocks up to this size are quoted whole; of larger ones, the lines up to the next blank lines. */
const MAX_BLOCK_CHARS = 600;
/** The sentence before a code block introduces it if it ends with a colon or is at most this long. */
const MAX_INTRODUCTION_CHARS = 160;
/** The lead-in of a list item is at most this many units above it. */
const MAX_LIST_LOOK_BACK = 12;

const BULLET_BEFORE = /(?:^|\n)[ \t>]*(?:[-*+•]|\d{1,9}[.)])[ \t]+$/;
const BLANK_LINE = /\n[ \t>]*\n/;
const FENCE = /`{3,}|~{3,}/;
const CLOSERS_ONLY = /^[\])}>;,\s]+$/;

/** True for a line of code that only closes brackets, which says nothing at the start of a quote. */
export function closesOnly(line: string): boolean {
  return CLOSERS_ONLY.test(line);
}

/** Reads the layout of a section from the text between its units. */
class Layout {
  constructor(private readonly section: ReadSection) {}

  kind(at: number) {
    return this.section.units[at]?.kind;
  }

  text(at: number): string {
    const unit = this.section.units[at];
    return unit ? this.section.text.slice(unit.start, unit.end) : '';
  }

  /** The text between a unit and the one before it. */
  gapBefore(at: number): string {
    const { text, units } = this.section;
    return text.slice(units[at - 1]?.end ?? 0, units[at]?.start ?? 0);
  }

  chars(from: number, to: number): number {
    const { units } = this.section;
    return (units[to]?.end ?? 0) - (units[from]?.start ?? 0);
  }

  isBullet(at: number): boolean {
    return this.kind(at) === 'sentence' && BULLET_BEFORE.test(this.gapBefore(at));
  }

  /** True if two neighbouring lines of code are in one block, without a blank line if `isTight`. */
  isSameBlock(at: number, isTight: boolean): boolean {
    const gap = this.gapBefore(at);
    const areCode = this.kind(at) === 'code' && this.kind(at - 1) === 'code';
    return areCode && !FENCE.test(gap) && !(isTight && BLANK_LINE.test(gap));
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

function blockAround(layout: Layout, at: number, isTight: boolean): { from: number; to: number } {
  let [from, to] = [at, at];
  while (layout.isSameBlock(from, isTight)) from--;
  while (layout.isSameBlock(to + 1, isTight)) to++;
  return { from, to };
}

/** The lines of code that belong to a line, with the sentence that introduces the block. */
function codeThought(layout: Layout, at: number): number[] {
  const block = blockAround(layout, at, false);
  let { from, to } = block;
  if (layout.chars(from, to) > MAX_BLOCK_CHARS) ({ from, to } = blockAround(layout, at, true));
  if (layout.chars(from, to) > MAX_BLOCK_CHARS) [from, to] = [at, at];
  while (from < at && closesOnly(layout.text(from))) from++;
  const before = layout.text(block.from - 1);
  const isIntroduced =
    layout.kind(block.from - 1) === 'sentence' &&
    (before.endsWith(':') || before.length <= MAX_INTRODUCTION_CHARS);
  return [...(isIntroduced ? [block.from - 1] : []), ...range(from, to)];
}

/** A table row with the header of its table. */
function rowThought(layout: Layout, { units }: ReadSection, at: number): number[] {
  let header = at;
  while (header > 0 && layout.kind(header) === 'row' && !units[header]?.isHeader) header--;
  return units[header]?.isHeader && header !== at ? [header, at] : [at];
}

/** A list item with the sentence above the list, if that ends with a colon. */
function itemThought(layout: Layout, at: number): number[] {
  for (let i = at - 1; i >= Math.max(0, at - MAX_LIST_LOOK_BACK); i--) {
    if (layout.kind(i) !== 'sentence') return [at];
    if (!layout.isBullet(i) && layout.text(i).endsWith(':')) return [i, at];
    const isOfItem = layout.isBullet(i) || !BLANK_LINE.test(layout.gapBefore(i));
    if (!isOfItem) return [at];
  }
  return [at];
}

/**
 * The units of a section that must be quoted with a unit so that it can be understood: a row with its header, a line
 * of code with its block and the sentence that introduces it, a list item with its lead-in.
 * @returns positions in rising order, that of the unit included
 */
export function thoughtAt(section: ReadSection, at: number): readonly number[] {
  const layout = new Layout(section);
  const kind = layout.kind(at);
  if (kind === 'code') return codeThought(layout, at);
  if (kind === 'row') return rowThought(layout, section, at);
  return layout.isBullet(at) ? itemThought(layout, at) : [at];
}
