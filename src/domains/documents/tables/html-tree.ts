import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { MalformedDocumentError } from '../../../ingest/reading/parsed-document.js';

export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlChild = DefaultTreeAdapterTypes.ChildNode;
type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

/** Elements that the HTML parser opens again in each paragraph until they are closed. */
const FORMATTING = /<(\/?)(?:b|big|code|em|font|i|s|small|strike|strong|tt|u)(?=[\s/>])/gi;
const TAG = /<[a-z]/gi;
/** Largest product of open formatting elements and tags: the number of elements that the parser may add. */
const MAX_REOPENED = 2_000_000;

/**
 * Parses HTML as browsers do.
 * @param hasPlaces  false to leave out the places of elements, which take time
 * @throws MalformedDocumentError for text that explodes
 */
export function parseHtml(html: string, hasPlaces: boolean): HtmlParent {
  let open = 0;
  let most = 0;
  for (const [, slash] of html.matchAll(FORMATTING)) {
    open = Math.max(0, open + (slash ? -1 : 1));
    most = Math.max(most, open);
  }
  const tags = html.match(TAG)?.length ?? 0;
  if (most * tags > MAX_REOPENED) {
    throw new MalformedDocumentError(1, 'the HTML has too many unclosed elements');
  }
  return parse(html, { sourceCodeLocationInfo: hasPlaces });
}

export const isElement = (node: HtmlChild | HtmlParent): node is HtmlElement => 'tagName' in node;

/** All elements below a node, in document order. */
export function* elementsIn(root: HtmlParent): Generator<HtmlElement> {
  const rest: HtmlChild[] = [...root.childNodes].reverse();
  for (let next = rest.pop(); next; next = rest.pop()) {
    if (!isElement(next)) continue;
    yield next;
    for (let i = next.childNodes.length - 1; i >= 0; i--) {
      const child = next.childNodes[i];
      if (child) rest.push(child);
    }
  }
}

export function childElements(parent: HtmlParent, names: RegExp): HtmlElement[] {
  return parent.childNodes.filter(isElement).filter(({ tagName }) => names.test(tagName));
}

/** The value of an attribute; null if it is missing. */
export function attributeIn({ attrs }: HtmlElement, name: string): string | null {
  return attrs.find((each) => each.name === name)?.value ?? null;
}
