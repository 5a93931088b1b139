import { commonEnds } from '../../../../src/text/quotes/common-ends';

describe('commonEnds', () => {
  it.each([
    ['waits 5 minutes', 'waits 50 minutes', 7, 8],
    ['one', 'two', 0, 0],
    ['same', 'same', 4, 0],
    ['a a', 'a a a', 3, 0],
    ['', 'new', 0, 0],
    ['is 😀.', 'is 😁.', 3, 1],
  ])('of %j and %j are %d and %d units', (a, b, start, end) => {
    expect(commonEnds(a, b)).toEqual({ start, end });
    expect(commonEnds(b, a)).toEqual({ start, end });
  });
});
