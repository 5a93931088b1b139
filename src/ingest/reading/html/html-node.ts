/** The part of turndown's DOM that our rules use; turndown's own types need the DOM types of browsers. */
export interface HtmlNode {
  readonly nodeType: number;
  /** Upper case for HTML elements. */
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly textContent: string | null;
  readonly parentNode: HtmlNode | null;
  readonly firstElementChild?: HtmlNode | null;
  readonly previousElementSibling?: HtmlNode | null;
  readonly childNodes: ArrayLike<HtmlNode>;
  getAttribute(name: string): string | null;
  getElementsByTagName(name: string): ArrayLike<HtmlNode>;
}

const DROPPED =
  /^(?:SCRIPT|STYLE|NAV|ASIDE|NOSCRIPT|IFRAME|SVG|BUTTON|SELECT|TEXTAREA|INPUT|DATALIST|OBJECT|TEMPLATE|DIALOG)$/i;
/** WAI-ARIA landmarks around the text of a page. */
const FRAME_ROLE = /^\s*(?:navigation|banner|contentinfo|search|complementary)(?!\S)/i;
/** DocBook's links around a page. */
const FRAME_CLASS = /(?:^|\s)nav(?:header|footer)(?!\S)/;
export const HEADING = /^H[1-6]$/;

export function ancestorOf(node: HtmlNode, names: RegExp): HtmlNode | null {
  let around = node.parentNode;
  while (around && !names.test(around.nodeName)) around = around.parentNode;
  return around;
}

/** Reads an attribute; '' if it is missing or if the node is not an element. */
export function attributeOf(node: HtmlNode | null, name: string): string {
  return node?.nodeType === 1 ? (node.getAttribute(name) ?? '') : '';
}

/** True for an element without page text, by its name, its first ARIA role or its class. */
export function isDropped(node: HtmlNode): boolean {
  return (
    DROPPED.test(node.nodeName) ||
    FRAME_ROLE.test(attributeOf(node, 'role')) ||
    FRAME_CLASS.test(attributeOf(node, 'class'))
  );
}
