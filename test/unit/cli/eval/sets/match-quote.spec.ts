import {
  foldText,
  holdsForEveryGroup,
  isDirectlyUnder,
  matchesGold,
  pageOf,
} from '../../../../../src/cli/eval/sets/match-quote.js';

const gold = (path: string, group = 0) => ({ path, heading: '', quote: 'q', group });

describe('foldText', () => {
  it.each([
    ['Call  `enable()`\nnow', 'call enable() now'],
    ['see [the page](page.md#a)', 'see the page'],
    ['| a | **b** |', 'a b'],
    ['a\\_b > c #1', 'a b c 1'],
    [' \n ', ''],
  ])('of %j is %j', (text, expected) => expect(foldText(text)).toBe(expected));
});

describe('matchesGold', () => {
  it.each([
    ['contains it', 'First. The port is `8443`. Last.', 'the port is 8443', true],
    ['is half of it', 'one two', 'one two three four', true],
    ['is less than half of it', 'one', 'one two three', false],
    ['overlaps it only', 'zero one two', 'one two three', false],
    ['is empty', ' ', 'one', false],
  ])('when the quote %s', (_, quote, wanted, expected) => expect(matchesGold(quote, wanted)).toBe(expected));
});

describe('pageOf', () => {
  it.each([
    ['guides/a.md#use/it', 'guides/a.md'],
    ['Page%20one.md#_preamble', 'Page one.md'],
    ['plain.md', 'plain.md'],
  ])('of %s is %s', (id, page) => expect(pageOf(id)).toBe(page));
});

describe('isDirectlyUnder', () => {
  it.each([
    ['directly under it', 'Guide > Use `it`', 'Use it', true],
    ['under a heading below it', 'Guide > Use it > On Windows', 'Use it', false],
    ['under one with the same end', 'Guide > How to Use it', 'Use it', false],
    ['under the title', 'Guide', 'Guide', true],
    ['above the first heading', 'Guide', '(top)', true],
    ['not above the first heading', 'Guide > Use it', '(top)', false],
    ['under any heading, for an empty heading', 'Guide > Use it', '', true],
  ])('decides for a section %s', (_, title, heading, expected) => {
    expect(isDirectlyUnder(title, heading)).toBe(expected);
  });
});

describe('holdsForEveryGroup', () => {
  it('is true if at least one answer of each group matches', () => {
    const answers = [gold('a'), gold('b'), gold('c', 1)];
    expect(holdsForEveryGroup(answers, ({ path }) => path !== 'a')).toBe(true);
    expect(holdsForEveryGroup(answers, ({ path }) => path !== 'c')).toBe(false);
  });

  it('does not hold without answers', () => expect(holdsForEveryGroup([], () => true)).toBe(false));
});
