import type { PageAnchor } from '../parsed-document.js';
import { docutilsId } from './docutils-id.js';

/** The anchor by which links of other pages name a label of Sphinx, written like a label of MyST. */
export const labelAnchor = (name: string): string => `(${docutilsId(name)})=`;

/** Adds the anchors by which other pages of Sphinx name those of a page. */
export function withLabelAnchors(anchors: readonly PageAnchor[]): readonly PageAnchor[] {
  const labels = anchors.map((anchor) => ({ ...anchor, name: labelAnchor(anchor.name) }));
  return [...anchors, ...labels.filter(({ name }) => name !== labelAnchor(''))];
}
