import TurndownService from 'turndown';
import { strikethrough, taskListItems } from 'turndown-plugin-gfm';
import { codeRule } from './html-code.js';
import { ancestorOf, attributeOf, type HtmlNode } from './html-node.js';
import { useTables } from './html-table.js';

const DROPPED =
  /^(?:SCRIPT|STYLE|NAV|ASIDE|NOSCRIPT|IFRAME|SVG|BUTTON|SELECT|TEXTAREA|INPUT|DATALIST|OBJECT|TEMPLATE|DIALOG)$/i;
const HEADING = /^H[1-6]$/;
const CONTENT = /^(?:ARTICLE|MAIN)$/;

/** Makes the converter from HTML to Markdown; one per page, since it counts list items. */
export function htmlConverter(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    hr: '---',
  });
  service.escape = escapeStructure;
  service.use([strikethrough, taskListItems]);
  useTables(service);
  service.remove((node: HtmlNode) => DROPPED.test(node.nodeName));
  service.addRule('pageFrame', {
    filter: (node: HtmlNode) =>
      /^(?:HEADER|FOOTER)$/.test(node.nodeName) && !ancestorOf(node, CONTENT) && !isMain(node),
    replacement: () => '',
  });
  service.addRule('code', codeRule);
  service.addRule('heading', headingRule);
  service.addRule('permalink', {
    filter: (node: HtmlNode) =>
      node.nodeName === 'A' && ancestorOf(node, HEADING) !== null && !hasWords(node),
    replacement: () => '',
  });
  service.addRule('listItem', listItemRule());
  return service;
}

/** True for the element that says it holds what the page is about. */
export function isMain(node: HtmlNode): boolean {
  return node.nodeName === 'MAIN' || attributeOf(node, 'role').toLowerCase() === 'main';
}

/** Text is read as Markdown again, so what would make a heading, a fence or an underline there is escaped; nothing else is. */
function escapeStructure(text: string): string {
  return text.replace(/^(?=#{1,6}(?:\s|$)|`{3}|~{3}|(?:=+|-+)\s*$)/gm, '\\');
}

function hasWords(node: HtmlNode): boolean {
  return /[\p{L}\p{N}]/u.test(node.textContent ?? '');
}

const headingRule: TurndownService.Rule = {
  filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  replacement: (content, node: HtmlNode) => {
    const title = headingText(node).replace(/\s+/g, ' ').trim();
    if (title === '') return content.trim() === '' ? '' : `\n\n${content}\n\n`;
    const id = anchorOf(node);
    const anchor = /^[^\s{}\\]+$/.test(id) ? ` {#${id}}` : '';
    return `\n\n${'#'.repeat(Number(node.nodeName.charAt(1)))} ${escapeInline(title)}${anchor}\n\n`;
  },
};

function headingText(node: HtmlNode): string {
  if (node.nodeType === 3) return node.nodeValue ?? '';
  if (DROPPED.test(node.nodeName) || (node.nodeName === 'A' && !hasWords(node))) return '';
  if (node.nodeName === 'BR') return ' ';
  return Array.from(node.childNodes, headingText).join('');
}

/** Sphinx puts the id on the section that the heading opens. */
function anchorOf(heading: HtmlNode): string {
  const own = attributeOf(heading, 'id');
  const section = heading.parentNode;
  const opens = section?.firstElementChild === heading && /^(?:SECTION|DIV)$/.test(section.nodeName);
  return own || (opens ? attributeOf(section, 'id') : '');
}

function escapeInline(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#~!&]/g, '\\$&');
}

/** As turndown's, but counting items instead of looking each one up, which takes quadratic time. */
function listItemRule(): TurndownService.Rule {
  const counts = new WeakMap<HtmlNode, number>();
  return {
    filter: 'li',
    replacement: (content, node: HtmlNode & { readonly nextSibling: unknown }) => {
      const list = node.parentNode;
      const count = (list && counts.get(list)) ?? (Number.parseInt(attributeOf(list, 'start'), 10) || 1);
      if (list) counts.set(list, count + 1);
      const prefix = list?.nodeName === 'OL' ? `${count}. ` : '- ';
      const body = content.trim().replace(/\n(?=[^\n])/g, `\n${' '.repeat(prefix.length)}`);
      return `${prefix}${body}${node.nextSibling ? '\n' : ''}`;
    },
  };
}
