import { findCode, isInSpan, lineCounter } from './markdown/find-code.js';
import type { Block, ParsedDocument, TagLink } from './parsed-document.js';
import { parseWikiLink, type WikiLink } from './wiki-link.js';

interface FoundWikiLink extends WikiLink {
  readonly written: string;
  readonly start: number;
  readonly end: number;
}

/** Also as the destination of a link: `[words]([[page]])`. */
const LINK =
  /(?<![\\[])(?:\[([^[\]\n]{1,300})\]\((\[\[[^[\]\n]{1,600}\]\])\)|!?\[\[[^[\]\n]{1,600}\]\](?!\]|\(|\[(?!\[)))/g;
/** Code of HTML. */
const CODE_TAG = /<(pre|code|script|style)\b[^<>]{0,500}>[^]*?(?:<\/\1>|$)/gi;

function linksIn({ kind, ...block }: Block): FoundWikiLink[] {
  const text = 'title' in block ? block.title : block.text;
  if (kind === 'fence' || !text.includes('[[')) return [];
  const code = kind === 'heading' ? [] : findCode(text);
  const tags = Array.from(text.matchAll(CODE_TAG), (tag) => ({
    start: tag.index,
    end: tag.index + tag[0].length,
  }));
  return Array.from(text.matchAll(LINK)).flatMap(({ 0: whole, 1: words, 2: inner, index: start }) => {
    if (isInSpan(code, start) || isInSpan(tags, start)) return [];
    const written = inner ?? whole;
    const link = parseWikiLink(written);
    const end = start + whole.length;
    return link ? [{ ...link, shown: words ?? link.shown, written, start, end }] : [];
  });
}

function withWords(block: Block, links: readonly FoundWikiLink[]): Block[] {
  if (links.length === 0) return [block];
  const source = block.kind === 'heading' ? block.title : block.text;
  const kept: string[] = [];
  let from = 0;
  for (const { start, end, shown } of links) {
    kept.push(source.slice(from, start), shown);
    from = end;
  }
  const text = kept.join('') + source.slice(from);
  if (text.trim() === '') return [];
  return [block.kind === 'heading' ? { ...block, title: text.trim() } : { ...block, text }];
}

function toTagLinks(block: Block, links: readonly FoundWikiLink[]): TagLink[] {
  const lineAt = lineCounter(block.kind === 'heading' ? '' : block.text, block.line);
  return links.map(({ written, start }) => ({ href: written.replace(/^!/, ''), line: lineAt(start) }));
}

/**
 * Shows the words of wiki links instead of their brackets. A single word in brackets may also be a table of TOML or an
 * attribute of C++: it keeps the brackets, unless the page has other wiki links.
 */
export function withWikiLinks(document: ParsedDocument): ParsedDocument {
  const found = document.blocks.map((block) => ({ block, links: linksIn(block) }));
  const links = found.flatMap(({ links: own }) => own);
  if (links.length === 0) return document;
  const isSure = links.some((link) => link.isSure);
  return {
    ...document,
    blocks: isSure ? found.flatMap(({ block, links: own }) => withWords(block, own)) : document.blocks,
    tagLinks: [...document.tagLinks, ...found.flatMap(({ block, links: own }) => toTagLinks(block, own))],
  };
}
