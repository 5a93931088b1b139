import {
  packTermChanges,
  packVocabulary,
  Terms,
  Vocabulary,
} from '../../../../src/engines/qdrant/vocabulary.js';
import { nearbyTerms } from '../../../../src/kb/search/nearest-term.js';

const PACKED = packVocabulary([
  ['kestrel', 3],
  ['kestrels', 1],
  ['kettle', 2],
  ['設定', 4],
]);
const vocabulary = new Vocabulary(new Terms(PACKED));

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
    expect(new Vocabulary(new Terms(Buffer.alloc(0))).near(nearbyTerms('ow'))).toEqual([]);
  });
});

describe('packTermChanges', () => {
  const NOW = [
    ['kestra', 2],
    ['kestrel', 5],
    ['kettle', 2],
    ['設定', 4],
  ] as const;

  it('packs only the terms that came, went or have another count', () => {
    expect(packTermChanges(PACKED, NOW).toString()).toBe('kestra\t2\nkestrel\t5\nkestrels\t0');
    expect(packTermChanges(packVocabulary(NOW), NOW).toString()).toBe('');
  });

  it('gives the same vocabulary, on top of the earlier one', () => {
    const changed = new Vocabulary(new Terms(PACKED), packTermChanges(PACKED, NOW));
    const whole = new Vocabulary(new Terms(packVocabulary(NOW)));
    const terms = ['kestra', 'kestrel', 'kestrels', 'kettle', '設定', 'owl'];
    expect(terms.map((term) => changed.sectionsWith(term))).toEqual([2, 5, 0, 2, 4, 0]);
    expect(changed.near(nearbyTerms('kestral'))).toEqual(whole.near(nearbyTerms('kestral')));
  });
});
