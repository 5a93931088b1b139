import { limitPerDocument } from '../../../src/kb/limit-per-document.js';
import { aCandidate } from '../../support/builders.js';

const ranked = ['a.md#1', 'a.md#2', 'b.md#1', 'a.md#3', 'b.md#2'].map((id) =>
  aCandidate({ section: { id }, document: { path: id.slice(0, 4) } }),
);

describe('limitPerDocument', () => {
  it.each([
    [1, ['a.md#1', 'b.md#1']],
    [2, ['a.md#1', 'a.md#2', 'b.md#1', 'b.md#2']],
    [10, ['a.md#1', 'a.md#2', 'b.md#1', 'a.md#3', 'b.md#2']],
  ])('keeps the best %i of each document, in their order', (most, ids) => {
    expect(limitPerDocument(ranked, most).map(({ section }) => section.id)).toEqual(ids);
  });

  it('keeps nothing of nothing', () => {
    expect(limitPerDocument([], 1)).toEqual([]);
  });
});
