import { childElements, type HtmlChild, type HtmlElement, isElement } from './html-tree.js';
import { BLOCK, visibleText } from './visible-text.js';

/** A longer line before a table is text, not a caption. */
const MAX_LINE_CHARS = 300;
/** Elements around a table that only frame it. */
const MAX_FRAMES = 3;

/** A caption, and where it was found. */
export interface Caption {
  readonly text: string;
  readonly from: 'caption' | 'line';
}

/** The caption element of a table, else a line directly before it that ends with a colon or begins with "Table". */
export function captionOf(table: HtmlElement): Caption | null {
  const [own] = childElements(table, /^caption$/);
  const figure = table.parentNode && isElement(table.parentNode) ? table.parentNode : null;
  const [around] = figure?.tagName === 'figure' ? childElements(figure, /^figcaption$/) : [];
  const text = visibleText((own ?? around)?.childNodes ?? []);
  if (text !== '') return { text, from: 'caption' };
  const line = lineBefore(table);
  const isCaption = line.length <= MAX_LINE_CHARS && /(?:[:：]$)|^Table\b/i.test(line);
  return isCaption ? { text: line, from: 'line' } : null;
}

const isBlank = (node: HtmlChild): boolean =>
  node.nodeName === '#comment' || ('value' in node && node.value.trim() === '');

/** The last line of the paragraph or text before a table; empty for anything else. */
function lineBefore(table: HtmlElement): string {
  let element = table;
  for (let frames = 0; frames <= MAX_FRAMES; frames++) {
    const parent = element.parentNode;
    if (!parent) return '';
    const before = parent.childNodes.slice(0, parent.childNodes.indexOf(element));
    const last = before.findLast((node) => !isBlank(node));
    if (last) return lastLine(before.slice(0, before.indexOf(last) + 1));
    if (!isElement(parent) || !/^(?:div|figure|center)$/.test(parent.tagName)) return '';
    element = parent;
  }
  return '';
}

function lastLine(before: readonly HtmlChild[]): string {
  const isBreak = (node: HtmlChild): boolean =>
    isElement(node) && (BLOCK.test(node.tagName) || /^(?:br|table)$/.test(node.tagName));
  const last = before.at(-1);
  if (last && isElement(last) && last.tagName === 'p') return visibleText([last]).split('\n').at(-1) ?? '';
  const start = before.findLastIndex(isBreak) + 1;
  return visibleText(before.slice(start)).split('\n').at(-1) ?? '';
}
