import { payloadSection, POINTS_VERSION, sectionPoints } from '../../../../src/engines/qdrant/points.js';
import { aDocument, aSection } from '../../../support/builders.js';

const section = aSection({ text: 'Do this:\n\n- One.\n- Two.' });
const built = {
  section,
  terms: () => ({ title: [], headings: [], file: [], body: ['one'] }),
  acronyms: [],
  vector: null,
};
const document = { facts: aDocument(), hash: 'h', isOffered: false, sections: [built] };

describe('sectionPoints', () => {
  const [point] = sectionPoints(document, { averageLength: 1, dimensions: 0 });

  it('keep everything that a search returns of a section', () => {
    expect(payloadSection(point?.payload)).toEqual({ section, document: aDocument() });
  });

  // A field that older points do not have needs a new version, or they are neither refused nor written again.
  it('have these fields in this version', () => {
    expect(POINTS_VERSION).toBe(7);
    expect(Object.keys(point?.payload ?? {}).sort()).toEqual(
      [
        ...['anchor', 'heading_path', 'level', 'ordinal', 'section_id', 'structure', 'text', 'title'],
        ...[
          'allow',
          'doc_tag',
          'document_title',
          'metadata',
          'path',
          'repository',
          'trail',
          'updated_at',
          'url',
        ],
        ...['document_sections', 'kind', 'terms'],
      ].sort(),
    );
  });
});
