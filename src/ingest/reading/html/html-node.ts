/** What our rules need of the DOM that turndown parses into; its own types ask for a browser's. */
export interface HtmlNode {
  readonly nodeType: number;
  /** Upper case for HTML elements. */
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly textContent: string | null;
  readonly parentNode: HtmlNode | null;
  readonly firstElementChild?: HtmlNode | null;
  readonly childNodes: ArrayLike<HtmlNode>;
  getAttribute(name: string): string | null;
  getElementsByTagName(name: string): ArrayLike<HtmlNode>;
}

const DROPPED =
  /^(?:SCRIPT|STYLE|NAV|ASIDE|NOSCRIPT|IFRAME|SVG|BUTTON|SELECT|TEXTAREA|INPUT|DATALIST|OBJECT|TEMPLATE|DIALOG)$/i;
/** The landmarks of WAI-ARIA that stand around the text of a page. */
const FRAME_ROLE = /^\s*(?:navigation|banner|contentinfo|search|complementary)(?!\S)/i;
export const HEADING = /^H[1-6]$/;

/** Finds the nearest element around a node that has one of the names. */
export function ancestorOf(node: HtmlNode, names: RegExp): HtmlNode | null {
  let around = node.parentNode;
  while (around && !names.test(around.nodeName)) around = around.parentNode;
  return around;
}

/** Reads an element's attribute; '' where there is none, and on a document. */
export function attributeOf(node: HtmlNode | null, name: string): string {
  return node?.nodeType === 1 ? (node.getAttribute(name) ?? '') : '';
}

/** Whether an element shows no text of the page; a browser takes the first role that it knows. */
export function isDropped(node: HtmlNode): boolean {
  return DROPPED.test(node.nodeName) || FRAME_ROLE.test(attributeOf(node, 'role'));
}
