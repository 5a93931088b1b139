import { convertDirective } from '../directives/convert-directive.js';
import { isDirective, parseDirective } from '../directives/parse-directive.js';
import { labelId, targetName } from '../inline/references.js';
import type { BlockRule } from '../rst-converter.js';
import { dedent, endOfIndented, isBlank, type SourceLine } from '../source-line.js';

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
export const convertExplicit: BlockRule = (lines, at, { rst, depth }) => {
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
