import { planQuery } from '../../../src/kb/plan-query.js';
import { rankParts } from '../../../src/kb/rank-parts.js';
import type { RankLimits } from '../../../src/kb/rank-sections.js';
import type { Candidate, SearchAnswer, SectionQuery } from '../../../src/kb/section-index.port.js';
import { aCall, aCandidate, FixedIndex, NO_FILTER } from '../../support/builders.js';

const KEYWORD = 'berth';
const scored = (path: string, name: string, score: number): Candidate =>
  aCandidate({ section: { id: `${path}#${name}` }, document: { path }, score });

/** Gives one list to questions that hold the keyword, and another to those without. */
class TwoLists extends FixedIndex {
  readonly generations: string[] = [];

  constructor(
    private readonly whole: readonly Candidate[],
    private readonly own: readonly Candidate[],
  ) {
    super([]);
  }

  override async search(query: SectionQuery): Promise<SearchAnswer> {
    const hasKeyword = query.asked.words.some(({ term }) => term === KEYWORD);
    const answer = await super.search(query);
    const generation = this.generations.shift() ?? answer.generation;
    return { ...answer, generation, candidates: hasKeyword ? this.whole : this.own };
  }
}

const asked = (parts: readonly string[], keywords: readonly string[] = [KEYWORD]) =>
  planQuery({ text: 'Both?', keywords, parts, rewrite: true });
const TWO = ['Mount a disk', 'Sink a ship'];
async function rank(index: FixedIndex, plan = asked(TWO), limits: Partial<RankLimits> = {}) {
  const options = { sections: 8, perDocument: 3, ...limits };
  return rankParts(aCall(), index, plan, { filter: NO_FILTER, limits: options, mode: 'auto' });
}
const idsOf = (candidates: readonly Candidate[] = []) => candidates.map(({ section }) => section.id);

describe('rankParts', () => {
  it('searches a question of one part once, keywords and all', async () => {
    const index = new TwoLists([scored('a', '1', 3)], []);
    const rankings = await rank(index, asked(['Mount a disk']));
    expect([rankings.length, index.asked.length]).toEqual([1, 1]);
    expect(rankings[0]?.candidates[0]?.score).toBe(3);
  });

  it('searches parts without keywords once each', async () => {
    const index = new TwoLists([], [scored('a', '1', 3)]);
    await rank(index, asked(TWO, []));
    expect(index.asked).toHaveLength(2);
  });

  it('searches each of several parts with the keywords and in its own words', async () => {
    const index = new TwoLists([], []);
    await rank(index);
    expect(index.asked.map(({ asked: { words } }) => words.map(({ term }) => term))).toEqual([
      ['mount', 'disk', 'berth'],
      ['mount', 'disk'],
      ['sink', 'ship', 'berth'],
      ['sink', 'ship'],
    ]);
  });

  it('brings what only the own words find, and what both find comes first', async () => {
    const whole = [scored('a', '1', 10), scored('b', '1', 8)];
    const own = [scored('b', '1', 2), scored('c', '1', 1)];
    const [first] = await rank(new TwoLists(whole, own));
    // .6 of the share with the keywords and .4 of the share without.
    const scores = first?.candidates.map(({ score }) => score) ?? [];
    expect(idsOf(first?.candidates)).toEqual(['b#1', 'a#1', 'c#1']);
    [0.6 * 0.8 + 0.4, 0.6, 0.4 * 0.5].forEach((score, i) => expect(scores[i]).toBeCloseTo(score, 10));
  });

  it('breaks ties by id', async () => {
    const [first] = await rank(new TwoLists([scored('b', '1', 1), scored('a', '1', 1)], []));
    expect(idsOf(first?.candidates)).toEqual(['a#1', 'b#1']);
  });

  it('keeps the limits of the list and of each document', async () => {
    const whole = ['1', '2', '3'].map((name, i) => scored('a', name, 9 - i));
    const own = [...['4', '5'].map((name, i) => scored('a', name, 9 - i)), scored('b', '1', 1)];
    const limited = await rank(new TwoLists(whole, own), asked(TWO), { sections: 3, perDocument: 2 });
    expect(idsOf(limited[0]?.candidates)).toEqual(['a#1', 'a#2', 'b#1']);
  });

  it('ranks everything once more when a publish came in between', async () => {
    const index = new TwoLists([], []);
    index.generations.push('g1', 'g1', 'g1', 'g2');
    await rank(index);
    expect(index.asked).toHaveLength(8);
  });

  it('gives up with index_busy when the index never rests', async () => {
    const index = new TwoLists([], []);
    index.generations.push(...Array.from({ length: 40 }, (_, i) => `g${i}`));
    await expect(rank(index)).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      reason: 'index_busy',
    });
  });
});
