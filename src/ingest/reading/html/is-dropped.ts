import { ancestorOf, attributeOf, hasOwnWords, type HtmlNode, isMain } from './html-node.js';
import { measureWords } from './measure-words.js';

/** Elements that show nothing, or that are controls. */
const UNSHOWN = /^(?:SCRIPT|STYLE|NOSCRIPT|IFRAME|SVG|SELECT|TEXTAREA|INPUT|DATALIST|OBJECT|TEMPLATE)$/i;
/** WAI-ARIA landmarks around the text of a page. */
const FRAME_ROLE = /^\s*(?:navigation|banner|contentinfo|search|complementary)(?!\S)/i;
/** DocBook's links around a page, and Sphinx's links between a name and its source. */
const FRAME_CLASS = /(?:^|\s)(?:nav(?:header|footer)|viewcode-(?:link|back))(?!\S)/;
/** A formula that MathJax shows. */
export const FORMULA = /^math\//i;
/** Words of a sentence in navigation: links and their titles are shorter. */
const MIN_PROSE_WORDS = 8;

/** True for an element without page text: by its name, its role, its class, or its place in the page. */
export function isDropped(node: HtmlNode): boolean {
  if (node.nodeType !== 1) return false;
  const { nodeName } = node;
  return (
    (UNSHOWN.test(nodeName) && !isShown(node)) ||
    (nodeName === 'DIALOG' && node.getAttribute('open') === null) ||
    (nodeName === 'BUTTON' && isControl(node)) ||
    isSecondFormula(node) ||
    FRAME_ROLE.test(attributeOf(node, 'role')) ||
    FRAME_CLASS.test(attributeOf(node, 'class')) ||
    isFrame(node)
  );
}

/** True for the picture that KaTeX makes of the formula before it. */
const isSecondFormula = (node: HtmlNode): boolean =>
  attributeOf(node, 'aria-hidden') === 'true' &&
  (node.previousElementSibling?.getElementsByTagName('math').length ?? 0) > 0;

/** The box of a task, and a formula. */
function isShown(node: HtmlNode): boolean {
  const type = attributeOf(node, 'type');
  if (node.nodeName === 'INPUT') return type === 'checkbox' && node.parentNode?.nodeName === 'LI';
  return node.nodeName === 'SCRIPT' && FORMULA.test(type);
}

/** False for a button that is the title of a part that it opens, or a word of a sentence. */
function isControl(button: HtmlNode): boolean {
  const title = ancestorOf(button, /^(?:H[1-6]|DT|SUMMARY)$/);
  if (title) return measureWords(title).words > measureWords(button).words;
  const around = button.parentNode;
  return !(around?.nodeName === 'P' && hasOwnWords(around));
}

/** True for an element that frames the text of a page. Within the text, only lists of links do. */
function isFrame(node: HtmlNode): boolean {
  switch (node.nodeName) {
    case 'NAV':
      return contentAround(node) === null || measureWords(node).prose < MIN_PROSE_WORDS;
    case 'ASIDE': {
      const content = contentAround(node) ?? ancestorOf(node, /^SECTION$/);
      return content === null || isBesideArticle(node, content) || isNavigation(node);
    }
    case 'HEADER':
      return contentAround(node) === null && !isMain(node);
    case 'FOOTER':
      return contentAround(node) === null ? !isMain(node) : isNavigation(node);
    default:
      return false;
  }
}

/** The nearest element that marks the text of the page. */
function contentAround(node: HtmlNode): HtmlNode | null {
  let around = node.parentNode;
  while (around && around.nodeName !== 'ARTICLE' && !isMain(around)) around = around.parentNode;
  return around;
}

/** True for an element next to the article that has most of the words of its main element. */
function isBesideArticle(node: HtmlNode, content: HtmlNode): boolean {
  if (content.nodeName === 'ARTICLE') return false;
  const { article, words } = measureWords(content);
  return 2 * article > words - measureWords(node).words;
}

/** True for headings alone, and for several links with hardly a word between them, none of them in a paragraph. */
function isNavigation(node: HtmlNode): boolean {
  const { words, linked, titled, links, inProse } = measureWords(node);
  const others = words - linked - titled;
  return links < 2 ? others + linked === 0 : others < linked && inProse === 0;
}
