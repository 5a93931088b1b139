import { mergeRecalled } from '../../../../src/kb/search/rank-matches.js';
import type { Hit } from '../../../../src/kb/search/score-hits.js';

const hit = (sectionId: string, lexical = 1): Hit => ({
  sectionId,
  documentId: 1,
  title: '',
  documentTitle: '',
  ordinal: 0,
  lexical,
});
const hits = (count: number): Hit[] => Array.from({ length: count }, (_, i) => hit(`w${i}`));

describe('mergeRecalled', () => {
  it('inserts sections found by vectors after those found by words, each once', () => {
    const { hits: merged, compared } = mergeRecalled([hit('a'), hit('b')], [hit('b'), hit('c', 0)]);
    expect(merged.map(({ sectionId }) => sectionId)).toEqual(['a', 'b', 'c']);
    expect(compared).toBe(3);
  });

  it('marks sections without a word of the question', () => {
    const { hits: merged } = mergeRecalled([hit('a')], [hit('b', 0.5), hit('c', 0)]);
    expect(merged.map(({ recalled = false }) => recalled)).toEqual([false, false, true]);
  });

  it('moves a section found by vectors up if its lexical rank is too low for comparison', () => {
    const { hits: merged, compared } = mergeRecalled(hits(90), [hit('w85'), hit('new', 0)]);
    expect(merged.slice(79, 83).map(({ sectionId }) => sectionId)).toEqual(['w79', 'w85', 'new', 'w80']);
    expect(merged).toHaveLength(91);
    expect(compared).toBe(82);
  });
});
