import { searchTerms } from '../../text/search-terms.js';
import type { StemMemo } from '../../text/search-terms.js';

interface IndexedFields {
  /** Of the document; front matter may call it otherwise than its first heading does. */
  readonly documentTitle: string;
  readonly title: string;
  readonly headingPath: readonly string[];
  readonly path: string;
  readonly text: string;
}

/** What is indexed of a section: title, headings above it, path and body, as the full-text table has its columns. */
export function sectionTerms(section: IndexedFields, memo: StemMemo): [string, string, string, string] {
  const terms = (text: string): string => searchTerms(text, memo).join(' ');
  const { documentTitle, headingPath } = section;
  const above = [
    ...(headingPath.includes(documentTitle) ? [] : [documentTitle]),
    ...headingPath.slice(0, -1),
  ];
  return [terms(section.title), terms(above.join('\n')), terms(section.path), terms(section.text)];
}
