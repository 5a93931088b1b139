import { adornmentOf } from '../adornment.js';
import type { BlockRule, RstConverter } from '../rst-converter.js';
import { isBlank, type SourceLine } from '../source-line.js';

/** Shorter underlines must be as long as their title; the number is that of docutils. */
const MIN_ADORNMENT = 4;
/** Characters with which a heading would contain markup. */
const MARKUP = /[\\`*_{}[\]<>#~!&]/g;

function isLongEnough(adornment: SourceLine | undefined, title: string): boolean {
  const length = adornment?.text.length ?? 0;
  return length >= Math.min(MIN_ADORNMENT, [...title.slice(0, MIN_ADORNMENT)].length);
}

/** A title with a line of punctuation below it, or above and below it. */
export const convertTitle: BlockRule = (lines, at, { rst, depth }) => {
  const [first, second, third] = lines.slice(at, at + 3);
  if (!first || !second) return null;
  const levelOf = (style: string): number => (depth > 0 ? 0 : rst.levelOf(style));
  const over = adornmentOf(first);
  if (over !== null && third && adornmentOf(third) === over && adornmentOf(second) === null) {
    const title = second.text.trim();
    if (title === '' || !isLongEnough(first, title)) return null;
    return { lines: heading(rst, { ...first, text: title }, levelOf(over + over)), end: at + 3 };
  }
  const under = adornmentOf(second);
  if (under === null || first.text.startsWith(' ') || (over !== null && first.text.length > 1)) return null;
  if (!isLongEnough(second, first.text)) return null;
  return { lines: heading(rst, first, levelOf(under)), end: at + 2 };
};

/** @param level  0 outside the sections of the document, where a title is only bold */
function heading(rst: RstConverter, { text, line }: SourceLine, level: number): readonly SourceLine[] {
  const blank = { text: '', line };
  if (level === 0) return [{ text: `**${rst.plain(text)}**`, line }, blank];
  const title = rst.plain(text).replace(MARKUP, '\\$&');
  return [blank, { text: `${'#'.repeat(Math.min(6, level))} ${title}`, line }, blank];
}

/** A line of punctuation between blank lines is a rule without text. */
export const convertTransition: BlockRule = (lines, at) => {
  const isRule = adornmentOf(lines[at]) !== null && (lines[at]?.text.length ?? 0) >= MIN_ADORNMENT;
  if (!isRule || !isBlank(lines[at + 1])) return null;
  return { lines: [{ text: '', line: lines[at]?.line ?? 0 }], end: at + 1 };
};
