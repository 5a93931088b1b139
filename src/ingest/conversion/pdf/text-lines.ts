import { MAX_OVERLAP, SPACE_GAP, type Word } from './drawn-text.js';
import { columnsFrom, rowsFrom } from './page-columns.js';
import type { PdfPage } from './read-page.js';
import { findRuledTables, type RuledTable } from './ruled-tables.js';

/** A line of text. */
export interface PageLine {
  readonly words: readonly Word[];
  readonly x0: number;
  readonly x1: number;
  /** Of the baseline, from the top of the page. */
  readonly y: number;
  /** Of most of its letters. */
  readonly size: number;
  /** True if all its letters are. */
  readonly isBold: boolean;
  readonly isMono: boolean;
  /** True for an entry of a table of contents, whose dots are left out. */
  readonly isEntry: boolean;
  /** True for a header or footer. */
  readonly isRunning?: boolean;
  readonly page: number;
  /** Lines of one column of one page have the same number. */
  readonly column: number;
  /** The edges of its column. */
  readonly left: number;
  readonly right: number;
  /** Of a table, which is one line here: the lines of each cell, row by row. */
  readonly table?: readonly (readonly (readonly PageLine[])[])[];
}

/** The lines of a page in the order of reading. Text in other directions follows. */
export function linesFrom({ words, rules, number }: PdfPage): PageLine[] {
  const distinct = withoutDoubles(words);
  const directions = [0, 1, 2, 3]
    .map((turns) => distinct.filter((word) => word.turns === turns))
    .sort((a, b) => b.length - a.length);
  const tables = new Map<Word, RuledTable>();
  const columns = directions.flatMap((part) => {
    const found = findRuledTables(part, rules);
    const placeholders = found.tables.map((table) => {
      const word = wordFor(table);
      tables.set(word, table);
      return word;
    });
    return columnsFrom([...found.rest, ...placeholders]);
  });
  return columns.flatMap((column, at) => columnLines(column, tables, { page: number, column: at }));
}

/** A word that stands for a table while the order of reading is found. */
function wordFor({ words }: RuledTable): Word {
  const last = words.reduce((a, b) => (b.y > a.y ? b : a));
  return {
    ...last,
    text: words.map(({ text }) => text).join(' '),
    x0: words.reduce((least, { x0 }) => Math.min(least, x0), Infinity),
    x1: words.reduce((most, { x1 }) => Math.max(most, x1), -Infinity),
    isSpaced: true,
    isArtifact: words.every(({ isArtifact }) => isArtifact),
  };
}

/** Some programs print text twice, a little apart, to make it bold. */
function withoutDoubles(words: readonly Word[]): Word[] {
  const found = new Map<string, Word[]>();
  return words.filter((word) => {
    const others = found.get(word.text) ?? [];
    const isDouble = others.some(
      ({ x0, y, size, turns }) =>
        turns === word.turns &&
        Math.abs(x0 - word.x0) < SPACE_GAP * size &&
        Math.abs(y - word.y) < SPACE_GAP * size,
    );
    if (!isDouble) found.set(word.text, [...others.slice(-MAX_DOUBLES), word]);
    return !isDouble;
  });
}

const MAX_DOUBLES = 20;

function columnLines(
  all: readonly Word[],
  tables: ReadonlyMap<Word, RuledTable>,
  place: Pick<PageLine, 'page' | 'column'>,
): PageLine[] {
  const words = all.filter((word) => !tables.has(word));
  const left = words.reduce((least, { x0 }) => Math.min(least, x0), Infinity);
  const right = words.reduce((most, { x1 }) => Math.max(most, x1), -Infinity);
  const placed = (line: LineShape): PageLine => ({ ...line, ...place, left, right });
  const lines = textRows(words)
    .filter((row) => row.some(({ text }) => !DOTS.test(text)))
    .map((row) => placed(lineFrom(withoutLeaders(row), row)));
  if (words.length === all.length) return lines;
  const drawn = all.flatMap((word): PageLine[] => {
    const table = tables
      .get(word)
      ?.rows.map((row) => row.map((cell) => textRows(cell).map((line) => placed(lineFrom(line)))));
    return table ? [{ ...placed(lineFrom([word])), table }] : [];
  });
  return [...lines, ...drawn].sort((a, b) => a.y - b.y);
}

const textRows = (words: readonly Word[]): (readonly Word[])[] =>
  attachSmall(rowsFrom(words).map((row) => row.words));

type LineShape = Omit<PageLine, 'page' | 'column' | 'left' | 'right'>;

const DOTS = /^[.·…]+$/;
const MIN_DOTS = 4;

/** Removes the dots between a title and the number of its page. */
function withoutLeaders(words: readonly Word[]): readonly Word[] {
  const dots = words.filter(({ text }) => DOTS.test(text)).reduce((sum, { text }) => sum + text.length, 0);
  if (dots < MIN_DOTS && !words.some(({ text }) => /\.{4,}$/.test(text))) return words;
  return words
    .filter(({ text }) => !DOTS.test(text))
    .map((word) => ({ ...word, text: word.text.replace(/\.{4,}$/, ''), isSpaced: true }));
}

/** @param all  words with the dots of leaders */
function lineFrom(words: readonly Word[], all = words): LineShape {
  const main = mainWord(words);
  return {
    isEntry: words !== all,
    words,
    x0: words[0]?.x0 ?? 0,
    x1: words.reduce((most, { x1 }) => Math.max(most, x1), 0),
    y: main?.y ?? 0,
    size: main?.size ?? 0,
    isBold: isAll(words, ({ font }) => font.isBold),
    isMono: words.every(({ font }) => font.isMono),
  };
}

/** True if something is true of all words with letters or digits, and of at least one. */
function isAll(words: readonly Word[], isTrue: (word: Word) => boolean): boolean {
  const lettered = words.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return lettered.length > 0 && lettered.every(isTrue);
}

/** A word in the size of most letters of a line. */
function mainWord(words: readonly Word[]): Word | undefined {
  const letters = new Map<number, number>();
  for (const { size, text } of words) {
    const key = Math.round(size * 2);
    letters.set(key, (letters.get(key) ?? 0) + text.length);
  }
  const [most] = [...letters].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  return words.find(({ size }) => Math.round(size * 2) === most?.[0]);
}

/** Raised and lowered text is this much smaller. */
const SMALL = 0.87;

/** Puts raised and lowered text into the line that it belongs to, also letters within a word, as in the name of TeX. */
function attachSmall(rows: readonly (readonly Word[])[]): (readonly Word[])[] {
  const lines = rows.map((row) => [...row]);
  lines.forEach((row, at) => {
    for (const other of [lines[at + 1], lines[at - 1]]) {
      if (!other) continue;
      const moved = row.filter((word) => other.some((near) => isScript(word, near)) || isWithin(word, other));
      if (moved.length === 0 || moved.length < row.length / 2) continue;
      for (const word of moved) row.splice(row.indexOf(word), 1);
      other.push(...moved);
      other.sort((a, b) => a.x0 - b.x0);
    }
  });
  return lines.filter((line) => line.length > 0);
}

/** True for a small word directly after or before another one, raised or lowered by less than its height. */
function isScript(word: Word, near: Word): boolean {
  if (word.size >= SMALL * near.size) return false;
  const rise = near.y - word.y;
  const gap = Math.min(Math.abs(word.x0 - near.x1), Math.abs(near.x0 - word.x1));
  return rise > -0.4 * near.size && rise < 0.7 * near.size && gap < 0.3 * near.size;
}

/** True for a word between two others of a line that touch it, lowered or raised by less than half of its height. */
function isWithin({ x0, x1, y, size }: Word, line: readonly Word[]): boolean {
  const near = line.filter((word) => Math.abs(word.y - y) < 0.4 * size);
  const touches = (gap: number): boolean => gap < SPACE_GAP * size && gap > -0.3 * size;
  return near.some((word) => touches(x0 - word.x1)) && near.some((word) => touches(word.x0 - x1));
}

/** True if a space is between two words of a line, or one lies over the other. */
export function areApart(before: Word, word: Word): boolean {
  const gap = (word.x0 - before.x1) / Math.min(before.size, word.size);
  return word.isSpaced || gap > SPACE_GAP || gap < -MAX_OVERLAP;
}

/** The text of a line. */
export const lineText = ({ words }: Pick<PageLine, 'words'>): string =>
  words
    .map((word, at) => {
      const before = words[at - 1];
      return before && areApart(before, word) ? ` ${word.text}` : word.text;
    })
    .join('');

/** Words of a sentence are not further apart than this share of their size. */
const CELL_GAP = 1.2;

/** True for a line with gaps as between the cells of a table; after its first word, such as a number, a gap can be wider. */
export const hasCells = ({ words }: Pick<PageLine, 'words'>): boolean =>
  words.some((word, at) => {
    const before = words[at - 1];
    return before !== undefined && at > 1 && word.x0 - before.x1 > CELL_GAP * word.size;
  });
