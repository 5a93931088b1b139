import fc from 'fast-check';
import type { Bridge } from '../../../src/core/ports/graph-store.port.js';
import { expandRanking, type RankedSection, SEEDS } from '../../../src/graph/expand-ranking.js';

const aSection = (id: string, score: number, held: string): RankedSection => ({
  id,
  score,
  held: new Set(held),
});
const anEdge = (source: string, target: string): Bridge => ({ source, target });
/** A question with the four terms a, b, c and d, of equal weight. */
const WEIGHTS = new Map([...'abcd'].map((term) => [term, 1]));

describe('expandRanking', () => {
  const [seed, middle] = [aSection('seed', 1, 'ab'), aSection('middle', 0.8, 'ab')];
  const lifted = 'seed';

  it.each([
    {
      what: 'all that the seed lacks',
      held: 'cd',
      edge: anEdge('seed', 'low'),
      score: 0.9,
      liftedBy: lifted,
    },
    {
      what: 'the same, linked the other way',
      held: 'cd',
      edge: anEdge('low', 'seed'),
      score: 0.9,
      liftedBy: lifted,
    },
    { what: 'too little of it', held: 'abc', edge: anEdge('seed', 'low'), score: 0.4, liftedBy: null },
    { what: 'nothing of it', held: 'ab', edge: anEdge('seed', 'low'), score: 0.4, liftedBy: null },
    {
      what: 'all of it without a link',
      held: 'cd',
      edge: anEdge('seed', 'other'),
      score: 0.4,
      liftedBy: null,
    },
    {
      what: 'all of it and a link to itself',
      held: 'cd',
      edge: anEdge('low', 'low'),
      score: 0.4,
      liftedBy: null,
    },
  ])('scores a section that contains $what as $score', ({ held, edge, score, liftedBy }) => {
    const ranked = [seed, middle, aSection('low', 0.4, held)];
    expect(expandRanking(ranked, WEIGHTS, [edge])).toContainEqual({ id: 'low', score, liftedBy });
  });

  it('lifts a section above sections that were ranked before it', () => {
    const expanded = expandRanking([seed, middle, aSection('low', 0.4, 'cd')], WEIGHTS, [
      anEdge('seed', 'low'),
    ]);
    expect(expanded.map(({ id }) => id)).toEqual(['seed', 'low', 'middle']);
  });

  it('uses the largest gain of several seeds, not their sum', () => {
    const edges = [anEdge('seed', 'low'), anEdge('middle', 'low')];
    const expanded = expandRanking([seed, middle, aSection('low', 0.4, 'cd')], WEIGHTS, edges);
    expect(expanded).toContainEqual({ id: 'low', score: 0.9, liftedBy: lifted });
  });

  it('lifts nothing if the seed contains the whole question', () => {
    const ranked = [aSection('seed', 1, 'abcd'), aSection('low', 0.4, 'abcd')];
    expect(expandRanking(ranked, WEIGHTS, [anEdge('seed', 'low')])[1]).toEqual({
      id: 'low',
      score: 0.4,
      liftedBy: null,
    });
  });

  it('also lifts a seed by a lower-ranked section', () => {
    const expanded = expandRanking([seed, aSection('low', 0.4, 'cd')], WEIGHTS, [anEdge('seed', 'low')]);
    expect(expanded[0]).toEqual({ id: 'seed', score: 1.2, liftedBy: 'low' });
  });

  it('starts from the best sections only', () => {
    const best = Array.from({ length: SEEDS }, (_, i) => aSection(`best${i}`, 2, 'ab'));
    const expanded = expandRanking([...best, seed, aSection('low', 0.4, 'cd')], WEIGHTS, [
      anEdge('seed', 'low'),
    ]);
    expect(expanded.at(-1)).toEqual({ id: 'low', score: 0.4, liftedBy: null });
  });

  it.each([
    { what: 'an empty list', ranked: [], weights: WEIGHTS },
    { what: 'a question without terms', ranked: [seed], weights: new Map<string, number>() },
  ])('accepts $what', ({ ranked, weights }) => {
    expect(expandRanking(ranked, weights, [anEdge('seed', 'low')])).toHaveLength(ranked.length);
  });

  describe('for any list and any links', () => {
    const id = fc.constantFrom(...'stuvwxyz');
    const section = fc.record({
      id,
      score: fc.integer({ min: 0, max: 20 }).map((tenths) => tenths / 10),
      held: fc.subarray([...'abcd']).map((terms) => new Set(terms)),
    });
    const best = (a: RankedSection, b: RankedSection): number => b.score - a.score || (a.id < b.id ? -1 : 1);
    const list = fc
      .uniqueArray(section, { selector: (each) => each.id })
      .map((sections): RankedSection[] => sections.sort(best));
    const edge = fc.tuple(id, id).map((ends) => anEdge(...ends));
    const edges = fc.array(edge, { maxLength: 20 });

    it('keeps every section once and lowers no score', () => {
      fc.assert(
        fc.property(list, edges, (ranked, links) => {
          const scores = new Map(expandRanking(ranked, WEIGHTS, links).map((each) => [each.id, each.score]));
          expect([...scores.keys()].sort()).toEqual(ranked.map((each) => each.id).sort());
          expect(ranked.every((each) => (scores.get(each.id) ?? -1) >= each.score)).toBe(true);
        }),
      );
    });

    it('changes nothing without links', () => {
      fc.assert(
        fc.property(list, (ranked) => {
          const unchanged = ranked.map(({ id: same, score }) => ({ id: same, score, liftedBy: null }));
          expect(expandRanking(ranked, WEIGHTS, [])).toEqual(unchanged);
        }),
      );
    });

    it('orders by score, then by id, for any order of the links', () => {
      fc.assert(
        fc.property(list, edges, (ranked, links) => {
          const expanded = expandRanking(ranked, WEIGHTS, links).map(({ id: same, score }) => ({
            id: same,
            score,
          }));
          const reversed = expandRanking(ranked, WEIGHTS, links.toReversed());
          expect(reversed.map(({ id: same, score }) => ({ id: same, score }))).toEqual(expanded);
          expect(expanded).toEqual(expanded.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)));
        }),
      );
    });
  });
});
