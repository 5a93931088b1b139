import { searchTerms } from './search-terms.js';
import type { StemMemo } from './search-terms.js';

interface IndexedFields {
  /** Of the document; front matter may call it otherwise than its first heading does. */
  readonly documentTitle: string;
  readonly title: string;
  readonly headingPath: readonly string[];
  readonly path: string;
  readonly text: string;
}

/** The terms of a section's title, of the headings above it, of its path and of its body; with repeats, in order. */
export interface FieldTerms {
  readonly title: readonly string[];
  readonly headings: readonly string[];
  readonly file: readonly string[];
  readonly body: readonly string[];
}

/** What is indexed of a section, field by field. */
export function fieldTerms(section: IndexedFields, memo: StemMemo): FieldTerms {
  const terms = (text: string): string[] => searchTerms(text, memo);
  const { documentTitle, headingPath } = section;
  const above = [
    ...(headingPath.includes(documentTitle) ? [] : [documentTitle]),
    ...headingPath.slice(0, -1),
  ];
  return {
    title: terms(section.title),
    headings: terms(above.join('\n')),
    file: terms(section.path),
    body: terms(section.text),
  };
}

/** The same as the full-text table has its columns. */
export function sectionTerms(section: IndexedFields, memo: StemMemo): [string, string, string, string] {
  const { title, headings, file, body } = fieldTerms(section, memo);
  return [title.join(' '), headings.join(' '), file.join(' '), body.join(' ')];
}
