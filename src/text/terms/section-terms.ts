import { searchTerms, type StemMemo } from './search-terms.js';

interface IndexedFields {
  /** Title of the document; front matter may differ from the first heading. */
  readonly documentTitle: string;
  /** Titles above the page. */
  readonly trail: readonly string[];
  readonly title: string;
  readonly headingPath: readonly string[];
  readonly path: string;
  readonly text: string;
}

/**
 * The terms of a section by field, in order, with repeats. `headings` are the headings above. `file` is the place of the
 * page: the titles above it and its path.
 */
export interface FieldTerms {
  readonly title: readonly string[];
  readonly headings: readonly string[];
  readonly file: readonly string[];
  readonly body: readonly string[];
}

export function fieldTerms(section: IndexedFields, memo: StemMemo): FieldTerms {
  const terms = (text: string): string[] => searchTerms(text, memo);
  const { documentTitle, headingPath, trail } = section;
  const above = [
    ...(headingPath.includes(documentTitle) ? [] : [documentTitle]),
    ...headingPath.slice(0, -1),
  ];
  return {
    title: terms(section.title),
    headings: terms(above.join('\n')),
    file: terms([...trail, section.path].join('\n')),
    body: terms(section.text),
  };
}

/** Computes the terms of a section as the columns of the full-text table. */
export function sectionTerms(section: IndexedFields, memo: StemMemo): [string, string, string, string] {
  const { title, headings, file, body } = fieldTerms(section, memo);
  return [title.join(' '), headings.join(' '), file.join(' '), body.join(' ')];
}
