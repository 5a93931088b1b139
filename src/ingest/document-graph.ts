import type { DocumentGraph, FoundAnchor, FoundHeading, FoundLink } from '../core/indexed-document.js';
import type { Section } from '../core/section.js';
import { findLinks } from './links/find-links.js';
import { findMentions } from './names/find-mentions.js';
import { findSteps } from './sections/find-steps.js';

/** Links and anchors that are not in the text of sections. */
export interface HiddenParts {
  readonly tagLinks: readonly Pick<FoundLink, 'section' | 'href'>[];
  readonly anchors: readonly FoundAnchor[];
}

const NOTHING_HIDDEN: HiddenParts = { tagLinks: [], anchors: [] };

/** Builds the graph of one document from its sections. */
export function graphOf(
  headings: readonly FoundHeading[],
  sections: readonly Section[],
  { tagLinks, anchors }: HiddenParts = NOTHING_HIDDEN,
): DocumentGraph {
  const written = findLinks(sections);
  const known = new Set(written.map(({ section, href }) => `${section} ${href}`));
  const others = new Map(tagLinks.map((link) => [`${link.section} ${link.href}`, link]));
  const added = [...others].flatMap(([key, link]) => (known.has(key) ? [] : [{ ...link, isSeeAlso: false }]));
  return {
    headings,
    links: [...written, ...added],
    mentions: findMentions(sections),
    steps: findSteps(sections),
    anchors,
  };
}
