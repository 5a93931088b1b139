import { ancestorOf, attributeOf, hasOwnWords, HEADING, type HtmlNode, isMain } from './html-node.js';

/** Numbers of words within an element, and of its links. */
interface WordMeasure {
  readonly words: number;
  /** Words of links. */
  readonly linked: number;
  /** Words of headings outside links. */
  readonly titled: number;
  /** Words of the longest paragraph outside links. */
  readonly prose: number;
  /** Words of the longest article. */
  readonly article: number;
  readonly links: number;
  /** Links in paragraphs, quotations and captions. */
  readonly inProse: number;
}

const NOTHING: WordMeasure = { words: 0, linked: 0, titled: 0, prose: 0, article: 0, links: 0, inProse: 0 };
const PROSE = /^(?:P|BLOCKQUOTE|FIGCAPTION)$/;

/** Each element is measured once: elements can be nested, and each asks for its own words. */
const measured = new WeakMap<HtmlNode, WordMeasure>();

function measureWords(node: HtmlNode): WordMeasure {
  if (node.nodeType === 3)
    return { ...NOTHING, words: node.nodeValue?.match(/[\p{L}\p{N}]+/gu)?.length ?? 0 };
  const known = measured.get(node);
  if (known) return known;
  const found = measureElement(node);
  measured.set(node, found);
  return found;
}

function measureElement(node: HtmlNode): WordMeasure {
  const { nodeName } = node;
  if (nodeName === 'SCRIPT' || nodeName === 'STYLE') return NOTHING;
  const sum = Array.from(node.childNodes, measureWords).reduce(add, NOTHING);
  const { words, linked, links } = sum;
  if (nodeName === 'A') return { ...sum, linked: words, links: 1, titled: 0 };
  if (HEADING.test(nodeName)) return { ...sum, titled: words - linked };
  if (nodeName === 'ARTICLE') return { ...sum, article: words };
  return PROSE.test(nodeName) ? { ...sum, inProse: links, prose: words - linked } : sum;
}

const add = (a: WordMeasure, b: WordMeasure): WordMeasure => ({
  words: a.words + b.words,
  linked: a.linked + b.linked,
  titled: a.titled + b.titled,
  prose: Math.max(a.prose, b.prose),
  article: Math.max(a.article, b.article),
  links: a.links + b.links,
  inProse: a.inProse + b.inProse,
});

/** Elements that show nothing, or that are controls. */
const UNSHOWN = /^(?:SCRIPT|STYLE|NOSCRIPT|IFRAME|SVG|SELECT|TEXTAREA|INPUT|DATALIST|OBJECT|TEMPLATE)$/i;
/** WAI-ARIA landmarks around the text of a page. */
const FRAME_ROLE = /^\s*(?:navigation|banner|contentinfo|search|complementary)(?!\S)/i;
/**
 * DocBook's links around a page, Sphinx's links between a name and its source, and the lines of Confluence about the author
 * and the export.
 */
const FRAME_CLASS = /(?:^|\s)(?:nav(?:header|footer)|viewcode-(?:link|back)|page-metadata|footer-body)(?!\S)/;
/** Confluence's links to the pages above. */
const FRAME_ID = 'breadcrumb-section';
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
    attributeOf(node, 'id') === FRAME_ID ||
    isHiddenLine(node) ||
    isLineNumbers(node) ||
    isLanguageName(node) ||
    isSkipLink(node) ||
    isFrame(node)
  );
}

const NUMBERS = /^\s*\d+(?:\s+\d+)*\s*$/;
const NUMBER_CLASS = /(?:^|\s)(?:linenos?|lnt?|line-?number)(?!\S)/i;

/** Lines of code that mdBook hides. */
const isHiddenLine = (node: HtmlNode): boolean =>
  node.nodeName === 'SPAN' && attributeOf(node, 'class') === 'boring' && ancestorOf(node, /^PRE$/) !== null;

/** The numbers of lines of code: in the first cell of its row, in an element after it, or in each line. */
function isLineNumbers(node: HtmlNode): boolean {
  const before = node.previousElementSibling ?? null;
  const isBeside =
    node.nodeName === 'TD'
      ? before === null &&
        node.getElementsByTagName('pre').length === 1 &&
        (node.parentNode?.getElementsByTagName('pre').length ?? 0) > 1
      : before?.nodeName === 'PRE' && attributeOf(node, 'aria-hidden') === 'true';
  const isIn = NUMBER_CLASS.test(attributeOf(node, 'class')) && ancestorOf(node, /^PRE$/) !== null;
  return (isBeside || isIn) && NUMBERS.test(node.textContent ?? '');
}

/** The name of a language above its code: the fence has it too. */
const isLanguageName = (node: HtmlNode): boolean =>
  node.nodeName === 'SPAN' &&
  node.nextSibling?.nodeName === 'PRE' &&
  attributeOf(node.parentNode, 'class')
    .split(/\s+/)
    .includes(`language-${node.textContent ?? ''}`);

/** A link to the text of the page, for those who hear it. */
const isSkipLink = (node: HtmlNode): boolean =>
  node.nodeName === 'A' &&
  attributeOf(node, 'href').startsWith('#') &&
  /(?:^|\s)(?:visually-hidden|sr-only|screen-reader-text|skip-?(?:link|to|nav)\S*)(?!\S)/i.test(
    attributeOf(node, 'class'),
  );

/** True for the picture that KaTeX makes of the formula before it. */
const isSecondFormula = (node: HtmlNode): boolean =>
  attributeOf(node, 'aria-hidden') === 'true' &&
  (node.previousElementSibling?.getElementsByTagName('math').length ?? 0) > 0;

/** The box of a task, and a formula. */
function isShown(node: HtmlNode): boolean {
  const type = attributeOf(node, 'type');
  if (node.nodeName === 'INPUT') {
    const around = node.parentNode;
    const isBare = around?.nodeName === 'LABEL' && around.textContent?.trim() === '';
    const item = isBare ? around.parentNode : around;
    return type === 'checkbox' && item?.nodeName === 'LI';
  }
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
