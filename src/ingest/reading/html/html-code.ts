import type TurndownService from 'turndown';
import { attributeOf, type HtmlNode } from './html-node.js';

const LANGUAGE =
  /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|highlight-|sourceCode\s+|brush:\s*)([\w+#.-]+)/;
const NOT_A_LANGUAGE = /^(?:default|none|text|plaintext|notranslate|wrapper)$/;

/** Keeps `<pre>` as a fence, letter for letter, with the language that it or its surroundings name. */
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
