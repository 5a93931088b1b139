import { axisLabels, bar, niceTicks } from '../../../../src/admin/views/bar.js';

describe('niceTicks', () => {
  it.each([
    [0, [0, 1]],
    [0.7, [0, 0.2, 0.4, 0.6, 0.8]],
    [14.8, [0, 4, 8, 12, 16]],
    [100, [0, 25, 50, 75, 100]],
    [10_003, [0, 3_000, 6_000, 9_000, 12_000]],
  ])('covers %d in round steps', (max, ticks) => {
    expect(niceTicks(max)).toEqual(ticks);
  });

  it.each([
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
  ])('uses only whole numbers if they are required: %d', (max, ticks) => {
    expect(niceTicks(max, true)).toEqual(ticks);
  });
});

describe('bar', () => {
  it('places parts next to each other, in thousandths of the width', () => {
    const parts = [
      { length: 1, fill: 'a' },
      { length: 0, fill: 'none' },
      { length: 2, fill: 'b' },
    ];
    const drawn = [
      ...bar(parts, { from: 1, of: 10 })
        .toString()
        .matchAll(/class="(\w+)"\s+x="(\d+)"[^>]*width="(\d+)"/g),
    ];
    expect(drawn.map(([, fill, x, width]) => [fill, x, width])).toEqual([
      ['a', '100', '100'],
      ['b', '200', '200'],
    ]);
  });
});

describe('axisLabels', () => {
  it('keeps labels within the axis', () => {
    const text = axisLabels([
      { at: 0, text: '0' },
      { at: 0.5, text: '5' },
      { at: 1, text: '10' },
    ]).toString();
    expect([...text.matchAll(/x="([^"]+)"[^>]*anchor="(\w+)"/g)].map(([, x, anchor]) => [x, anchor])).toEqual(
      [
        ['0%', 'start'],
        ['50%', 'middle'],
        ['100%', 'end'],
      ],
    );
  });
});
