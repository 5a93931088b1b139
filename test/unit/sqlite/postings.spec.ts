import fc from 'fast-check';
import { BLOCK_ROWS, blockOf, firstRow, Postings, PostingsPacker } from '../../../src/sqlite/postings.js';

type Pair = readonly [row: number, frequency: number];

function pack(block: number, pairs: readonly Pair[]): Uint8Array {
  const packer = new PostingsPacker(block);
  for (const [row, frequency] of pairs) packer.add(row, frequency);
  const { rows, bytes } = packer.packed();
  expect(rows).toBe(new Set(pairs.map(([row]) => row)).size);
  return bytes;
}

const postings = new Postings();

function unpack(block: number, packed: Uint8Array): Pair[] {
  postings.read(block, packed);
  const { rows, frequencies, count } = postings;
  return Array.from(rows.subarray(0, count), (row, i) => [row, frequencies[i] ?? 0]);
}

describe('postings', () => {
  it.each<[string, number, Pair[]]>([
    ['none', 0, []],
    [
      'the first and the last row of a block',
      2,
      [
        [2 * BLOCK_ROWS, 1],
        [3 * BLOCK_ROWS - 1, 1],
      ],
    ],
    [
      'neighbouring rows',
      0,
      [
        [7, 1],
        [8, 2],
        [9, 1],
      ],
    ],
    [
      'high frequencies',
      0,
      [
        [1, 127],
        [2, 128],
        [3, 100_000],
      ],
    ],
  ])('keep %s', (_, block, pairs) => {
    expect(unpack(block, pack(block, pairs))).toEqual(pairs);
  });

  it('keep any rows and frequencies', () => {
    const pairs = fc.uniqueArray(fc.tuple(fc.nat(BLOCK_ROWS - 1), fc.integer({ min: 1, max: 5_000 })), {
      selector: ([row]) => row,
    });
    fc.assert(
      fc.property(fc.nat(10_000), pairs, (block, found) => {
        const sorted = found
          .map(([row, frequency]): Pair => [firstRow(block) + row, frequency])
          .sort(([a], [b]) => a - b);
        expect(unpack(block, pack(block, sorted))).toEqual(sorted);
      }),
    );
  });

  it('add to the frequency of the last row', () => {
    const pairs: Pair[] = [
      [1, 4],
      [1, 2],
      [3, 1],
    ];
    expect(unpack(0, pack(0, pairs))).toEqual([
      [1, 6],
      [3, 1],
    ]);
  });

  it('take one byte for a term that every row contains once', () => {
    const rows = Array.from({ length: 100 }, (_, row): Pair => [row, 1]);
    expect(pack(0, rows)).toHaveLength(100);
  });

  it('are in the block of their row', () => {
    expect([0, BLOCK_ROWS - 1, BLOCK_ROWS].map(blockOf)).toEqual([0, 0, 1]);
  });
});
