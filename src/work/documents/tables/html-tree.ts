import { defaultTreeAdapter, type DefaultTreeAdapterTypes, parse, type TreeAdapter } from 'parse5';
import { MalformedDocumentError } from '../../../ingest/reading/parsed-document.js';

export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlChild = DefaultTreeAdapterTypes.ChildNode;
type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

/** Elements that the HTML parser opens again in each paragraph until they are closed. */
const FORMATTING = /<(\/?)(?:b|big|code|em|font|i|s|small|strike|strong|tt|u)(?=[\s/>])/gi;
const TAG = /<[a-z]/gi;
/** Largest product of open formatting elements and tags: the number of elements that the parser may add. */
const MAX_REOPENED = 2_000_000;

/** For each tag, parsers look at all open elements, and converters at all elements within. */
const MAX_DEPTH = 256;
const DEEP = 32;
const MAX_DEEP_ELEMENTS = 1000;

/** A tree whose depth is limited while it is built. */
function limitedTree(): TreeAdapter<DefaultTreeAdapterTypes.DefaultTreeAdapterMap> {
  let depth = 0;
  let deep = 0;
  return {
    ...defaultTreeAdapter,
    onItemPush: () => {
      depth++;
      if (depth > DEEP) deep++;
      if (depth > MAX_DEPTH || deep > MAX_DEEP_ELEMENTS) {
        throw new MalformedDocumentError(1, 'the HTML is nested too deeply');
      }
    },
    onItemPop: () => {
      depth--;
    },
  };
}

const TAG_NAME = /<[a-z][^\s/>]*/gi;
/** Each 200 characters of a name or of an unquoted value count as one attribute, so that one scan is short. */
const ATTRIBUTE = /[\s/]*[^\s/>][^\s/>=]{0,200}(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>][^\s>]{0,200})?)?/y;
/** Parsers compare each attribute of a tag with those before it. */
const MAX_ATTRIBUTES = 500;

/** Checks whatever may be a tag, also in comments and scripts, since a scan by patterns can't tell where those end. */
function checkAttributes(html: string): void {
  for (const tag of html.matchAll(TAG_NAME)) {
    ATTRIBUTE.lastIndex = tag.index + tag[0].length;
    let attributes = 0;
    while (ATTRIBUTE.test(html)) {
      attributes++;
      if (attributes > MAX_ATTRIBUTES) throw new MalformedDocumentError(1, 'a tag has too many attributes');
    }
  }
}

/**
 * Parses HTML as browsers do.
 * @param hasPlaces  false to leave out the places of elements, which take time
 * @throws MalformedDocumentError for text that explodes, is nested too deeply or has too many attributes
 */
export function parseHtml(html: string, hasPlaces: boolean): HtmlParent {
  checkAttributes(html);
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
  return parse(html, { sourceCodeLocationInfo: hasPlaces, treeAdapter: limitedTree() });
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
