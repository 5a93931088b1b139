import type { StemMemo } from '../../text/search-terms.js';
import { fieldTerms } from '../../text/section-terms.js';
import type { FieldTerms } from '../../text/section-terms.js';
import type { StoredSection } from '../../core/ports/section-index.port.js';

/** The terms of a section as they were indexed. */
export function storedTerms({ section, document }: StoredSection, memo: StemMemo): FieldTerms {
  return fieldTerms({ ...section, documentTitle: document.title, path: document.path }, memo);
}
