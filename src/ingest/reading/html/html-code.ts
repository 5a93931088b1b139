import type TurndownService from 'turndown';
import { attributeOf, type HtmlNode } from './html-node.js';

const LANGUAGE =
  /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|highlight-|sourceCode\s+|brush:\s*)([\w+#.-]+)/;
const NOT_A_LANGUAGE = /^(?:default|none|text|plaintext|notranslate|wrapper)$/;

/** Converts `<pre>` to a fence with unchanged text, and with the language of the element or of its parents. */
export const codeRule: TurndownService.Rule = {
  filter: 'pre',
  replacement: (_content, node: HtmlNode) => {
    const code = codeText(node).replace(/^\n|\n+$/g, '');
    const longest = Math.max(
      2,
      ...Array.from(code.matchAll(/^\s*(`{3,})/gm), (ticks) => (ticks[1] ?? '').length),
    );
    const fence = '`'.repeat(longest + 1);
    return `\n\n${fence}${languageOf(node)}\n${code}\n${fence}\n\n`;
  },
};

function codeText(node: HtmlNode): string {
  if (node.nodeType === 3) return node.nodeValue ?? '';
  if (node.nodeName === 'BR') return '\n';
  return Array.from(node.childNodes, codeText).join('');
}

function languageOf(pre: HtmlNode): string {
  const code = pre.firstElementChild ?? null;
  for (const node of [code, pre, pre.parentNode, pre.parentNode?.parentNode ?? null]) {
    const named = attributeOf(node, 'data-language') || attributeOf(node, 'data-lang');
    const language = named || LANGUAGE.exec(attributeOf(node, 'class'))?.[1] || '';
    if (/^[\w+#.-]+$/.test(language) && !NOT_A_LANGUAGE.test(language)) return language;
  }
  return '';
}
