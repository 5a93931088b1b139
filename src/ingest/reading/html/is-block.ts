import { attributeOf, hasOwnWords, type HtmlNode } from './html-node.js';

/** Elements of the HTML standard that are parts of a line. */
const INLINE =
  /^(?:A|ABBR|ACRONYM|AUDIO|B|BDI|BDO|BIG|BR|BUTTON|CANVAS|CITE|CODE|DATA|DEL|DFN|EM|EMBED|FONT|I|IMG|INPUT|INS|KBD|LABEL|MAP|MARK|MATH|METER|NOBR|OBJECT|OUTPUT|PICTURE|PROGRESS|Q|RB|RP|RT|RTC|RUBY|S|SAMP|SLOT|SMALL|SPAN|STRIKE|STRONG|SUB|SUP|SVG|TIME|TT|U|VAR|VIDEO|WBR)$/i;
const BLOCK =
  /^(?:ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|BODY|CENTER|DD|DETAILS|DIALOG|DIR|DIV|DL|DT|FIELDSET|FIGCAPTION|FIGURE|FOOTER|FORM|H[1-6]|HEADER|HGROUP|HR|HTML|LEGEND|LI|MAIN|MENU|NAV|OL|OPTGROUP|OPTION|P|PRE|SEARCH|SECTION|SUMMARY|T(?:ABLE|BODY|D|FOOT|H|HEAD|R)|UL)$/;
/** Elements that are shown as boxes in a line, with a gap before the text next to them. */
const BOX = /^(?:BUTTON|KBD|LABEL|METER|OUTPUT|PROGRESS)$/;

/**
 * True for an element on lines of its own. An element that the standard does not know, such as a component, is one unless
 * it stands in a line of text.
 */
export function isBlock(node: HtmlNode): boolean {
  const { nodeName, parentNode } = node;
  if (BLOCK.test(nodeName) || attributeOf(node, 'role') === 'tab') return true;
  if (INLINE.test(nodeName)) return false;
  return !(parentNode && (isInline(parentNode) || hasOwnWords(parentNode)));
}

const isInline = ({ nodeName }: HtmlNode): boolean =>
  INLINE.test(nodeName) || /^(?:P|H[1-6])$/.test(nodeName);

/** True for a box that touches another element of its line, or a box other than a key that touches text. */
export function needsGap(node: HtmlNode): boolean {
  const before = node.previousSibling;
  const isBox = BOX.test(node.nodeName);
  if (before?.nodeType === 3) {
    return isBox && node.nodeName !== 'KBD' && /\S$/.test(before.nodeValue ?? '');
  }
  return before?.nodeType === 1 && !isBlock(before) && (isBox || BOX.test(before.nodeName));
}

/** True for the second of two parts of a title, which are on lines of their own. Single letters are parts of a word. */
export function isNextPart(node: HtmlNode): boolean {
  const { nodeName, previousSibling: before, parentNode } = node;
  if (nodeName !== 'SPAN' || before?.nodeName !== 'SPAN' || parentNode?.nodeName !== 'H1') return false;
  const parts = [before, node];
  const letters = parts.filter(({ textContent }) => (textContent ?? '').trim().length < 2).length;
  return letters === 0 || (letters === 1 && parts.every((part) => attributeOf(part, 'class') !== ''));
}
