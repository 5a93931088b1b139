import { findSteps } from '../../../../src/ingest/sections/find-steps.js';
import { aSection } from '../../../support/builders.js';

const steps = (...texts: readonly string[]): [number, number, string][] =>
  findSteps(texts.map((text, ordinal) => aSection({ ordinal, text }))).map(({ section, number, title }) => [
    section,
    number,
    title,
  ]);
const titles = (text: string): string[] => steps(text).map(([, , title]) => title);

describe('findSteps', () => {
  it('numbers the items of a list from 1', () => {
    expect(steps('1. Open it.\n2. Close it.')).toEqual([
      [0, 1, 'Open it.'],
      [0, 2, 'Close it.'],
    ]);
  });

  it('numbers in reading order and ignores the written numbers', () => {
    expect(steps('3) Open it.\n3) Close it.').map(([, number]) => number)).toEqual([1, 2]);
  });

  it('continues counting with a second list of the section', () => {
    expect(steps('1. a\n2. b\n\nThen:\n\n1. c\n2. d').map(([, number]) => number)).toEqual([1, 2, 3, 4]);
  });

  it('starts at 1 in each section', () => {
    const found = findSteps([
      aSection({ ordinal: 0, anchor: 'a', text: '1. a\n2. b' }),
      aSection({ ordinal: 1, anchor: 'b', text: '1. c\n2. d' }),
    ]);
    expect(found.map(({ section, number }) => [section, number])).toEqual([
      [0, 1],
      [0, 2],
      [1, 1],
      [1, 2],
    ]);
  });

  it('treats a list that continues in the next part of a section as one list', () => {
    expect(steps('1. a\n2. b', '3. c')).toEqual([
      [0, 1, 'a'],
      [0, 2, 'b'],
      [1, 1, 'c'],
    ]);
  });

  it.each<[string, string]>([
    ['no list', 'Just text.'],
    ['one item', '1. Open it.'],
    ['two lists of one item', '1. Open it.\n\nText.\n\n1. Close it.'],
    ['bullets', '- Open it.\n- Close it.'],
    ['a nested list', '- Do:\n    1. Open it.\n    2. Close it.'],
    ['a list in a fence', '```\n1. Open it.\n2. Close it.\n```'],
    ['headings', '### Step 1: Open it\n\n### Step 2: Close it'],
    ['numbers without a mark', '1 Open it.\n2 Close it.'],
    ['years in prose', 'It began in\n1998. Then it grew.'],
  ])('finds no steps in %s', (_, text) => {
    expect(titles(text)).toEqual([]);
  });

  it.each<[string, string, string[]]>([
    ['loose items', '1. Open it.\n\n2. Close it.', ['Open it.', 'Close it.']],
    ['indented paragraphs between', '1. Open it.\n\n   Wait.\n\n2. Close it.', ['Open it.', 'Close it.']],
    [
      'an indented fence between',
      '1. Run:\n\n   ```sh\n   1. no\n   ```\n\n2. Close it.',
      ['Run:', 'Close it.'],
    ],
    ['a fence that is not indented between', '1. Run:\n```sh\ngo\n```\n2. Close it.', ['Run:', 'Close it.']],
    ['a note between', '1. Open it.\n\n> Mind the gap.\n\n2. Close it.', ['Open it.', 'Close it.']],
    ['nested lists', '1. Open it.\n   1. Gently.\n   2. Slowly.\n2. Close it.', ['Open it.', 'Close it.']],
    ['nested bullets', '1. Open it.\n   - Gently.\n2. Close it.', ['Open it.', 'Close it.']],
  ])('reads a list with %s', (_, text, expected) => {
    expect(titles(text)).toEqual(expected);
  });

  it.each<[string, string, string]>([
    ['the first sentence', '1. Open it. Then wait.\n2. b', 'Open it.'],
    ['a sentence over line ends', '1. Open\n   the lid.\n2. b', 'Open the lid.'],
    ['lazy lines', '1. Open\nthe lid.\n2. b', 'Open the lid.'],
    ['code without backticks', '1. Run `go now`.\n2. b', 'Run go now.'],
    ['emphasis without marks', '1. Press **Save** *now*.\n2. b', 'Press Save now.'],
    ['the text of a link', '1. See [the guide](guide.md).\n2. b', 'See the guide.'],
    ['the text of a link by reference', '1. See [the guide][g].\n2. b', 'See the guide.'],
    ['text below an empty first line', '1.\n   Open it.\n2. b', 'Open it.'],
  ])('uses %s as title', (_, text, expected) => {
    expect(titles(text)[0]).toBe(expected);
  });

  it('clips a title to 200 characters at a word', () => {
    const [title = ''] = titles(`1. ${'word '.repeat(100)}\n2. b`);
    expect(title.length).toBeLessThanOrEqual(200);
    expect(title).toMatch(/ word…$/);
  });

  it('leaves out items without text', () => {
    expect(titles('1. a\n2.\n3. c')).toEqual(['a', 'c']);
  });
});
