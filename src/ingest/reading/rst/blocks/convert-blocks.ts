import { adornmentOf } from '../adornment.js';
import { convertDirective } from '../directives/convert-directive.js';
import { isDirective, parseDirective } from '../directives/parse-directive.js';
import { labelId, targetName } from '../inline/references.js';
import type { BlockRule, RstConverter } from '../rst-converter.js';
import { dedent, endOfIndented, isBlank, type SourceLine } from '../source-line.js';
import { convertGridTable } from '../tables/grid-table.js';
import { simpleTableRule } from '../tables/simple-table.js';
import { flatParagraph } from '../writing/paragraph.js';
import { convertField } from './fields.js';
import { convertBullets, convertDefinition, convertNumbered, convertOptions } from './lists.js';
import { convertDoctest, convertLineBlock, convertParagraph, convertQuotation } from './paragraphs.js';

/** Shorter underlines must be as long as their title; the number is that of docutils. */
const MIN_ADORNMENT = 4;
/** Characters with which a heading would contain markup. */
const MARKUP = /[\\`*_{}[\]<>#~!&]/g;

function isLongEnough(adornment: SourceLine | undefined, title: string): boolean {
  const length = adornment?.text.length ?? 0;
  return length >= Math.min(MIN_ADORNMENT, [...title.slice(0, MIN_ADORNMENT)].length);
}

/** A title with a line of punctuation below it, or above and below it. */
const convertTitle: BlockRule = (lines, at, { rst, depth }) => {
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
const convertTransition: BlockRule = (lines, at) => {
  const isRule = adornmentOf(lines[at]) !== null && (lines[at]?.text.length ?? 0) >= MIN_ADORNMENT;
  if (!isRule || !isBlank(lines[at + 1])) return null;
  return { lines: [{ text: '', line: lines[at]?.line ?? 0 }], end: at + 1 };
};

const LABEL = /^\.\. _(`[^`]{1,500}`|(?:[^:`\\]|\\.|:(?! |$)){1,500}):$/;
const FOOTNOTE = /^\.\. \[([^\]]{1,100})\](?: +|$)/;

const TARGET = /^(?:\.\. _|__ )/;

/** A target ends at a blank line; indented text below that is not part of it. */
function endOfTarget(lines: readonly SourceLine[], from: number): number {
  let end = from;
  while (lines[end]?.text.startsWith(' ')) end++;
  return end;
}

/** Directives, footnotes, targets and comments: blocks that begin with two dots, and targets without a name. */
const convertExplicit: BlockRule = (lines, at, { rst, depth }) => {
  const own = lines[at];
  const text = own?.text ?? '';
  const isMarkup = text === '..' || text.startsWith('.. ') || /^__(?: |$)/.test(text);
  if (!own || !isMarkup) return null;
  // An empty comment does not include the indented text after a blank line.
  const isEmpty = text === '..' && isBlank(lines[at + 1]);
  const ended = TARGET.test(text) ? endOfTarget(lines, at + 1) : endOfIndented(lines, at + 1);
  const end = isEmpty ? at + 1 : ended;
  const below = lines.slice(at + 1, end);
  const blank = { text: '', line: own.line };
  if (isDirective(text)) {
    const directive = text.startsWith('.. |') ? null : parseDirective(own, below);
    return { lines: directive ? [...convertDirective(directive, { rst, depth }), blank] : [blank], end };
  }
  const [, label] = LABEL.exec(text) ?? [];
  if (label !== undefined && below.length === 0) rst.addLabel(labelId(targetName(label)), own.line);
  const footnote = FOOTNOTE.exec(text);
  if (!footnote) return { lines: [blank], end };
  const [{ length: width }, name = ''] = footnote;
  const first = { ...own, text: `[${name}] ${text.slice(width)}`.trimEnd() };
  return { lines: [...rst.blocks([first, ...dedent(below)], depth + 1), blank], end };
};

/** Deeper nesting is plain text: each level reads its lines again. */
const MAX_DEPTH = 24;

/** Converts blocks one after the other. The first rule that accepts a line converts the block. */
export function convertBlocks(
  rst: RstConverter,
  lines: readonly SourceLine[],
  depth: number,
): readonly SourceLine[] {
  if (depth > MAX_DEPTH) return flatParagraph(rst, lines);
  const rules: readonly BlockRule[] = [
    convertBlank,
    convertQuotation,
    convertExplicit,
    convertTitle,
    convertGridTable,
    simpleTableRule(),
    convertTransition,
    convertDoctest,
    convertLineBlock,
    convertBullets,
    convertNumbered,
    convertField,
    convertOptions,
    convertDefinition,
    convertParagraph,
  ];
  const out: SourceLine[] = [];
  for (let at = 0; at < lines.length;) {
    const converted = firstOf(rules, (rule) => rule(lines, at, { rst, depth }));
    const isAfterBlank = isBlank(out.at(-1));
    for (const own of isAfterBlank ? withoutStart(converted?.lines ?? []) : (converted?.lines ?? []))
      out.push(own);
    at = Math.max(at + 1, converted?.end ?? 0);
  }
  return out;
}

/** One blank line between blocks is enough. */
function withoutStart(lines: readonly SourceLine[]): readonly SourceLine[] {
  const start = lines.findIndex((own) => !isBlank(own));
  return start < 0 ? [] : lines.slice(start);
}

const convertBlank: BlockRule = (lines, at) => {
  const own = lines[at];
  return own && isBlank(own) ? { lines: [own], end: at + 1 } : null;
};

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | null): R | null {
  for (const each of items) {
    const found = find(each);
    if (found !== null) return found;
  }
  return null;
}
