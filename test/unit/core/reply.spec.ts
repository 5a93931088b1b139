import {
  keptOf,
  listReply,
  restLines,
  shownSkipped,
  skippedIn,
  skippedText,
  wholeReply,
} from '../../../src/core/reply.js';

const fit = (count: number, ...skipped: number[]) => ({
  count,
  maxChars: 0,
  reason: null,
  skipped: new Set(skipped),
});

describe('listReply', () => {
  it('builds the complete output, and keeps the properties of its size', () => {
    const build = jest.fn(() => 'all');
    const size = { count: 3, maxChars: 20, isPage: true, needsFirst: true };
    expect(listReply(size, build)).toEqual({ ...size, build, output: 'all' });
    expect(build).toHaveBeenCalledWith({ count: 3, maxChars: 20, reason: null });
  });

  it('keeps what is to be called with the output', () => {
    const shown = jest.fn();
    expect(listReply({ count: 1, maxChars: 0 }, () => 'all', shown).shown).toBe(shown);
  });
});

describe('wholeReply', () => {
  it('has one item that can not be left out or shortened', () => {
    const reply = wholeReply('all');
    expect(reply).toMatchObject({ output: 'all', count: 1, maxChars: 0, needsFirst: true });
    expect(reply.build(fit(0, 0))).toBe('all');
  });
});

describe('the items of a fit', () => {
  it('are the first ones without those that are skipped', () => {
    expect(keptOf(['a', 'b', 'c', 'd'], fit(3, 1))).toEqual(['a', 'c']);
    expect(keptOf(['a', 'b'], { count: 1, maxChars: 0, reason: null })).toEqual(['a']);
  });

  it('are skipped only up to its end', () => {
    expect(skippedIn(fit(3, 0, 2, 3, 4))).toBe(2);
    expect(skippedIn({ count: 3, maxChars: 0, reason: null })).toBe(0);
  });

  it('are counted in a field if some are skipped', () => {
    expect(shownSkipped(fit(2, 0))).toEqual({ skipped: 1 });
    expect(shownSkipped(fit(2, 2))).toEqual({});
  });

  it.each([
    [{ partial: false }, []],
    [{ partial: true }, ['The list is truncated.']],
    [{ partial: true, next_cursor: 'c2' }, ['More: cursor c2']],
    [{ partial: false, next_cursor: null, skipped: 1 }, ['1 skipped: too long for one reply.']],
    [
      { partial: true, next_cursor: 'c2', skipped: 2 },
      ['2 skipped: too long for one reply.', 'More: cursor c2'],
    ],
  ])('end with what is missing: %j', (rest, lines) => {
    expect(restLines(rest)).toEqual(lines);
  });

  it('are counted in words if some are skipped', () => {
    expect(skippedText(2)).toBe('2 skipped: too long for one reply.');
    expect([skippedText(0), skippedText(undefined)]).toEqual([undefined, undefined]);
  });
});
