import type TurndownService from 'turndown';
import { pipeRows, type TableGroup } from '../tables/pipe-rows.js';
import { readSpan } from '../tables/place-cells.js';
import { ancestorOf, attributeOf, type HtmlNode } from './html-node.js';

const BLOCKS = ['table', 'pre', 'h1', 'h2', 'h3', 'h4'] as const;

/**
 * Adds the rules for tables: one line per row, a value in each row that it covers, and an empty header row if the table
 * has none. A layout table (with headings, code or other tables) is replaced by its content.
 */
export function useTables(service: TurndownService): void {
  const isLayout = layoutTest();
  const texts = new Map<HtmlNode, string>();
  const inner = (content: string): string => `\n\n${content}\n\n`;
  service.addRule('tablePart', {
    filter: ['tr', 'thead', 'tbody', 'tfoot'],
    replacement: (content, node: HtmlNode) => (isLayout(node) ? inner(content) : ''),
  });
  service.addRule('tableCell', {
    filter: ['th', 'td'],
    replacement: (content, node: HtmlNode) => {
      if (isLayout(node)) return inner(content);
      texts.set(node, linesOf(content).join('<br>'));
      return '';
    },
  });
  service.addRule('table', {
    filter: 'table',
    replacement: (caption, node: HtmlNode) => {
      if (isLayoutTable(node)) return inner(caption);
      const rows = pipeRows(groupsOf(node, texts)).join('\n');
      return inner(`${caption.trim()}\n\n${rows}`.trim());
    },
  });
  service.addRule('caption', { filter: 'caption', replacement: (content) => inner(content.trim()) });
}

/** The rows by group; the feet come last, wherever they are written. */
function groupsOf(table: HtmlNode, texts: ReadonlyMap<HtmlNode, string>): TableGroup[] {
  const groups = childrenOf(table, /^T(?:HEAD|BODY)$/);
  return [...groups, ...childrenOf(table, /^TFOOT$/)].map((group) => ({
    isHead: group.nodeName === 'THEAD',
    rows: childrenOf(group, /^TR$/).map((tr) =>
      childrenOf(tr, /^T[DH]$/).map((cell) => ({
        value: { text: texts.get(cell) ?? '', isHeader: cell.nodeName === 'TH' },
        columns: readSpan('colspan', attributeOf(cell, 'colspan')),
        rows: readSpan('rowspan', attributeOf(cell, 'rowspan')),
      })),
    ),
  }));
}

const linesOf = (content: string): string[] =>
  content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const childrenOf = (parent: HtmlNode, names: RegExp): HtmlNode[] =>
  Array.from(parent.childNodes).filter(({ nodeName }) => names.test(nodeName));

function isLayoutTable(table: HtmlNode): boolean {
  return BLOCKS.some((name) => table.getElementsByTagName(name).length > 0);
}

/** Caches the result per table, since every cell needs it. */
function layoutTest(): (node: HtmlNode) => boolean {
  const known = new WeakMap<HtmlNode, boolean>();
  return (node) => {
    const table = ancestorOf(node, /^TABLE$/);
    if (!table) return true;
    const answer = known.get(table) ?? isLayoutTable(table);
    known.set(table, answer);
    return answer;
  };
}
