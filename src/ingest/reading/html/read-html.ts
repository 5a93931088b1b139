import type TurndownService from 'turndown';
import { blockParser } from '../markdown/parse-blocks.js';
import { MalformedDocumentError, type ParsedDocument } from '../parsed-document.js';
import { headingMark, HtmlAnchors, TITLE_LINE } from './html-anchors.js';
import { type HtmlNode, isMain, rootOf } from './html-node.js';
import { escapeText, htmlConverter } from './html-rules.js';
import { isBlock } from './is-block.js';
import { openTemplates } from './open-templates.js';
import { writePlainPage } from './plain-page.js';

const parseBlocks = blockParser({ html: false, indentedCode: false });

/** Reads the main part of an HTML page as Markdown; lines are those of the Markdown. @throws MalformedDocumentError */
export function readHtml(text: string): ParsedDocument {
  const opened = openTemplates(text);
  const page = readPage(text);
  if (opened === text) return page;
  const whole = readPage(opened);
  return needsTemplates(page, whole) ? whole : page;
}

/**
 * True if a page lacks text without its templates: those in its main part, and others only if they have most of the words,
 * since a page can also have templates for its controls.
 */
function needsTemplates(page: ReadPage, whole: ReadPage): boolean {
  const without = wordsOf(page);
  return wordsOf(whole) > (page.hasMain ? without : 2 * without);
}

const wordsOf = ({ blocks }: ParsedDocument): number =>
  blocks.reduce(
    (sum, block) => sum + (block.kind === 'heading' ? block.title : block.text).split(/\s+/).length,
    0,
  );

interface ReadPage extends ParsedDocument {
  /** True if an element is marked as the main part, or as an article. */
  readonly hasMain: boolean;
}

function readPage(text: string): ReadPage {
  const anchors = new HtmlAnchors();
  const { title, markdown, hasMain } = convertPlain(text, anchors) ?? convert(text, anchors);
  // The parser ignores HTML here: anything in the Markdown that looks like a tag was text on the page.
  const marked = parseBlocks(markdown);
  return {
    frontMatter: {},
    written: [],
    title,
    blocks: anchors.blocks(marked),
    anchors: anchors.anchors(marked),
    tagLinks: [],
    problems: [],
    hasMain,
  };
}

function convertPlain(text: string, anchors: HtmlAnchors): ConvertedPage | null {
  const page = writePlainPage(text, {
    escape: escapeText,
    markOf: headingMark,
    convertBlock: (html) => convert(`<main>\n${html}</main>`, new HtmlAnchors()).markdown,
  });
  if (page) anchors.take(page.ids);
  return page && { ...page, hasMain: true };
}

interface ConvertedPage {
  readonly title: string | null;
  readonly markdown: string;
  readonly hasMain: boolean;
}

function convert(text: string, anchors: HtmlAnchors): ConvertedPage {
  const titles: string[] = [];
  const mains: string[] = [];
  const articles: string[] = [];
  const service = htmlConverter(anchors);
  service.addRule('title', {
    filter: (node: HtmlNode) => node.nodeName === 'TITLE',
    replacement: (_content, node: HtmlNode) => collect(titles, node.textContent ?? '', ''),
  });
  service.addRule('main', {
    filter: (node: HtmlNode) => isOutermost(node, isMain),
    replacement: (content) => collect(mains, content),
  });
  service.addRule('article', {
    filter: (node: HtmlNode) => isOutermost(node, isArticle),
    replacement: (content) => collect(articles, content),
  });
  service.addRule('start', startRule(anchors));
  const page = turndown(service, START + text);
  const isAround = articles.length > 1 && hasTitle(page) && !articles.some(hasTitle);
  const parts = [mains, isAround ? [page] : articles].find((found) =>
    found.some((part) => part.trim() !== ''),
  );
  const title = titles[0]?.replace(/\s+/g, ' ').trim();
  return {
    title: title || null,
    markdown: parts ? parts.join('\n\n') : page,
    hasMain: mains.length + articles.length > 0,
  };
}

/** True for text with the title of a page. Articles without it, on a page with one, are parts such as cards. */
const hasTitle = (markdown: string): boolean => TITLE_LINE.test(markdown);

const isArticle = (node: HtmlNode): boolean => node.nodeName === 'ARTICLE' && !isMain(node);

/** True for an element that passes a test and is in no other that does: the outer one has its text. */
function isOutermost(node: HtmlNode, test: (node: HtmlNode) => boolean): boolean {
  if (!test(node)) return false;
  let around = node.parentNode;
  while (around && !test(around)) around = around.parentNode;
  return around === null;
}

/** An element before the page. Only rules can access the nodes, and no rule is asked about blank elements. */
const START = '<hr>';

/** Reads the page, and removes the element before it. The last rule is asked first. */
const startRule = (anchors: HtmlAnchors): TurndownService.Rule => ({
  filter: (node: HtmlNode) => {
    const isFirst = anchors.read(node);
    if (isFirst) emptyBlanks(rootOf(node));
    return isFirst;
  },
  replacement: () => '',
});

/** Elements that turndown converts even if they have no text. */
const CONVERTED =
  /^(?:A|AREA|AUDIO|BASE|BR|COL|COMMAND|EMBED|HR|IFRAME|IMG|INPUT|KEYGEN|LINK|META|PARAM|SCRIPT|SOURCE|TABLE|TBODY|TD|TFOOT|TH|THEAD|TRACK|VIDEO|WBR)$/;

/** Facts about the content of elements; a fact of an element is one of all elements around it. */
class Contents {
  private readonly shown = new Set<HtmlNode>();
  private readonly spaced = new Set<HtmlNode>();
  private readonly withBlock = new Set<HtmlNode>();

  /** Adds a node to the content of its parent. Its own content must have been added. */
  add(node: HtmlNode): void {
    const { parentNode, nodeType, nodeName, nodeValue } = node;
    if (!parentNode || (nodeType !== 1 && nodeType !== 3)) return;
    const text = nodeType === 3 ? (nodeValue ?? '') : '';
    if (this.shown.has(node) || CONVERTED.test(nodeName) || /\S/.test(text)) this.shown.add(parentNode);
    else if (nodeType === 1 && (this.withBlock.has(node) || isBlock(node))) this.withBlock.add(parentNode);
    if (this.spaced.has(node) || text !== '') this.spaced.add(parentNode);
  }

  /** True for an element that gives the same text without the elements in it. */
  isBlank(node: HtmlNode): boolean {
    if (node.nodeType !== 1 || this.shown.has(node) || CONVERTED.test(node.nodeName)) return false;
    return isBlock(node) ? !this.spaced.has(node) : !this.withBlock.has(node);
  }
}

/**
 * Removes the elements within blank elements. This does not change the text, but the time: turndown searches each blank element
 * for 27 names of elements, so nested ones take quadratic time.
 */
function emptyBlanks(root: HtmlNode): void {
  const nodes = [root];
  // The list grows while it is read.
  for (const node of nodes) for (const child of Array.from(node.childNodes)) nodes.push(child);
  const contents = new Contents();
  for (const node of [...nodes].reverse()) contents.add(node);
  for (const node of nodes) {
    const isOuter = contents.isBlank(node) && !(node.parentNode && contents.isBlank(node.parentNode));
    if (isOuter && node.childNodes.length > 0) {
      const { textContent } = node;
      node.textContent = textContent;
    }
  }
}

function collect(list: string[], text: string, replacement = `\n\n${text}\n\n`): string {
  list.push(text);
  return replacement;
}

/** Limit of nesting. The parser checks all open elements for each new one, and the converter is recursive. */
const MAX_DEPTH = 1000;
const NESTING =
  /<(\/?)(?:abbr|acronym|article|aside|b|bdi|bdo|big|blockquote|cite|code|data|del|details|dfn|div|dl|em|figure|font|form|header|i|ins|kbd|label|main|mark|math|ol|pre|q|s|samp|section|small|span|strike|strong|sub|sup|svg|table|time|tt|u|ul|var)(?=[\s>])/gi;

function turndown(service: ReturnType<typeof htmlConverter>, text: string): string {
  let depth = 0;
  for (const [, slash] of text.matchAll(NESTING)) {
    depth = Math.max(0, depth + (slash ? -1 : 1));
    if (depth > MAX_DEPTH) throw new MalformedDocumentError(1, 'the HTML is nested too deeply');
  }
  try {
    return service.turndown(text);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new MalformedDocumentError(1, 'the HTML is nested too deeply', { cause });
  }
}
