import fc from 'fast-check';
import { overlapTokens, rankOverlap } from '../../../src/kb/rank-overlap.js';

const ranked = (question: string, ...texts: string[]): [string, number][] =>
  rankOverlap(
    question,
    texts.map((text, i) => ({ id: `${i}`, text })),
  ).map(({ start, end, textIndex, score }) => [texts[textIndex]?.slice(start, end) ?? '', score]);

describe('overlapTokens', () => {
  it.each([
    ['How do I get it?', ['how', 'get']],
    ['RATE_LIMIT rate-limit', ['rate', 'limit']],
    ['v4.4.5 of get.weka.io', ['get', 'weka']],
    ['Is 443 in use', ['443', 'use']],
    ['café Straße', ['café', 'straße']],
    ['an ox', []],
    ['?!', []],
    ['', []],
  ])('reads %j as %j', (question, tokens) => {
    expect(overlapTokens(question)).toEqual(tokens);
  });
});

describe('rankOverlap', () => {
  it.each<[string, string, string, [string, number][]]>([
    [
      'the share of the tokens',
      'where mount disk',
      'Mount it. Mount the disk.',
      [
        ['Mount the disk.', 2 / 3],
        ['Mount it.', 1 / 3],
      ],
    ],
    ['every token, however often', 'disk', 'A disk, a disk.', [['A disk, a disk.', 1]]],
    ['a repeated token once', 'disk disk mount', 'The disk.', [['The disk.', 0.5]]],
    ['tokens within longer words', 'mount', 'Unmounting ends.', [['Unmounting ends.', 1]]],
    ['no word form of a token', 'mounted', 'Mount it.', []],
    [
      'any case',
      'DISK',
      'The Disk. the disk.',
      [
        ['The Disk.', 1],
        ['the disk.', 1],
      ],
    ],
    ['tokens of three characters', 'ssd of an', 'Of an ox. The SSD.', [['The SSD.', 1]]],
    [
      'parts of a version by their length',
      'version 4.4.5',
      'Since version 4.4.5.',
      [['Since version 4.4.5.', 1]],
    ],
    [
      'a host name by its parts',
      'get.weka.io',
      'Ask get.weka.io. Weka.',
      [
        ['Ask get.weka.io.', 1],
        ['Weka.', 0.5],
      ],
    ],
    ['an identifier by its parts', 'rate_limit', 'Set RATE_LIMIT.', [['Set RATE_LIMIT.', 1]]],
    ['a fence as one span', 'mount disk', '```\nmount\n\ndisk\n```', [['```\nmount\n\ndisk\n```', 1]]],
    [
      'bullets apart',
      'mount disk',
      '- mount\n- disk',
      [
        ['disk', 0.5],
        ['mount', 0.5],
      ],
    ],
    [
      'items of an ordered list apart',
      'mount',
      '1. Mount.\n2. Mount it.',
      [
        ['Mount.', 1],
        ['Mount it.', 1],
      ],
    ],
    ['nothing for a question of short words', 'is it on', 'It is on.', []],
    ['nothing for an empty question', '', 'It is on.', []],
    ['nothing in an empty text', 'disk', '', []],
    ['Chinese by the whole run', '磁盘满', '磁盘满了。', [['磁盘满了。', 1]]],
    [
      'Chinese by pairs of characters, since it has no spaces',
      '挂盘磁盘',
      '挂载磁盘。',
      [['挂载磁盘。', 0.3333333333333333]],
    ],
  ])('scores %s', (_, question, text, expected) => {
    expect(ranked(question, text)).toEqual(expected);
  });

  it('breaks ties by the shorter span', () => {
    expect(ranked('disk', 'The disk is full. A disk.')).toEqual([
      ['A disk.', 1],
      ['The disk is full.', 1],
    ]);
  });

  it('then by the earlier position in its text', () => {
    expect(ranked('disk', 'Ah. A disk.', 'B disk.').map(([span]) => span)).toEqual(['B disk.', 'A disk.']);
  });

  it('then by the earlier text', () => {
    expect(ranked('disk', 'A disk.', 'B disk.').map(([span]) => span)).toEqual(['A disk.', 'B disk.']);
  });

  it('prefers a higher score in a later text to a shorter span in an earlier one', () => {
    expect(ranked('mount disk', 'Disk.', 'How one may mount a disk.')[0]).toEqual([
      'How one may mount a disk.',
      1,
    ]);
  });

  it('gives scores above 0 and up to 1, best first', () => {
    const words = fc.array(fc.constantFrom('mount', 'disk', 'full.', 'on', '\n\n- '), { maxLength: 30 });
    fc.assert(
      fc.property(words, words, (question, text) => {
        const scores = ranked(question.join(' '), text.join(' ')).map(([, score]) => score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        expect(scores.filter((score) => score <= 0 || score > 1)).toEqual([]);
      }),
    );
  });
});
