import type TurndownService from 'turndown';
import { tables } from 'turndown-plugin-gfm';
import { ancestorOf, type HtmlNode } from './html-node.js';

const BLOCKS = ['table', 'pre', 'h1', 'h2', 'h3', 'h4'] as const;
const DELIMITER = /^\|[^\n]*\n\|(?: :?-+:? \|)+(?:\n|$)/;

/**
 * Adds rules for tables to those of the plugin: cells stay on one line, a table without a header row gets an empty one,
 * and a layout table (with headings, code or other tables) is replaced by its content.
 */
export function useTables(service: TurndownService): void {
  const isLayout = layoutTest();
  service.use(tables);
  service.addRule('tableCell', {
    filter: ['th', 'td'],
    replacement: (content, node: HtmlNode) => {
      if (isLayout(node)) return `\n\n${content}\n\n`;
      const isFirst = node.parentNode?.childNodes[0] === node;
      return `${isFirst ? '|' : ''} ${oneLine(content)} |`;
    },
  });
  service.addRule('layoutRow', {
    filter: (node: HtmlNode) => node.nodeName === 'TR' && isLayout(node),
    replacement: (content) => `\n\n${content}\n\n`,
  });
  service.addRule('table', {
    filter: 'table',
    replacement: (content, node: HtmlNode) => {
      if (isLayoutTable(node)) return `\n\n${content}\n\n`;
      const rows = content.replace(/\n{2,}/g, '\n').trim();
      return `\n\n${DELIMITER.test(rows) || !rows.startsWith('|') ? rows : emptyHeader(rows) + rows}\n\n`;
    },
  });
  service.addRule('caption', { filter: 'caption', replacement: (content) => `${oneLine(content)}\n\n` });
}

function oneLine(content: string): string {
  return content
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/(?<!\\)\|/g, '\\|');
}

function emptyHeader(rows: string): string {
  const columns = (rows.split('\n', 1)[0] ?? '').split(/(?<!\\)\|/).length - 2;
  return `|${'  |'.repeat(columns)}\n|${' --- |'.repeat(columns)}\n`;
}

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
