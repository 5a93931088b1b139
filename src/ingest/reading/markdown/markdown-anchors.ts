import { ANCHOR_NAME, MAX_ANCHORS } from '../html/html-anchors.js';
import type { Block, PageAnchor } from '../parsed-document.js';
import { findCode } from './find-code.js';

const OPEN_TAG = /(?<!\\)<([a-z][a-z0-9-]{0,50})(\s[^<>]{1,4096})>/gi;
const ANY_TAG = /<[^<>]*>/g;
const ID = /\s(id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/gi;

/**
 * Finds the ids of raw HTML outside code. An id belongs to the next heading if there is no text in between, else to the
 * previous heading.
 * @param sourceOf  returns the source of a heading, since its block has no tags
 */
export function markdownAnchors(
  blocks: readonly Block[],
  sourceOf: (line: number) => string,
): readonly PageAnchor[] {
  const found: PageAnchor[] = [];
  let opened: number | null = null;
  for (const block of [...blocks].reverse()) {
    const text = block.kind === 'heading' ? sourceOf(block.line) : block.text;
    if (block.kind === 'heading') opened = block.line;
    else if (text.replace(ANY_TAG, '').trim() !== '') opened = null;
    if (block.kind === 'fence') continue;
    const line = opened ?? block.line;
    for (const name of namesIn(text).reverse()) found.push({ name, line });
  }
  return found.reverse().slice(0, MAX_ANCHORS);
}

function namesIn(text: string): string[] {
  if (!text.includes('<')) return [];
  const code = findCode(text);
  const names: string[] = [];
  let next = 0;
  for (const { index, 1: tag = '', 2: attributes = '' } of text.matchAll(OPEN_TAG)) {
    while ((code[next]?.end ?? Infinity) <= index) next++;
    if ((code[next]?.start ?? Infinity) <= index) continue;
    names.push(...idsOf(tag.toLowerCase(), attributes));
  }
  return names;
}

/** Reads the ids, and the name of an `a`; names of other elements, such as form fields, are not anchors. */
function idsOf(tag: string, attributes: string): string[] {
  return Array.from(attributes.matchAll(ID)).flatMap(([, key = '', double, single, bare]) => {
    const name = double ?? single ?? bare?.replace(/\/$/, '') ?? '';
    return ANCHOR_NAME.test(name) && (tag === 'a' || key.toLowerCase() === 'id') ? [name] : [];
  });
}
