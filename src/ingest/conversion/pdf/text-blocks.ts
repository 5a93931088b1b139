import { areApart, lineText, type PageLine } from './text-lines.js';

/** Lines that belong together. */
export interface TextBlock {
  readonly kind: 'paragraph' | 'item' | 'code' | 'note';
  readonly lines: PageLine[];
  /** Of an item: where its mark begins, and its text. */
  readonly indent: { readonly mark: number; readonly text: number };
}

/** The usual style of text in a document. */
export interface BodyStyle {
  readonly size: number;
  readonly isMono: boolean;
  readonly isBold: boolean;
}

/** The style of most letters. */
export function bodyStyle(lines: readonly PageLine[]): BodyStyle {
  const counts = new Map<string, { readonly style: BodyStyle; letters: number }>();
  for (const { size, isMono, isBold, words } of lines) {
    const style = { size: Math.round(size * 2) / 2, isMono, isBold };
    const key = JSON.stringify(style);
    const found = counts.get(key) ?? { style, letters: 0 };
    found.letters += words.reduce((sum, { text }) => sum + text.length, 0);
    counts.set(key, found);
  }
  const [most] = [...counts.values()].sort((a, b) => b.letters - a.letters);
  return most?.style ?? { size: 10, isMono: false, isBold: false };
}

const BULLET = /^[•▪▫■□●○◦‣⁃∙·–—*✓✔➢➤►▶◆◇❖-]$/u;
const NUMBER = /^(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]|\[\d{1,3}\])$/;
const NOTE_MARK = /^(?:\d{1,3}|[*†‡§¶]{1,3}|[a-z])$/;

/** True for the first line of a point of a list. */
export function isItem({ words }: PageLine): boolean {
  const [mark, text] = words;
  if (!mark || !text) return false;
  if (BULLET.test(mark.text)) return areApart(mark, text);
  return NUMBER.test(mark.text) && text.x0 - mark.x1 > 0.1 * mark.size;
}

/** Lines further apart than this share of the usual distance are in different paragraphs. */
const PARAGRAPH_GAP = 1.35;
const INDENT = 0.8;

/** Puts the lines of a document together. @param isHeading  true for a line that is put in as it is, and ends what is before them */
export function blocksFrom(
  lines: readonly PageLine[],
  { body, isHeading }: { readonly body: BodyStyle; readonly isHeading: (line: PageLine) => boolean },
): (TextBlock | PageLine)[] {
  const pitches = columnPitches(lines, body);
  const blocks: (TextBlock | PageLine)[] = [];
  let open: TextBlock | null = null;
  let notes: TextBlock[] = [];
  const flush = (): void => {
    blocks.push(...notes);
    notes = [];
  };
  for (const line of lines) {
    if (isHeading(line)) {
      flush();
      blocks.push(line);
      open = null;
      continue;
    }
    const note = notes.at(-1);
    const isBelowNote = note !== undefined && isSameColumn(note.lines.at(-1), line);
    if (isNoteStart(line, body) || (isBelowNote && line.size < 0.93 * body.size)) {
      if (isBelowNote && !isNoteStart(line, body)) note.lines.push(line);
      else notes.push(newBlock('note', line));
      continue;
    }
    const pitch = pitches.get(columnKey(line)) ?? line.size * 1.2;
    if (open && continues(open, line, { pitch, body })) {
      open.lines.push(line);
      continue;
    }
    flush();
    open = newBlock(kindOf(line, body), line);
    blocks.push(open);
  }
  flush();
  return blocks;
}

const kindOf = (line: PageLine, body: BodyStyle): TextBlock['kind'] => {
  if (line.isMono && !body.isMono) return 'code';
  return isItem(line) ? 'item' : 'paragraph';
};

function newBlock(kind: TextBlock['kind'], line: PageLine): TextBlock {
  const indent = { mark: line.x0, text: line.words[1]?.x0 ?? line.x0 };
  return { kind, lines: [line], indent };
}

const columnKey = ({ page, column }: PageLine): string => `${page} ${column}`;
const isSameColumn = (a: PageLine | undefined, b: PageLine): boolean =>
  a !== undefined && a.page === b.page && a.column === b.column;

/** The usual distance between the lines of each column. */
function columnPitches(lines: readonly PageLine[], body: BodyStyle): ReadonlyMap<string, number> {
  const gaps = new Map<string, number[]>();
  lines.forEach((line, at) => {
    const before = lines[at - 1];
    if (!before || !isSameColumn(before, line)) return;
    const gap = line.y - before.y;
    if (gap <= 0.5 * line.size || gap > 2.5 * line.size) return;
    gaps.set(columnKey(line), [...(gaps.get(columnKey(line)) ?? []), gap]);
  });
  const usual = (found: readonly number[]): number =>
    [...found].sort((a, b) => a - b)[Math.floor(found.length * 0.3)] ?? 1.2 * body.size;
  return new Map([...gaps].map(([key, found]) => [key, usual(found)]));
}

/** A header or footer, or small text below the text of a page that begins with the mark of a note. */
function isNoteStart(line: PageLine, body: BodyStyle): boolean {
  if (line.isRunning) return true;
  const [mark, text] = line.words;
  if (!mark || !text || line.size >= 0.93 * body.size || line.isMono) return false;
  return (
    NOTE_MARK.test(mark.text) && mark.size <= text.size && mark.y <= text.y && mark.size < 0.87 * text.size
  );
}

function continues(
  open: TextBlock,
  line: PageLine,
  { pitch, body }: { readonly pitch: number; readonly body: BodyStyle },
): boolean {
  const last = open.lines.at(-1);
  if (!last) return false;
  const isCode = line.isMono && !body.isMono;
  // A block that goes on over pages would be cited by its first page only.
  if (line.page > (open.lines[0]?.page ?? 0) + 1) return false;
  if (open.kind === 'code') return isCode && continuesCode(last, line);
  if (isCode || isItem(line) || !isSameSize(last, line) || last.isBold !== line.isBold) {
    if (isCode || isItem(line) || !isSameSize(last, line)) return false;
    if (isAllBold(open)) return false;
  }
  if (last.isEntry) return false;
  if (!isSameColumn(last, line)) return continuesElsewhere(open, last, line);
  const gap = line.y - last.y;
  if (gap > PARAGRAPH_GAP * pitch || gap < 0) return false;
  if (open.kind === 'item') return line.x0 > open.indent.mark + 0.3 * line.size;
  return !isIndented(open, line) && !endsEarly(last, line);
}

const isAllBold = ({ lines }: TextBlock): boolean => lines.every(({ isBold }) => isBold);

const isSameSize = (a: PageLine, b: PageLine): boolean => Math.abs(a.size - b.size) < 0.08 * a.size;

/** Code goes on after a gap of a line or two, and on the next page. */
const continuesCode = (last: PageLine, line: PageLine): boolean =>
  isSameSize(last, line) &&
  (!isSameColumn(last, line) || (line.y > last.y && line.y - last.y < 3.2 * line.size));

/** True for a line that begins to the right of the ones before it: the first one of a paragraph. */
function isIndented({ lines }: TextBlock, line: PageLine): boolean {
  const last = lines.at(-1);
  if (!last || line.x0 <= last.x0 + INDENT * line.size) return false;
  // The second line can be indented against the first: then all but the first are.
  return lines.length > 1 || last.x0 <= line.left + INDENT * line.size;
}

const SENTENCE_END = /[.!?:;。！？]["'”’)\]]*$/u;

/** A word that goes on in the next line. */
const BROKEN = /\p{L}[-\u00ad\u2010]$/u;

/** True if the first word of a line would have fitted into the line before it, after the end of a sentence. */
function endsEarly(last: PageLine, line: PageLine): boolean {
  const [first] = line.words;
  const room = last.right - last.x1;
  const text = lineText(last);
  if (!first || room < first.x1 - first.x0 + 0.6 * last.size || BROKEN.test(text)) return false;
  return SENTENCE_END.test(text) || room > 0.4 * (last.right - last.left);
}

/** True if the first line of a column or page continues the paragraph before it. */
function continuesElsewhere(open: TextBlock, last: PageLine, line: PageLine): boolean {
  const text = lineText(last);
  if (
    open.kind === 'item' &&
    line.x0 < line.left + INDENT * line.size &&
    last.x0 > last.left + INDENT * line.size
  ) {
    if (SENTENCE_END.test(text)) return false;
  }
  if (BROKEN.test(text)) return true;
  if (SENTENCE_END.test(text)) return false;
  const isFull = last.x1 > last.right - 0.15 * (last.right - last.left);
  return /^\p{Ll}/u.test(lineText(line)) || (isFull && line.x0 < line.left + INDENT * line.size);
}
