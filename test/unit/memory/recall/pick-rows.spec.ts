import type { ScoredRow } from '../../../../src/core/ports/memory-store.port.js';
import { pickRows, type PickRules } from '../../../../src/memory/recall/pick-rows.js';
import { candidatesOf, descending, scored } from '../../../support/fake-memory-store.js';

const RULES: PickRules = { topK: 10, mix: 0.6, floor: 0.25, minFloor: 0.15 };
const pick = (rows: readonly ScoredRow[], rules: Partial<PickRules> = {}) =>
  pickRows(candidatesOf(...rows), { ...RULES, ...rules });
const idsOf = (rows: readonly ScoredRow[], rules: Partial<PickRules> = {}) =>
  pick(rows, rules).rows.map(({ row }) => row.id);

describe('pickRows', () => {
  const PLENTY = [...descending('e', 10), ...descending('o', 10), ...descending('t', 30)];
  const counted = (ids: readonly string[]) => [
    ids.filter((id) => !id.startsWith('t:')).length,
    ids.filter((id) => id.startsWith('t:')).length,
  ];

  it('takes six graph rows and four thoughts at mix 0.6', () => {
    expect(counted(idsOf(PLENTY))).toEqual([6, 4]);
  });

  it('ranks entities and observations as one source', () => {
    expect(idsOf(PLENTY, { mix: 1, topK: 4 })).toEqual(['e:0', 'o:0', 'e:1', 'o:1']);
  });

  it.each([
    [0, [0, 10]],
    [1, [10, 0]],
  ])('uses only one source at mix %d', (mix, expected) => {
    expect(counted(idsOf(PLENTY, { mix }))).toEqual(expected);
  });

  it('does not fill slots from the excluded source at mix 0 or 1', () => {
    expect(pick(descending('e', 10), { mix: 0 })).toEqual({ rows: [], floorUsed: 0.25, candidateCount: 0 });
    expect(pick(descending('t', 10), { mix: 1 })).toEqual({ rows: [], floorUsed: 0.25, candidateCount: 0 });
  });

  it('sorts all rows by score; equal scores by table and id', () => {
    const rows = [
      scored('t:b', 0.5),
      scored('t:a', 0.5),
      scored('o:x', 0.5),
      scored('e:x', 0.5),
      scored('t:c', 0.7),
    ];
    expect(idsOf(rows)).toEqual(['t:c', 'e:x', 'o:x', 't:a', 't:b']);
  });

  it('drops rows below the floor', () => {
    expect(idsOf([scored('e:1', 0.3), scored('e:2', 0.24), scored('t:1', 0.3)])).toEqual(['e:1', 't:1']);
  });

  it('lowers the floor for a source that would be empty, and fills slots with the added rows', () => {
    const { rows, floorUsed } = pick([scored('e:1', 0.5), scored('e:2', 0.2), scored('t:1', 0.18)]);
    expect(rows.map(({ row }) => row.id)).toEqual(['e:1', 'e:2', 't:1']);
    expect(floorUsed).toBe(0.18);
  });

  it('does not lower the floor for a source that the mix excludes', () => {
    expect(pick([scored('e:1', 0.5), scored('t:1', 0.18)], { mix: 1 }).floorUsed).toBe(0.25);
  });

  it('reports the lowest floor if no row reaches it', () => {
    const rows = [scored('e:1', 0.1), scored('t:1', 0.1)];
    expect(pick(rows)).toEqual({ rows: [], floorUsed: 0.15, candidateCount: 2 });
  });

  it('compares scores rounded to four places, as they are returned', () => {
    const { rows } = pick([scored('t:b', 0.500004), scored('t:a', 0.5)], { mix: 0 });
    expect(rows.map(({ row, score }) => [row.id, score])).toEqual([
      ['t:a', 0.5],
      ['t:b', 0.5],
    ]);
  });

  it('keeps the better of two rows with the same content, in any table', () => {
    const text = 'The berth is free.';
    expect(
      idsOf([scored('e:1', 0.5, { text }), scored('t:1', 0.6, { text: 'The  BERTH is free.' })]),
    ).toEqual(['t:1']);
    expect(idsOf([scored('e:1', 0.6, { text }), scored('t:1', 0.5, { text })])).toEqual(['e:1']);
  });

  it('keeps the first by table and id if content and score are the same', () => {
    const text = 'Same.';
    expect(
      idsOf([scored('t:1', 0.5, { text }), scored('t:0', 0.5, { text }), scored('o:9', 0.5, { text })]),
    ).toEqual(['o:9']);
  });

  it('keeps one copy of a row that occurs twice', () => {
    expect(idsOf([scored('t:1', 0.5), scored('t:1', 0.5, { text: 'Other.' })])).toEqual(['t:1']);
  });

  it('keeps rows that differ only beyond the length of a snippet', () => {
    const start = 'Same. '.repeat(200);
    const rows = [scored('t:1', 0.5, { text: `${start}one` }), scored('t:2', 0.4, { text: `${start}two` })];
    expect(idsOf(rows)).toEqual(['t:1', 't:2']);
  });

  it('fills the slots of dropped repeats with the next rows', () => {
    const copies = descending('e', 10).map(({ row, score }) => ({ row: { ...row, text: 'Copy.' }, score }));
    const ids = idsOf([...copies, ...descending('t', 30)]);
    expect(ids).toHaveLength(10);
    expect(counted(ids)).toEqual([1, 9]);
  });

  it('at mix 0, keeps a thought even if the graph has a copy of it', () => {
    const text = 'Same.';
    expect(idsOf([scored('e:1', 0.9, { text }), scored('t:1', 0.5, { text })], { mix: 0 })).toEqual(['t:1']);
  });
});
