import { searchTerms } from '../../text/search-terms.js';
import type { StemMemo } from '../../text/search-terms.js';

interface IndexedFields {
  readonly title: string;
  readonly headingPath: readonly string[];
  readonly path: string;
  readonly text: string;
}

/** What is indexed of a section: title, headings above it, path and body, as the full-text table has its columns. */
export function sectionTerms(section: IndexedFields, memo: StemMemo): [string, string, string, string] {
  const terms = (text: string): string => searchTerms(text, memo).join(' ');
  const ancestors = section.headingPath.slice(0, -1).join('\n');
  return [terms(section.title), terms(ancestors), terms(section.path), terms(section.text)];
}
