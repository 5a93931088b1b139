import type { SectionIndex } from '../../src/core/ports/section-index.port.js';
import { aCandidate, FixedIndex } from './builders.js';

/** An index without documents, for stores that ask which documents are hidden now. */
export const NO_DOCUMENTS: Pick<SectionIndex, 'sections'> = {
  sections: async () => ({ generation: 'index:1', sections: [] }),
};

/** An index in which the page `guide.md` has got the group `hr`. */
export const LIMITED_GUIDE: Pick<SectionIndex, 'sections'> = new FixedIndex([
  aCandidate({ section: { id: 'guide.md' }, document: { path: 'guide.md', allow: [['hr']] } }),
]);
