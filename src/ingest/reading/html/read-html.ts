import { blockParser } from '../markdown/parse-blocks.js';
import { MalformedDocumentError, type ParsedDocument } from '../parsed-document.js';
import { HtmlAnchors } from './html-anchors.js';
import { type HtmlNode, isMain } from './html-node.js';
import { htmlConverter } from './html-rules.js';
import { openTemplates } from './open-templates.js';

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
  const { title, markdown, hasMain } = convert(text, anchors);
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

function convert(
  text: string,
  anchors: HtmlAnchors,
): { title: string | null; markdown: string; hasMain: boolean } {
  const titles: string[] = [];
  const mains: string[] = [];
  const articles: string[] = [];
  const service = htmlConverter(anchors);
  // Only rules can access the nodes, and the last rule is called first.
  const read = (node: HtmlNode): boolean => {
    anchors.read(node);
    return false;
  };
  service.addRule('title', {
    filter: (node: HtmlNode) => node.nodeName === 'TITLE',
    replacement: (_content, node: HtmlNode) => collect(titles, node.textContent ?? '', ''),
  });
  service.addRule('main', { filter: isMain, replacement: (content) => collect(mains, content) });
  service.addRule('article', {
    filter: (node: HtmlNode) => node.nodeName === 'ARTICLE' && !isMain(node),
    replacement: (content) => collect(articles, content),
  });
  service.addRule('anchors', { filter: read, replacement: (content) => content });
  const page = turndown(service, text);
  const parts = [mains, articles].find((found) => found.some((part) => part.trim() !== ''));
  const title = titles[0]?.replace(/\s+/g, ' ').trim();
  return {
    title: title || null,
    markdown: parts ? parts.join('\n\n') : page,
    hasMain: mains.length + articles.length > 0,
  };
}

function collect(list: string[], text: string, replacement = `\n\n${text}\n\n`): string {
  list.push(text);
  return replacement;
}

/** Limit of nesting. The parser checks all open elements for each new one, and the converter is recursive. */
const MAX_DEPTH = 1000;
const NESTING =
  /<(\/?)(?:article|aside|b|blockquote|code|details|div|dl|em|figure|font|form|header|i|main|ol|pre|section|span|strong|table|u|ul)(?=[\s>])/gi;

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
