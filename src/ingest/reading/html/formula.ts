import { markText } from '../meaningful-marks.js';
import { attributeOf, type HtmlNode } from './html-node.js';

/** Writes a formula of MathML: as the TeX that it was made of, if it has it, else with the marks of Markdown. */
export function formulaText(math: HtmlNode): string {
  const tex = Array.from(math.getElementsByTagName('annotation')).find((node) =>
    /tex/i.test(attributeOf(node, 'encoding')),
  );
  const source = (tex?.textContent ?? attributeOf(math, 'alttext')).replace(/\s+/g, ' ').trim();
  if (source === '') return childTexts(math).join('');
  return texText(source, attributeOf(math, 'display') === 'block');
}

export function texText(source: string, isDisplay: boolean): string {
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
