import { HEADING, type HtmlNode } from './html-node.js';

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

export function measureWords(node: HtmlNode): WordMeasure {
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
