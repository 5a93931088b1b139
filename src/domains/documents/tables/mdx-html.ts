import { findMdx, type MdxPart } from '../../../ingest/reading/mdx/find-mdx.js';
import { LINES, markedComment } from './markdown-tables.js';

const VOID = /^(?:br|hr|img|input|wbr)$/;
/** JSX also writes numbers in braces: `rowSpan={2}`. */
const SPAN = /\s(row|col)span\s*=\s*\{?\s*["']?(\d{1,5})/gi;

/** Writes the HTML elements of an MDX page as HTML, without its components; lines as in `renderTables`. */
export function mdxHtml(text: string): string {
  const pieces: string[] = [];
  let [from, line] = [0, 0];
  const skip = (to: number): string => {
    const stretch = text.slice(from, to);
    line += stretch.split('\n').length - 1;
    from = to;
    return stretch;
  };
  for (const part of findMdx(text)) {
    pieces.push(asText(skip(part.start)));
    const start = line;
    pieces.push(partHtml(part, skip(part.end), start));
  }
  pieces.push(asText(text.slice(from)));
  return pieces.join('');
}

const asText = (prose: string): string => prose.replaceAll('<', '&lt;');

function partHtml({ kind, tag }: MdxPart, source: string, line: number): string {
  if (kind === 'code') return asText(source.replaceAll('&', '&amp;').replace(/^(`+)([^`\n]*)\1$/, '$2'));
  if (!tag || !/^[a-z]/.test(tag.name)) return ' ';
  const { name, form } = tag;
  if (form === 'close') return `${name === 'table' ? markedComment(line) : ''}</${name}>`;
  const spans = Array.from(source.matchAll(SPAN), ([, of = '', count = '']) => ` ${of}span="${count}"`);
  const place = name === 'table' ? ` ${LINES}="${line}"` : '';
  const alt = name === 'img' ? ` alt="${(tag.attributes['alt'] ?? '').replaceAll('"', '&quot;')}"` : '';
  const isClosed = form === 'self' && !VOID.test(name);
  return `<${name}${place}${alt}${spans.join('')}>${isClosed ? `</${name}>` : ''}`;
}
