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
