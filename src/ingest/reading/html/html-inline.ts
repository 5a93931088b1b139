import type TurndownService from 'turndown';
import { markText } from '../meaningful-marks.js';
import { ancestorOf, attributeOf, type HtmlNode } from './html-node.js';
import { needsGap } from './is-block.js';
import { FORMULA } from './is-dropped.js';

const MARKED = /^(?:DEL|INS|KBD|Q|S|STRIKE|SUB|SUP)$/;

/** Adds the rules for parts of a line that mean something else without their element. */
export function useInline(service: TurndownService): void {
  const explained = new Set<string>();
  service.addRule('marked', {
    filter: (node: HtmlNode) => MARKED.test(node.nodeName),
    replacement: (content, node: HtmlNode) => {
      const shown = isMarked(node) ? markText(node.nodeName.toLowerCase(), content) : content;
      return needsGap(node) ? ` ${shown}` : shown;
    },
  });
  service.addRule('struck', {
    filter: (node: HtmlNode) =>
      node.nodeName === 'SPAN' && /(?:^|\s)line-through(?!\S)/.test(attributeOf(node, 'class')),
    replacement: (content) => markText('del', content),
  });
  service.addRule('abbreviation', {
    filter: ['abbr', 'acronym'],
    replacement: (content, node: HtmlNode) => {
      const title = attributeOf(node, 'title').replace(/\s+/g, ' ').trim();
      if (title === '' || title === content || explained.has(content)) return content;
      explained.add(content);
      return `${content} (${title})`;
    },
  });
  service.addRule('formula', {
    filter: (node: HtmlNode) => node.nodeName.toLowerCase() === 'math',
    replacement: (_content, node: HtmlNode) => formulaText(node),
  });
  service.addRule('tex', {
    filter: (node: HtmlNode) => node.nodeName === 'SCRIPT' && FORMULA.test(attributeOf(node, 'type')),
    replacement: (_content, node: HtmlNode) =>
      texText((node.textContent ?? '').trim(), attributeOf(node, 'type').includes('display')),
  });
  service.addRule('taskBox', {
    filter: (node: HtmlNode) => node.nodeName === 'INPUT',
    replacement: (_content, node: HtmlNode) => (node.getAttribute('checked') === null ? '[ ] ' : '[x] '),
  });
}

/** Searching the keys for others takes quadratic time. The converter starts with the inner ones. */
const aroundKeys = new WeakSet<HtmlNode>();

/** False for the mark of a footnote, which is a link, and for a key around other keys. */
function isMarked(node: HtmlNode): boolean {
  if (node.nodeName === 'KBD') {
    const around = ancestorOf(node, /^KBD$/);
    if (around) aroundKeys.add(around);
    return !aroundKeys.has(node);
  }
  if (node.nodeName !== 'SUP') return true;
  const [within = null] = Array.from(node.getElementsByTagName('a'));
  const link = within ?? ancestorOf(node, /^A$/);
  return link?.textContent !== node.textContent || !attributeOf(link, 'href').startsWith('#');
}

/** Writes a formula of MathML: as the TeX that it was made of, if it has it, else with the marks of Markdown. */
function formulaText(math: HtmlNode): string {
  const tex = Array.from(math.getElementsByTagName('annotation')).find((node) =>
    /tex/i.test(attributeOf(node, 'encoding')),
  );
  const source = (tex?.textContent ?? attributeOf(math, 'alttext')).replace(/\s+/g, ' ').trim();
  if (source === '') return childTexts(math).join('');
  return texText(source, attributeOf(math, 'display') === 'block');
}

function texText(source: string, isDisplay: boolean): string {
  const mark = isDisplay ? '$$' : '$';
  return `${mark}${source}${mark}`;
}

function childTexts(node: HtmlNode): readonly string[] {
  return Array.from(node.childNodes)
    .map(nodeText)
    .filter((text) => text !== '');
}

function nodeText(node: HtmlNode): string {
  if (node.nodeType === 3) return (node.nodeValue ?? '').trim();
  const name = node.nodeName.toLowerCase();
  if (name.startsWith('annotation')) return '';
  const parts = childTexts(node);
  const [base = '', first = '', second = ''] = parts;
  switch (name) {
    case 'msup':
    case 'mover':
      return base + markText('sup', first);
    case 'msub':
    case 'munder':
      return base + markText('sub', first);
    case 'msubsup':
    case 'munderover':
      return base + markText('sub', first) + markText('sup', second);
    case 'mfrac':
      return `${grouped(base)}/${grouped(first)}`;
    case 'msqrt':
      return `√${grouped(parts.join(''))}`;
    case 'mroot':
      return `${markText('sup', first)}√${grouped(base)}`;
    case 'mtr':
      return `${parts.join(', ')}; `;
    default:
      return parts.join('');
  }
}

const grouped = (text: string): string => (/^[\p{L}\p{N}.]*$/u.test(text) ? text : `(${text})`);
