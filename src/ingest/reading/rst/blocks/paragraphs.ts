import type { BlockRule } from '../rst-converter.js';
import { dedent, endOfIndented, isBlank, type SourceLine } from '../source-line.js';
import { fence } from '../writing/fence.js';
import { paragraph } from '../writing/paragraph.js';

const QUOTING = /^[!-/:-@[-`{-~]/;

/** Text up to a blank or indented line, with the block of code that a `::` at its end announces. */
export const convertParagraph: BlockRule = (lines, at, { rst }) => {
  let end = at + 1;
  while (end < lines.length && !isBlank(lines[end]) && !lines[end]?.text.startsWith(' ')) end++;
  const text = lines.slice(at, end);
  const last = text.at(-1);
  if (!last?.text.endsWith('::')) return { lines: [...paragraph(rst, text), blankAfter(last)], end };
  const code = literalBlock(lines, end);
  const before = last.text.slice(0, -2);
  // A `::` after a space disappears.
  const shown = before.endsWith(' ') || before === '' ? before.trimEnd() : `${before}:`;
  const prose = [...text.slice(0, -1), { ...last, text: shown }].filter((own) => own.text !== '');
  const block = code.lines.length > 0 ? fence(code.lines) : [blankAfter(last)];
  return { lines: [...paragraph(rst, prose), ...block], end: code.end };
};

function blankAfter(line: SourceLine | undefined): SourceLine {
  return { text: '', line: line?.line ?? 0 };
}

/** The lines of code after a `::`: an indented block, or lines that begin with the same punctuation. */
function literalBlock(
  lines: readonly SourceLine[],
  from: number,
): { readonly lines: readonly SourceLine[]; readonly end: number } {
  const end = endOfIndented(lines, from);
  if (end > from) return { lines: lines.slice(from, end), end };
  let start = from;
  while (start < lines.length && isBlank(lines[start])) start++;
  const [quote] = QUOTING.exec(lines[start]?.text ?? '') ?? [];
  let to = start;
  while (start > from && quote !== undefined && lines[to]?.text.startsWith(quote)) to++;
  const isMarkup = /^\.\. |^`|^:\w|^\*/.test(lines[start]?.text ?? '');
  return isMarkup || to === start ? { lines: [], end: from } : { lines: lines.slice(start, to), end: to };
}

/** A Python session, up to a blank line. */
export const convertDoctest: BlockRule = (lines, at) => {
  if (!/^>>>(?: |$)/.test(lines[at]?.text ?? '')) return null;
  let end = at;
  while (!isBlank(lines[end])) end++;
  return { lines: fence(lines.slice(at, end), 'pycon'), end };
};

/** Lines that begin with `|`, whose line breaks are meant. */
export const convertLineBlock: BlockRule = (lines, at, { rst }) => {
  if (!/^\|(?: |$)/.test(lines[at]?.text ?? '')) return null;
  let end = at;
  while (/^(?:\|(?: |$)| +\S)/.test(lines[end]?.text ?? '')) end++;
  const texts = lines.slice(at, end).map((own) => ({ ...own, text: own.text.replace(/^\|?\s*/, '') }));
  return { lines: [...paragraph(rst, texts), blankAfter(texts.at(-1))], end };
};

/** Indented text is not marked as a quotation, since most of it is indented for other reasons. */
export const convertQuotation: BlockRule = (lines, at, { rst, depth }) => {
  if (!lines[at]?.text.startsWith(' ')) return null;
  const end = endOfIndented(lines, at);
  return { lines: [...rst.blocks(dedent(lines.slice(at, end)), depth + 1), blankAfter(lines[end - 1])], end };
};
