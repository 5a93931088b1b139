import { packVocabulary, Vocabulary } from '../../../../src/engines/qdrant/known-generation.js';
import { nearbyTerms } from '../../../../src/kb/search/nearest-term.js';

const vocabulary = new Vocabulary(
  packVocabulary([
    ['kestrel', 3],
    ['kestrels', 1],
    ['kettle', 2],
    ['設定', 4],
  ]),
);

describe('Vocabulary', () => {
  it('returns the number of sections that contain a term', () => {
    expect(['kestrel', '設定', 'owl', '', '__proto__'].map((term) => vocabulary.sectionsWith(term))).toEqual([
      3, 4, 0, 0, 0,
    ]);
  });

  it('lists terms with the same start and a similar length', () => {
    expect(vocabulary.near(nearbyTerms('kestral'))).toEqual([
      { term: 'kestrel', sections: 3 },
      { term: 'kestrels', sections: 1 },
      { term: 'kettle', sections: 2 },
    ]);
    expect(vocabulary.near(nearbyTerms('owl'))).toEqual([]);
  });

  it('lists terms with starts of different lengths', () => {
    expect(vocabulary.near({ start: 'kestr', shortest: 5, longest: 9 }).map(({ term }) => term)).toEqual([
      'kestrel',
      'kestrels',
    ]);
    expect(vocabulary.near({ start: 'ke', shortest: 1, longest: 6 }).map(({ term }) => term)).toEqual([
      'kettle',
    ]);
  });

  it('may be empty', () => {
    expect(new Vocabulary(Buffer.alloc(0)).near(nearbyTerms('ow'))).toEqual([]);
  });
});
