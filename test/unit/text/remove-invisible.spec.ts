import { removeInvisible } from '../../../src/text/remove-invisible.js';

const shown = (text: string): string => removeInvisible(text).text;
const codes = (text: string): string =>
  Array.from(text, (char) => (char.codePointAt(0) ?? 0).toString(16)).join(' ');

describe('removeInvisible', () => {
  it.each([
    ['zero-width spaces', 'a\u200bb\u2060c\ufeffd', 'abcd'],
    ['joiners between Latin letters', 'a\u200cb\u200dc', 'abc'],
    ['bidirectional controls', '\u202eabc\u202c \u2066d\u2069\u200e\u200f\u061c', 'abc d'],
    ['Unicode tags', 'a\u{e0069}\u{e0067}\u{e007f}b', 'ab'],
    ['soft hyphens and fillers', 'a\u00adb\u3164c\u034fd\uffa0', 'abcd'],
    ['selectors after letters and digits', 'a\ufe0fb\u{e0101}1\ufe0f', 'ab1'],
    ['all selectors after the first', '\u{1f600}\ufe0f\ufe01\u{e0150}', '\u{1f600}\ufe0f'],
    ['runs of joiners', 'می\u200c\u200c\u200dخواهم', 'میخواهم'],
    ['a flag with another tag', '\u{1f3f4}\u{e0061}\u{e0062}\u{e007f}', '\u{1f3f4}'],
    ['annotation marks', 'a\ufff9b\ufffac\ufffb', 'abc'],
  ])('removes %s', (_what, text, expected) => {
    expect(codes(shown(text))).toBe(codes(expected));
  });

  it.each([
    ['Persian', 'می\u200cخواهم'],
    ['Hindi', 'क्\u200dष'],
    ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
    ['a heart on fire', '\u2764\ufe0f\u200d\u{1f525}'],
    ['a dark-skinned astronaut', '\u{1f469}\u{1f3ff}\u200d\u{1f680}'],
    ['a keycap', '1\ufe0f\u20e3'],
    ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['a Chinese character of a certain form', '葛\u{e0100}'],
    ['spaces, tabs and line feeds', 'a b\tc\n\u00a0\u3000'],
  ])('keeps %s', (_what, text) => {
    expect(codes(shown(text))).toBe(codes(text));
  });

  it('tells where the characters were', () => {
    expect(removeInvisible('a\u200bb\u{e0061}c\u200b').removedAt).toEqual([1, 3, 6]);
  });
});
