import { splitHeader } from '../front-matter/split-title-block.js';
import { isBadges } from '../is-badge.js';
import {
  ANCHOR_NAME,
  type Block,
  MAX_ANCHORS,
  type PageAnchor,
  type ParsedDocument,
} from '../parsed-document.js';
import { findCode } from './find-code.js';
import { readLinesBelow, splitHtmlHeadings } from './html-headings.js';
import { blockParser } from './parse-blocks.js';
import { splitContainers } from './split-containers.js';
import { endOfEsm } from './strip-esm.js';
import { fenceTaggedCode } from './tagged-code.js';

const parseBlocks = blockParser({ html: true, indentedCode: true });

/** Reads Markdown without comments, imports and exports (Docusaurus). @throws MalformedDocumentError */
export function readMarkdown(text: string): ParsedDocument {
  const { body: written, bodyLine, ...header } = splitHeader(text);
  const body = fenceTaggedCode(written);
  const parsed = readLinesBelow(parseBlocks(body, bodyLine));
  const blocks = splitHtmlHeadings(parsed.flatMap(cleanBlock));
  const lines = body.split('\n');
  const anchors = markdownAnchors(blocks, (line) => lines[line - bodyLine] ?? '');
  return { ...header, title: null, blocks, tagLinks: [], anchors };
}

function cleanBlock(block: Block): readonly Block[] {
  if (block.kind === 'heading' || block.kind === 'fence') return [block];
  const source = block.kind === 'text' ? block.text.slice(endOfEsm(block.text, 0)) : block.text;
  const text = stripComments(source).trimEnd();
  return text.trim() === '' || isBadges(text) ? [] : [splitContainers({ ...block, text })];
}

/** Removes HTML comments outside code, with lines of nothing else. An unclosed comment at the start removes all. */
function stripComments(text: string): string {
  if (!text.includes('<!--')) return text;
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of findComments(text)) {
    const before = text.slice(from, start);
    const endsLine = end === text.length || text[end] === '\n';
    const shown = endsLine ? before.replace(/(?<![ \t])[ \t]+$/, '') : before;
    kept.push(shown);
    const isAlone = shown === '' ? from === 0 || text[from - 1] === '\n' : shown.endsWith('\n');
    from = isAlone && text[end] === '\n' ? end + 1 : end;
  }
  return kept.join('') + text.slice(from);
}

function* findComments(text: string): Generator<{ readonly start: number; readonly end: number }> {
  const code = findCode(text);
  let from = 0;
  let next = 0;
  for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', from)) {
    let around = code[next];
    while (around && (around.end <= at || around.start < from)) around = code[++next];
    if (around && around.start <= at) {
      from = around.end;
      continue;
    }
    const end = endOfComment(text, at);
    if (end < 0) return;
    const isEscaped = text[at - 1] === '\\';
    from = isEscaped ? at + 4 : end;
    if (!isEscaped) yield { start: at, end };
  }
}

/** @returns a negative number for an unclosed comment that is not at the start */
function endOfComment(text: string, at: number): number {
  const end = text.indexOf('-->', at + 2);
  if (end >= 0) return end + 3;
  return text.slice(0, at).trim() === '' ? text.length : -1;
}

const OPEN_TAG = /(?<!\\)<([a-z][a-z0-9-]{0,50})(\s[^<>]{1,4096})>/gi;
const ANY_TAG = /<[^<>]*>/g;
const ID = /\s(id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/gi;

/** Finds the ids of raw HTML outside code, with headings as in `HtmlAnchors`. @param sourceOf  source of a heading */
function markdownAnchors(
  blocks: readonly Block[],
  sourceOf: (line: number) => string,
): readonly PageAnchor[] {
  const found: PageAnchor[] = [];
  const reversed = [...blocks].reverse();
  // A line can have many headings in HTML; its ids are those of the first.
  const headings = reversed.filter(({ kind }) => kind === 'heading');
  const firstOnLine = new Map(headings.map((heading) => [heading.line, heading]));
  let opened: number | null = null;
  for (const block of reversed) {
    const source = firstOnLine.get(block.line) === block ? sourceOf(block.line) : '';
    const text = block.kind === 'heading' ? source : block.text;
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
