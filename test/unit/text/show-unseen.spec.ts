import { seenLine, seenText, showUnseen } from '../../../src/text/show-unseen.js';

describe('showUnseen', () => {
  it.each([
    ['bidirectional override', 'a\u202eb', 'a\\u202eb'],
    ['zero-width space', 'a\u200bb', 'a\\u200bb'],
    ['soft hyphen', 'a\u00adb', 'a\\u00adb'],
    ['no-break space', 'a\u00a0b', 'a\\u00a0b'],
    ['escape', '\u001b[31m', '\\u001b[31m'],
    ['carriage return', 'a\rb', 'a\\u000db'],
    ['byte order mark', '\ufeffa', '\\ufeffa'],
    ['Hangul filler', 'a\u3164', 'a\\u3164'],
    ['blank Braille pattern', 'a\u2800', 'a\\u2800'],
    ['tag character', 'a\u{e0041}', 'a\\udb40\\udc41'],
    ['variation selector', 'a\ufe0f', 'a\\ufe0f'],
    ['line separator', 'a\u2028b', 'a\\u2028b'],
    ['private character', 'a\ue000', 'a\\ue000'],
    ['unassigned character', 'a\u0378', 'a\\u0378'],
  ])('shows the code of a character that people cannot see: %s', (_, text, shown) => {
    expect(seenText(text)).toBe(shown);
  });

  it('marks codes, so that they differ from text that looks like them', () => {
    expect(showUnseen('\\u202e\u202e')).toEqual([
      { text: '\\u202e', isCode: false },
      { text: '\\u202e', isCode: true },
    ]);
  });

  it.each(['', 'plain', 'zwei Wörter', 'a\nb', '日本語 ひと', '😀'])('leaves other text: %j', (text) => {
    expect(seenText(text)).toBe(text);
  });

  it('shows line feeds where the text has to stay on one line', () => {
    expect(seenLine('a\nb\u200b')).toBe('a\\nb\\u200b');
  });

  it('replaces a lone surrogate', () => {
    expect(seenText('a\ud800b')).toBe('a\ufffdb');
  });
});
