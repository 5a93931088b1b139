import { attributeOf, hasOwnWords, type HtmlNode } from './html-node.js';

/** Elements of the HTML standard that are parts of a line. */
const INLINE =
  /^(?:A|ABBR|ACRONYM|AUDIO|B|BDI|BDO|BIG|BR|BUTTON|CANVAS|CITE|CODE|DATA|DEL|DFN|EM|EMBED|FONT|I|IMG|INPUT|INS|KBD|LABEL|MAP|MARK|MATH|METER|NOBR|OBJECT|OUTPUT|PICTURE|PROGRESS|Q|RB|RP|RT|RTC|RUBY|S|SAMP|SLOT|SMALL|SPAN|STRIKE|STRONG|SUB|SUP|SVG|TIME|TT|U|VAR|VIDEO|WBR)$/i;
const BLOCK =
  /^(?:ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|BODY|CENTER|DD|DETAILS|DIALOG|DIR|DIV|DL|DT|FIELDSET|FIGCAPTION|FIGURE|FOOTER|FORM|H[1-6]|HEADER|HGROUP|HR|HTML|LEGEND|LI|MAIN|MENU|NAV|OL|OPTGROUP|OPTION|P|PRE|SEARCH|SECTION|SUMMARY|T(?:ABLE|BODY|D|FOOT|H|HEAD|R)|UL)$/;
/** Elements that are shown as boxes in a line, with a gap before the text next to them. */
const BOX = /^(?:BUTTON|LABEL|METER|OUTPUT|PROGRESS)$/;

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

/** True for a box next to text, or to another box, without white space in between. */
export function needsGap(node: HtmlNode): boolean {
  const before = node.previousSibling;
  if (!before) return false;
  const isText = before.nodeType === 3;
  const touches = isText ? /\S$/.test(before.nodeValue ?? '') : before.nodeType === 1 && !isBlock(before);
  return touches && (BOX.test(node.nodeName) || BOX.test(before.nodeName));
}
