import TurndownService from 'turndown';
import { beginsProse } from '../begins-prose.js';
import { isBadge } from '../is-badge.js';
import { MARKDOWN_SPANS } from '../markdown-spans.js';
import type { HtmlAnchors } from './html-anchors.js';
import { useInline } from './html-inline.js';
import { ancestorOf, attributeOf, hasOwnWords, type HtmlNode, innerElements, withRole } from './html-node.js';
import { useTables } from './html-table.js';
import { isBlock, isNextPart, needsGap } from './is-block.js';
import { isDropped } from './is-dropped.js';
import { MARKDOWN_TEXT } from './open-templates.js';

/** Creates the converter from HTML to Markdown. Each page needs its own, since it counts list items. */
export function htmlConverter(anchors: HtmlAnchors): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    hr: '---',
    blankReplacement: (content, node) => defaultText(content, node),
    defaultReplacement: (content, node) => defaultText(content, node),
  });
  service.escape = escapeText;
  useInline(service);
  useTables(service);
  service.addRule('inlineCode', inlineCodeRule);
  service.addRule('code', codeRule);
  service.addRule('markdown', markdownRule);
  service.addRule('heading', headingRule(anchors));
  service.addRule('link', linkRule);
  service.addRule('image', imageRule);
  service.addRule('permalink', { filter: isPermalink, replacement: () => '' });
  service.addRule('listItem', listItemRule());
  service.addRule('term', termRule);
  service.addRule('description', descriptionRule);
  // Turndown tries the last rule first, and this one must precede the rule for lists: a list may be navigation.
  service.addRule('dropped', { filter: isDropped, replacement: () => '' });
  // A list of tabs may be navigation, too.
  useTabs(service);
  return service;
}

/** Escapes only text that would become a heading, a fence or an underline when the Markdown is parsed. */
export const escapeText = (text: string): string =>
  text.replace(/^(?=#{1,6}(?:\s|$)|`{3}|~{3}|(?:=+|-+)\s*$)/gm, '\\');

/** The text of an element without a rule. A block ends the line before it, and its own. */
function defaultText(content: string, node: HtmlNode): string {
  if (isBlock(node)) return `\n\n${content}\n\n`;
  return content !== '' && needsGap(node) ? ` ${content}` : content;
}

function hasWords(node: HtmlNode): boolean {
  return /[\p{L}\p{N}]/u.test(node.textContent ?? '');
}

/** True for a link with a fragment that shows a symbol (¶, #, an icon) instead of words. */
function isPermalink(node: HtmlNode): boolean {
  if (node.nodeName !== 'A' || hasWords(node) || node.getElementsByTagName('img').length > 0) return false;
  return attributeOf(node, 'href').includes('#');
}

/** Like turndown's rule, without the title, which is "Permalink to this definition" or repeats the text. */
const linkRule: TurndownService.Rule = {
  filter: (node: HtmlNode) => node.nodeName === 'A' && attributeOf(node, 'href') !== '',
  replacement: (content, node: HtmlNode) => {
    const href = attributeOf(node, 'href');
    if (content.trim() === '' || NO_ADDRESS.test(href)) return content;
    const linked = (text: string): string => `[${text}](${href.replace(/[()]/g, '\\$&')})`;
    if (!content.includes('\n\n')) return linked(content);
    // A link cannot contain blocks: its first paragraph is the link.
    const blocks = content.trim().split('\n\n');
    const first = blocks.findIndex(beginsProse);
    return `\n\n${blocks.map((text, i) => (i === first ? linked(text) : text)).join('\n\n')}\n\n`;
  },
};

/** Data and code in the place of an address, which are not for readers. */
const NO_ADDRESS = /^\s*(?:data|javascript):/i;

const imageRule: TurndownService.Rule = {
  filter: 'img',
  replacement: (_content, node: HtmlNode) => {
    const src = attributeOf(node, 'src');
    const alt = attributeOf(node, 'alt').replace(/\s+/g, ' ').trim();
    if (NO_ADDRESS.test(src)) return alt === '' ? '' : `![${alt}]()`;
    return src === '' || isBadge(src) ? '' : `![${alt}](${src})`;
  },
};

const headingRule = (anchors: HtmlAnchors): TurndownService.Rule => ({
  filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  replacement: (content, node: HtmlNode) => {
    const marks = hasWords(node) ? '' : (node.textContent ?? '').replace(/[¶#§\u200b]/g, '');
    const title = (headingText(node).trim() || marks).replace(/\s+/g, ' ').trim();
    if (title === '') return content.trim() === '' ? '' : `\n\n${content}\n\n`;
    const escaped = title.replace(/[\\`*_{}[\]<>#~!&]/g, '\\$&');
    return `\n\n${'#'.repeat(Number(node.nodeName.charAt(1)))} ${escaped}${anchors.markOf(node)}\n\n`;
  },
});

function headingText(node: HtmlNode): string {
  if (node.nodeType === 3) return node.nodeValue ?? '';
  if (isDropped(node) || (node.nodeName === 'A' && !hasWords(node))) return '';
  if (node.nodeName === 'BR') return ' ';
  const gap = isNextPart(node) ? ' ' : '';
  return gap + raised(node) + Array.from(node.childNodes, headingText).join('');
}

/** Like turndown's rule, but counts the items; turndown looks up each index, which takes quadratic time. */
function listItemRule(): TurndownService.Rule {
  const counts = new WeakMap<HtmlNode, number>();
  return {
    filter: 'li',
    replacement: (content, node: HtmlNode & { readonly nextSibling: unknown }) => {
      const list = node.parentNode;
      const count = (list && counts.get(list)) ?? (Number.parseInt(attributeOf(list, 'start'), 10) || 1);
      if (list) counts.set(list, count + 1);
      const prefix = list?.nodeName === 'OL' ? `${count}. ` : '- ';
      const body = content.trim().replace(/\n(?=[^\n])/g, `\n${' '.repeat(prefix.length)}`);
      return `${prefix}${body}${node.nextSibling ? '\n' : ''}`;
    },
  };
}

/** A term of a list, in bold, on the line above its description: a quote of either has both. */
const termRule: TurndownService.Rule = {
  filter: 'dt',
  replacement: (content, node: HtmlNode) => {
    const lines = content
      .trim()
      .split('\n')
      .map((line) => line.trimEnd());
    if (!lines.every(beginsProse)) return `\n\n${content}\n\n`;
    const isFurther = node.previousElementSibling?.nodeName === 'DT';
    return `${isFurther ? '\n' : '\n\n'}${boldTerms(node, lines).join('\n')}\n`;
  },
};

/** The lines of a term in bold. Asterisks of the term itself, as in `*args`, can only be shown in code. */
function boldTerms(node: HtmlNode, lines: readonly string[]): readonly string[] {
  const isBold = ['b', 'strong'].some((name) => node.getElementsByTagName(name).length > 0);
  if (isBold) return lines;
  const hasMarks = lines.some((line) => line.includes('*'));
  const shown = hasMarks ? [MARKDOWN_SPANS.code(headingText(node).replace(/\s+/g, ' ').trim())] : lines;
  return shown.map((line) => `**${line}**`);
}

const descriptionRule: TurndownService.Rule = {
  filter: 'dd',
  replacement: (content, node: HtmlNode) => {
    const text = content.trim();
    const isFirst = node.previousElementSibling?.nodeName === 'DT';
    return `${isFirst && beginsProse(text) ? '\n' : '\n\n'}${text}\n\n`;
  },
};

const LANGUAGE =
  /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|highlight-|sourceCode\s+|brush:\s*)([\w+#.-]+)/;
const NOT_A_LANGUAGE = /^(?:default|none|text|plaintext|notranslate|wrapper)$/;

/** Converts `<pre>` to a fence with unchanged text, and with the language of the element or of its parents. */
const codeRule: TurndownService.Rule = {
  filter: 'pre',
  replacement: (_content, node: HtmlNode) => {
    const code = codeText(node).replace(/^\n|\n+$/g, '');
    const ticks = Array.from(code.matchAll(/^\s*(`{3,})/gm), ([, marks = '']) => marks.length);
    const longest = ticks.reduce((most, length) => Math.max(most, length), 2);
    const fence = '`'.repeat(longest + 1);
    return `\n\n${fence}${languageOf(node)}\n${code}\n${fence}\n\n`;
  },
};

/** Text that is Markdown already. */
const markdownRule: TurndownService.Rule = {
  filter: (node: HtmlNode) => node.nodeName === 'PRE' && node.getAttribute(MARKDOWN_TEXT) !== null,
  replacement: (_content, node: HtmlNode) => {
    const lines = (node.textContent ?? '').split('\n');
    const indents = lines.flatMap((line) => (line.trim() === '' ? [] : [line.search(/\S/)]));
    const width = indents.reduce((a, b) => Math.min(a, b), Infinity);
    return `\n\n${lines
      .map((line) => line.slice(Math.min(width, line.search(/\S|$/))))
      .join('\n')
      .trim()}\n\n`;
  },
};

/** Elements that one line of code cannot contain. */
const BLOCKS = ['p', 'div', 'pre', 'ul', 'ol', 'table'];

/** Code without the marks of bold, italic or linked parts, which Markdown would show as characters. */
const inlineCodeRule: TurndownService.Rule = {
  filter: (node: HtmlNode) => node.nodeName === 'CODE',
  replacement: (content, node: HtmlNode) => {
    // Code around blocks, and code in code, which the outer one shows.
    if (ancestorOf(node, /^CODE$/) || BLOCKS.some((name) => node.getElementsByTagName(name).length > 0))
      return content;
    return MARKDOWN_SPANS.code(codeText(node).replace(/\s+/g, ' ').trim());
  },
};

function codeText(node: HtmlNode): string {
  if (node.nodeType === 3) return node.nodeValue ?? '';
  if (node.nodeName === 'BR') return '\n';
  if (node.nodeName === 'IMG') return attributeOf(node, 'alt');
  return isDropped(node) ? '' : raised(node) + Array.from(node.childNodes, codeText).join('');
}

/** Titles and code have no tags: `10^6`. */
const raised = (node: HtmlNode): string =>
  node.nodeName === 'SUP' && hasOwnWords(node) && /\S$/.test(node.previousSibling?.textContent ?? '')
    ? '^'
    : '';

function languageOf(pre: HtmlNode): string {
  const code = pre.firstElementChild ?? null;
  for (const node of [code, pre, pre.parentNode, pre.parentNode?.parentNode ?? null]) {
    const named = attributeOf(node, 'data-language') || attributeOf(node, 'data-lang');
    const language = named || LANGUAGE.exec(attributeOf(node, 'class'))?.[1] || '';
    if (/^[\w+#.-]+$/.test(language) && !NOT_A_LANGUAGE.test(language)) return language;
  }
  return '';
}

/** Adds the rules for tabs: the title of each stands above the part that it opens, instead of in a list of all titles. */
function useTabs(service: TurndownService): void {
  const titles = new WeakMap<HtmlNode, string>();
  service.addRule('tabs', {
    // Parts come after their tabs, and are asked for later.
    filter: (node: HtmlNode) => {
      const tabs = tabsIn(node);
      const parts = tabs.length > 0 ? partsAfter(node, tabs.length) : [];
      parts.forEach((part, at) => titles.set(part, tabs[at] ?? ''));
      return parts.length > 0;
    },
    replacement: () => '',
  });
  service.addRule('tabPart', {
    filter: (node: HtmlNode) => titles.has(node),
    replacement: (content, node: HtmlNode) => `\n\n${titles.get(node) ?? ''}\n\n${content}\n\n`,
  });
}

const titleText = (node: HtmlNode): string => (node.textContent ?? '').replace(/\s+/g, ' ').trim();

/** The titles of a list of tabs, of WAI-ARIA or of labels; empty for a list with other words, and for another element. */
function tabsIn(node: HtmlNode): string[] {
  if (attributeOf(node, 'role') === 'tablist') {
    const tabs = withRole(node, 'tab').map(titleText);
    return tabs.join('').replace(/\s/g, '') === (node.textContent ?? '').replace(/\s/g, '') ? tabs : [];
  }
  const children = node.nodeName === 'DIV' && !hasOwnWords(node) ? innerElements(node) : [];
  if (!children.every(({ nodeName }) => nodeName === 'LABEL' || nodeName === 'INPUT')) return [];
  return children.filter(({ nodeName }) => nodeName === 'LABEL').map(titleText);
}

/** The parts that follow a list of tabs, or the element around it: one after the other, or in an element of their own. */
function partsAfter(list: HtmlNode, count: number): readonly HtmlNode[] {
  let around = list;
  while (around.parentNode && !around.previousElementSibling && !around.nextElementSibling)
    around = around.parentNode;
  const following: HtmlNode[] = [];
  // No further, since a page can have thousands of such lists beside each other.
  for (let at = around.nextElementSibling; at && following.length <= count; at = at.nextElementSibling)
    following.push(at);
  const isPart = (node: HtmlNode): boolean => attributeOf(node, 'role') === 'tabpanel';
  const [first = null] = following;
  const parts = first && isPart(first) ? following.filter(isPart) : innerElements(first);
  return parts.length === count && parts.every(({ nodeName }) => /^(?:DIV|SECTION)$/.test(nodeName))
    ? parts
    : [];
}
