import { BackendUnavailableError, DeadlineExceededError } from '../../../../src/core/errors.js';
import type { Bridges } from '../../../../src/core/ports/graph-store.port.js';
import type { Candidate, SearchAnswer, SectionQuery } from '../../../../src/core/ports/section-index.port.js';
import type { SearchMode } from '../../../../src/core/ranking.js';
import { planQuery } from '../../../../src/kb/search/plan-query.js';
import type { RankLimits } from '../../../../src/kb/search/rank-matches.js';
import { rankParts } from '../../../../src/kb/search/rank-parts.js';
import { aCall, aCandidate, FixedIndex, NO_FILTER } from '../../../support/builders.js';
import { FakeGraph } from '../../../support/graphs.js';

const KEYWORD = 'berth';
const scored = (path: string, name: string, score: number): Candidate =>
  aCandidate({
    section: { id: `${path}#${name}`, text: `About ${path} and ${name}.` },
    document: { path },
    score,
  });

/** Returns one list to questions with the keyword, and another to questions without it. */
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
  return rankParts(
    aCall(),
    { index, graph: null },
    {
      ...plan,
      filter: NO_FILTER,
      limits: options,
      mode: 'auto',
    },
  );
}

/** A graph in which one section names the title of another. */
class OneBridge extends FakeGraph {
  constructor(
    private readonly pair: readonly [string, string],
    private readonly generation = 'index:1',
  ) {
    super([]);
  }

  override async bridges(): Promise<Bridges> {
    const [source, target] = this.pair;
    return { generation: this.generation, bridges: [{ source, target }] };
  }
}

/** Results for a question about disks and ships; only the last section is about ships. */
const BRIDGED = [
  aCandidate({ section: { id: 'disks', text: 'Disks.' }, document: { path: 'a' }, score: 3 }),
  aCandidate({ section: { id: 'other', text: 'Disks.' }, document: { path: 'b' }, score: 2 }),
  aCandidate({ section: { id: 'ships', text: 'Ships.' }, document: { path: 'c' }, score: 1 }),
];
async function rankBridged(graph: FakeGraph | null, mode: SearchMode, call = aCall()) {
  const index = new FixedIndex(BRIDGED, {}, ['disk', 'ship']);
  const limits = { sections: 8, perDocument: 3 };
  const plan = planQuery({ text: 'disk ship', keywords: [], parts: [], rewrite: true });
  const asked = { ...plan, filter: NO_FILTER, limits, mode };
  const [ranking] = await rankParts(call, { index, graph }, asked);
  return ranking?.candidates.map(({ section, liftedBy }) => `${section.id} ${liftedBy ?? '-'}`);
}
const idsOf = (candidates: readonly Candidate[] = []) => candidates.map(({ section }) => section.id);

describe('rankParts', () => {
  it('searches a question of one part once, with its keywords', async () => {
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

  it('searches each of several parts twice: with the keywords and without them', async () => {
    const index = new TwoLists([], []);
    await rank(index);
    expect(index.asked.map(({ asked: { words } }) => words.map(({ term }) => term))).toEqual([
      ['mount', 'disk', 'berth'],
      ['mount', 'disk'],
      ['sink', 'ship', 'berth'],
      ['sink', 'ship'],
    ]);
  });

  it('adds sections found only without keywords; sections in both lists come first', async () => {
    const whole = [scored('a', '1', 10), scored('b', '1', 8)];
    const own = [scored('b', '1', 2), scored('c', '1', 1)];
    const [first] = await rank(new TwoLists(whole, own));
    // 0.6 of the share with keywords plus 0.4 of the share without.
    const scores = first?.candidates.map(({ score }) => score) ?? [];
    expect(idsOf(first?.candidates)).toEqual(['b#1', 'a#1', 'c#1']);
    [0.6 * 0.8 + 0.4, 0.6, 0.4 * 0.5].forEach((score, i) => expect(scores[i]).toBeCloseTo(score, 10));
  });

  it('uses the same version of a section in all lists and parts', async () => {
    const version = (value: string, score: number): Candidate =>
      aCandidate({
        section: { id: `v${value}/a.md`, text: 'Mount a disk here.' },
        document: { path: `v${value}/a.md`, metadata: { version: value } },
        score,
      });
    const [better, worse, other] = [version('7.5', 9), version('7.4', 8), scored('b', '1', 7)];
    const merged = await rank(new TwoLists([better, other], [worse, other]));
    expect(merged.map(({ candidates }) => idsOf(candidates))).toEqual([
      ['v7.5/a.md', 'b#1'],
      ['v7.5/a.md', 'b#1'],
    ]);
    const ofParts = [[worse, other], [other], [better], [other]];
    const index = new FixedIndex([]);
    index.search = async (query) => ({
      ...(await new FixedIndex([]).search(query)),
      candidates: ofParts.shift() ?? [],
    });
    const parts = await rank(index);
    expect(parts.map(({ candidates }) => idsOf(candidates))).toEqual([
      ['b#1', 'v7.4/a.md'],
      ['v7.4/a.md', 'b#1'],
    ]);
  });

  it('breaks ties by id', async () => {
    const [first] = await rank(new TwoLists([scored('b', '1', 1), scored('a', '1', 1)], []));
    expect(idsOf(first?.candidates)).toEqual(['a#1', 'b#1']);
  });

  it('respects the limits of the list and of each document', async () => {
    const whole = ['1', '2', '3'].map((name, i) => scored('a', name, 9 - i));
    const own = [...['4', '5'].map((name, i) => scored('a', name, 9 - i)), scored('b', '1', 1)];
    const limited = await rank(new TwoLists(whole, own), asked(TWO), { sections: 3, perDocument: 2 });
    expect(idsOf(limited[0]?.candidates)).toEqual(['a#1', 'a#2', 'b#1']);
  });

  it.each<[SearchMode, string[]]>([
    ['auto', ['disks -', 'other -', 'ships -']],
    ['hybrid_local', ['disks -', 'ships disks', 'other -']],
    ['vector_only', ['disks -', 'other -', 'ships -']],
  ])(
    'lifts a section that completes a better one only if hybrid_local is requested: %s %j',
    async (mode, expected) => {
      expect(await rankBridged(new OneBridge(['disks', 'ships']), mode)).toEqual(expected);
    },
  );

  it('is marked degraded once if the requested graph does not exist', async () => {
    const call = aCall();
    expect(await rankBridged(null, 'hybrid_local', call)).toEqual(['disks -', 'other -', 'ships -']);
    expect(call.trace.degraded).toEqual(['graph']);
  });

  it('is not marked degraded if the graph was not requested', async () => {
    const call = aCall();
    await rankBridged(null, 'auto', call);
    expect(call.trace.degraded).toEqual([]);
  });

  it.each([
    ['is down', new BackendUnavailableError('It is down.', { reason: 'neo4j', hint: 'Start it.' })],
    ['does not answer in time', new DeadlineExceededError('It is slow.', { reason: 'neo4j', hint: 'Wait.' })],
  ])('ranks without a graph that %s, and is marked degraded', async (_, error) => {
    const down = new FakeGraph([]);
    down.bridges = () => Promise.reject(error);
    const call = aCall();
    expect(await rankBridged(down, 'hybrid_local', call)).toEqual(['disks -', 'other -', 'ships -']);
    expect(call.trace.degraded).toEqual(['graph']);
  });

  it('does not ask a late graph again in the same call', async () => {
    const late = new FakeGraph([]);
    const asking = jest.fn(() =>
      Promise.reject(new DeadlineExceededError('It is late.', { reason: 'neo4j', hint: 'Wait.' })),
    );
    late.bridges = asking;
    const call = aCall();
    await rankBridged(late, 'hybrid_local', call);
    await rankBridged(late, 'hybrid_local', call);
    expect(asking).toHaveBeenCalledTimes(1);
  });

  it('ends at its own deadline, also while it waits for the graph', async () => {
    const ended = new AbortController();
    const late = new DeadlineExceededError('Too late.', { reason: 'call', hint: 'Ask less.' });
    const slow = new FakeGraph([]);
    slow.bridges = () => {
      ended.abort(late);
      return Promise.reject(late);
    };
    await expect(rankBridged(slow, 'hybrid_local', { ...aCall(), signal: ended.signal })).rejects.toBe(late);
  });

  it('ranks without a graph of another generation, which is still being filled, and is marked degraded', async () => {
    const call = aCall();
    const lagging = new OneBridge(['disks', 'ships'], 'index:2');
    expect(await rankBridged(lagging, 'hybrid_local', call)).toEqual(['disks -', 'other -', 'ships -']);
    expect(call.trace.degraded).toEqual(['graph']);
  });

  it('ranks all parts again after a publish in between', async () => {
    const index = new TwoLists([], []);
    index.generations.push('g1', 'g1', 'g1', 'g2');
    await rank(index);
    expect(index.asked).toHaveLength(8);
  });

  it('fails with index_busy if the index changes in every attempt', async () => {
    const index = new TwoLists([], []);
    index.generations.push(...Array.from({ length: 40 }, (_, i) => `g${i}`));
    await expect(rank(index)).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      reason: 'index_busy',
    });
  });
});
