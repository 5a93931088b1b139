import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { limitedTree } from '../../../ingest/reading/html/limited-tree.js';

export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlChild = DefaultTreeAdapterTypes.ChildNode;
type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

/** Elements that the parser may add, by opening them again. */
const MAX_REOPENED = 200_000;

/**
 * Parses HTML as browsers do.
 * @param hasPlaces  false to leave out the places of elements, which take time
 * @throws MalformedDocumentError for text that explodes, is nested too deeply or has too many attributes
 */
export function parseHtml(html: string, hasPlaces: boolean): HtmlParent {
  return parse(html, { sourceCodeLocationInfo: hasPlaces, treeAdapter: limitedTree(html, MAX_REOPENED) });
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
