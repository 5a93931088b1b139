import { funnelOf, lossesOf } from '../../../../src/diagnostics/report/lost-sections.js';
import { STORIES } from '../../../support/retrieval-stories.js';

describe('funnelOf', () => {
  it('lists the losses before each count', () => {
    expect(funnelOf(STORIES.unlikely)).toEqual([
      { name: 'Matched', count: 41, losses: [] },
      { name: 'In scope', count: 41, losses: [] },
      {
        name: 'Without duplicates',
        count: 15,
        losses: [
          { reason: 'same_document', count: 22 },
          { reason: 'near_duplicate', count: 4 },
        ],
      },
      {
        name: 'Returned',
        count: 3,
        losses: [
          { reason: 'below_list', count: 11 },
          { reason: 'no_quote', count: 1 },
        ],
      },
    ]);
  });

  it.each(['unlikely', 'nothing', 'timeout', 'cut', 'good'] as const)(
    'has losses that add up: %s',
    (name) => {
      const record = STORIES[name];
      const lost = lossesOf(record).reduce((sum, { count }) => sum + count, 0);
      expect(record.counts.returned + lost).toBe(record.counts.candidates_initial);
    },
  );
});
