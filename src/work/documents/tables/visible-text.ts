import { withoutInvisible } from '../../../text/remove-invisible.js';
import { attributeIn, type HtmlChild, type HtmlElement, isElement } from './html-tree.js';

export const BLOCK =
  /^(?:address|article|blockquote|dd|details|div|dl|dt|figcaption|figure|h[1-6]|hr|li|ol|p|pre|section|summary|ul)$/;
/** Elements without text of the cell around them. Nested tables are tables of their own. */
const LEFT_OUT = /^(?:script|style|template|noscript|svg|table|select|textarea)$/;

interface Left {
  /** A string is text to add. */
  readonly node: HtmlChild | string;
  readonly isPre: boolean;
}

/** The text of nodes as readers see it: one line per block, white space collapsed, images by their alternative text. */
export function visibleText(nodes: readonly HtmlChild[]): string {
  const pieces: string[] = [];
  const rest: Left[] = nodes.map((node) => ({ node, isPre: false })).reverse();
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { node, isPre } = next;
    if (typeof node === 'string') pieces.push(node);
    else if (node.nodeName === '#text' && 'value' in node) {
      pieces.push(isPre ? node.value : node.value.replace(/\s+/g, ' '));
    } else if (isElement(node)) openElement(node, isPre, rest);
  }
  const lines = withoutInvisible(pieces.join('').toWellFormed()).split('\n');
  return lines
    .map((line) => line.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

function openElement(element: HtmlElement, isPre: boolean, rest: Left[]): void {
  const { tagName, childNodes } = element;
  if (LEFT_OUT.test(tagName)) return;
  if (tagName === 'br') rest.push({ node: '\n', isPre });
  if (tagName === 'img') rest.push({ node: attributeIn(element, 'alt') ?? '', isPre });
  const isBlock = BLOCK.test(tagName);
  if (isBlock) rest.push({ node: '\n', isPre });
  for (let i = childNodes.length - 1; i >= 0; i--) {
    const node = childNodes[i];
    if (node) rest.push({ node, isPre: isPre || tagName === 'pre' });
  }
  if (isBlock) rest.push({ node: '\n', isPre });
}
