/** The part of turndown's DOM that our rules use; turndown's own types need the DOM types of browsers. */
export interface HtmlNode {
  readonly nodeType: number;
  /** Upper case for HTML elements. */
  readonly nodeName: string;
  readonly nodeValue: string | null;
  /** Setting it replaces everything in the node. */
  textContent: string | null;
  readonly parentNode: HtmlNode | null;
  readonly firstElementChild?: HtmlNode | null;
  readonly previousElementSibling?: HtmlNode | null;
  readonly nextElementSibling?: HtmlNode | null;
  readonly previousSibling: HtmlNode | null;
  readonly nextSibling: HtmlNode | null;
  readonly childNodes: ArrayLike<HtmlNode>;
  getAttribute(name: string): string | null;
  getElementsByTagName(name: string): ArrayLike<HtmlNode>;
}

export const HEADING = /^H[1-6]$/;

export function rootOf(node: HtmlNode): HtmlNode {
  let root = node;
  while (root.parentNode) root = root.parentNode;
  return root;
}

export function ancestorOf(node: HtmlNode, names: RegExp): HtmlNode | null {
  let around = node.parentNode;
  while (around && !names.test(around.nodeName)) around = around.parentNode;
  return around;
}

/** Reads an attribute; '' if it is missing or if the node is not an element. */
export function attributeOf(node: HtmlNode | null, name: string): string {
  return node?.nodeType === 1 ? (node.getAttribute(name) ?? '') : '';
}

export const innerElements = (node: HtmlNode | null): HtmlNode[] =>
  Array.from(node?.childNodes ?? []).filter(({ nodeType }) => nodeType === 1);

/** The outermost elements with a role. */
export const withRole = (node: HtmlNode, role: string): HtmlNode[] =>
  innerElements(node).flatMap((child) =>
    attributeOf(child, 'role') === role ? [child] : withRole(child, role),
  );

/** Each element is read once: all of its children ask for it. */
const ownWords = new WeakMap<HtmlNode, boolean>();

/** True for an element whose own text, without that of the elements in it, has words. */
export function hasOwnWords(node: HtmlNode): boolean {
  const known = ownWords.get(node);
  if (known !== undefined) return known;
  const found = Array.from(node.childNodes).some(
    ({ nodeType, nodeValue }) => nodeType === 3 && /[\p{L}\p{N}]/u.test(nodeValue ?? ''),
  );
  ownWords.set(node, found);
  return found;
}

/** True for the element that is marked as the main content of the page. */
export function isMain(node: HtmlNode): boolean {
  return node.nodeName === 'MAIN' || attributeOf(node, 'role').toLowerCase() === 'main';
}
