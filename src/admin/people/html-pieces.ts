import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { limitedTree } from '../../ingest/reading/html/limited-tree.js';
import { MalformedDocumentError } from '../../ingest/reading/parsed-document.js';
import { Html, html } from '../views/html.js';
import type { Piece } from './pieces.js';

/** The elements that text of documents can have in a page. None has an attribute that a document chooses. */
export type TagName =
  | ('p' | 'div' | 'blockquote' | 'ul' | 'ol' | 'li' | 'thead' | 'tbody' | 'tr' | 'th' | 'td')
  | ('a' | 'code' | 'em' | 'strong' | 's' | 'kbd' | 'sub' | 'sup');

/** The start of an element. Values of attributes are escaped. @param name  a constant */
export function startTag(name: string, attributes: Readonly<Record<string, string>> = {}): Html {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${String(html`${value}`)}"`);
  return Html.trusted(`<${name}${given.join('')}>`);
}

export const opening = (tag: TagName): Html => startTag(tag);
export const closing = (tag: TagName): Html => Html.trusted(`</${tag}>`);

export const TABLE = Html.trusted('<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>');
export const TABLE_END = Html.trusted('</table></div>');
export const CODE_BLOCK = Html.trusted('<pre tabindex="0"><code>');
export const CODE_BLOCK_END = Html.trusted('</code></pre>');
export const BREAK = Html.trusted('<br />');

/** The start of a link. Other sites learn nothing from it and get no access to the page. */
export const linkTag = (address: string): Html =>
  startTag('a', { href: address, ...(/^[/#]/.test(address) ? {} : { rel: 'noopener noreferrer nofollow' }) });

/** A heading with its content. @param level  1 to 6 */
export function headingPieces(level: number, id: string | null, content: readonly Piece[]): Piece[] {
  const start = startTag(`h${level}`, id === null ? {} : { id });
  return [start, ...content, Html.trusted(`</h${level}>`)];
}

export const hasText = (pieces: readonly Piece[]): boolean =>
  pieces.some((piece) => typeof piece === 'string' && piece.trim() !== '');

/** Elements of documents and what they become. The others leave their content. */
const ELEMENTS: Readonly<Record<string, TagName>> = {
  ...{
    p: 'p',
    ul: 'ul',
    ol: 'ol',
    blockquote: 'blockquote',
    code: 'code',
    kbd: 'kbd',
    sub: 'sub',
    sup: 'sup',
  },
  ...{ em: 'em', i: 'em', strong: 'strong', b: 'strong', s: 's', del: 's', thead: 'thead', tbody: 'tbody' },
  ...{
    tr: 'tr',
    th: 'th',
    td: 'td',
    div: 'div',
    section: 'div',
    details: 'div',
    summary: 'p',
    dt: 'p',
    dd: 'div',
  },
};
const findTag = (name: string): TagName | undefined =>
  Object.hasOwn(ELEMENTS, name) ? ELEMENTS[name] : undefined;

/** Elements whose content nobody reads. */
const DROPPED = new Set([
  ...['script', 'style', 'template', 'iframe', 'object', 'embed', 'svg', 'math', 'noscript', 'head', 'title'],
  ...['textarea', 'select', 'option', 'video', 'audio', 'canvas', 'noembed', 'noframes', 'xmp', 'plaintext'],
]);
/** Deeper elements are left out. */
const MAX_DEPTH = 60;

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

const isElement = (node: Node): node is Element => 'tagName' in node;

interface Reading {
  readonly linkTo: (href: string) => string | null;
  readonly parent: string;
  readonly depth: number;
}

const attribute = ({ attrs }: Element, name: string): string =>
  attrs.find((each) => each.name === name)?.value ?? '';

function around(start: Html, content: readonly Piece[], end: Html): Piece[] {
  return [start, ...content, end];
}

function elementPieces(element: Element, { linkTo, parent, depth }: Reading): Piece[] {
  const { tagName: name } = element;
  if (DROPPED.has(name) || depth > MAX_DEPTH) return [];
  if (name === 'br') return [BREAK];
  if (name === 'img') return [attribute(element, 'alt')];
  const content = element.childNodes.flatMap((child) =>
    nodePieces(child, { linkTo, parent: name, depth: depth + 1 }),
  );
  if (name === 'table') return around(TABLE, content, TABLE_END);
  if (name === 'pre') return around(CODE_BLOCK, content, CODE_BLOCK_END);
  if (name === 'li') {
    const item = /^[uo]l$/.test(parent) ? 'li' : 'div';
    return around(opening(item), content, closing(item));
  }
  if (/^h[1-6]$/.test(name))
    return around(Html.trusted('<p><strong>'), content, Html.trusted('</strong></p>'));
  if (name === 'a') {
    const address = hasText(content) ? linkTo(attribute(element, 'href')) : null;
    return address === null ? content : around(linkTag(address), content, closing('a'));
  }
  const tag = name === 'th' && !hasText(content) ? 'td' : findTag(name);
  return tag === undefined ? content : around(opening(tag), content, closing(tag));
}

function nodePieces(node: Node, reading: Reading): Piece[] {
  if (isElement(node)) return elementPieces(node, reading);
  return 'value' in node ? [node.value] : [];
}

/** Elements that the parser may add to those of a text: so many, and no more than one for some characters. */
const MAX_ADDED = 5_000;
const CHARS_FOR_ADDED = 4;

function parseLimited(source: string): readonly Node[] | null {
  const maxAdded = Math.min(MAX_ADDED, 10 + source.length / CHARS_FOR_ADDED);
  try {
    return parseFragment(source, { treeAdapter: limitedTree(source, maxAdded) }).childNodes;
  } catch (error) {
    if (error instanceof MalformedDocumentError) return null;
    throw error;
  }
}

/**
 * Reads HTML of a document, and writes what people read of it: its text, in the elements above. HTML that explodes or is
 * nested too deeply is shown as it is written.
 */
export function htmlPieces(source: string, linkTo: Reading['linkTo']): Piece[] {
  const nodes = parseLimited(source);
  if (nodes === null) return around(CODE_BLOCK, [source], CODE_BLOCK_END);
  return nodes.flatMap((node) => nodePieces(node, { linkTo, parent: '', depth: 0 }));
}
