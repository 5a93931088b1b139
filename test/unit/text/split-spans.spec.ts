import fc from 'fast-check';
import { splitSpans } from '../../../src/text/split-spans.js';

const spans = (text: string): string[] => splitSpans(text).map(({ start, end }) => text.slice(start, end));

const FENCE = '```';
const markdown = fc
  .array(
    fc.constantFrom(
      'word',
      ' ',
      '\n',
      '\n\n',
      '.',
      '? ',
      '! ',
      '- ',
      '1. ',
      '\n```\n',
      '```',
      '\t',
      '漢字',
      '😀',
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''));

describe('splitSpans', () => {
  it.each<[string, string, string[]]>([
    ['nothing', '', []],
    ['white space alone', ' \n\t\n ', []],
    ['one sentence without an end', 'Use it', ['Use it']],
    ['a full stop before a space', 'One. Two.', ['One.', 'Two.']],
    ['a question and an exclamation mark', 'Why? Stop! Go.', ['Why?', 'Stop!', 'Go.']],
    ['a sentence end before a line end', 'One.\nTwo.', ['One.', 'Two.']],
    ['several marks in a row', 'Really?! Yes... perhaps.', ['Really?!', 'Yes...', 'perhaps.']],
    ['a version', 'Since 4.4.5 it retries.', ['Since 4.4.5 it retries.']],
    ['a host name', 'Ask get.weka.io for it.', ['Ask get.weka.io for it.']],
    ['a version at the end of a sentence', 'Take 4.4.5. Then wait.', ['Take 4.4.5.', 'Then wait.']],
    ['a mark before a bracket or quote', 'He said "no." (Twice.) Go.', ['He said "no." (Twice.) Go.']],
    ['an abbreviation, as the rules require', 'Use e.g. a disk.', ['Use e.g.', 'a disk.']],
    ['a line break within a sentence', 'One\ntwo.', ['One\ntwo.']],
    ['a blank line', 'One\n\ntwo', ['One', 'two']],
    ['a line of white space', 'One\n \t\ntwo', ['One', 'two']],
    ['bullets', '- one\n* two\n+ three\n• four', ['one', 'two', 'three', 'four']],
    ['nested bullets', '- one\n  - two\n    continued', ['one', 'two\n    continued']],
    ['a bullet of two sentences', '- One. Two.\n- Three.', ['One.', 'Two.', 'Three.']],
    ['a sentence above a list', 'Do this:\n- one\n- two', ['Do this:', 'one', 'two']],
    ['an ordered list', '1. one\n2) two\n10. three', ['one', 'two', 'three']],
    ['a number within a line', 'Do step 1. Then rest.', ['Do step 1.', 'Then rest.']],
    ['a dash within a line', 'A - B\n-C', ['A - B\n-C']],
    ['a fence', '```sh\nmake. all\n\n- x\n```', ['```sh\nmake. all\n\n- x\n```']],
    ['a fence between sentences', 'Run:\n```\na\n```\nDone.', ['Run:', '```\na\n```', 'Done.']],
    ['an indented fence', 'Run:\n\n   ```\n   a\n   ```\n', ['Run:', '```\n   a\n   ```']],
    ['a fence without an end', 'Run:\n```\na. b\n\nc', ['Run:', '```\na. b\n\nc']],
    ['an empty fence', 'a\n```\n```\nb', ['a', '```\n```', 'b']],
    ['a table row', '| a. b | c |\n| d | e |', ['| a.', 'b | c |\n| d | e |']],
    ['a full stop in Chinese, which is none of the three', '好。 再见。', ['好。 再见。']],
  ])('splits %s', (_, text, expected) => {
    expect(spans(text)).toEqual(expected);
  });

  it.each<[string, string, string[]]>([
    [
      'inline code of three backticks at the start of a line',
      '```npm i``` installs.\n\nRun it.',
      ['```npm i``` installs.', 'Run it.'],
    ],
    [
      'a longer fence around a shorter one',
      `\`${FENCE}md\n${FENCE}\na. b\n${FENCE}\n\`${FENCE}`,
      [`\`${FENCE}md\n${FENCE}\na. b\n${FENCE}\n\`${FENCE}`],
    ],
    [
      'a fence that opens after a bullet',
      '- ```sh\n  a. b\n  ```\n\nOne. Two.',
      ['```sh\n  a. b\n  ```', 'One.', 'Two.'],
    ],
  ])('recognizes fences as Markdown does: %s', (_, text, expected) => {
    expect(spans(text)).toEqual(expected);
  });

  it('returns spans in order, without overlaps', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const edges = splitSpans(text).flatMap(({ start, end }) => [start, end]);
        expect(edges).toEqual([...edges].sort((a, b) => a - b));
      }),
    );
  });

  it('returns trimmed spans that are not empty', () => {
    fc.assert(
      fc.property(markdown, (text) =>
        expect(spans(text)).not.toContainEqual(expect.stringMatching(/^$|^\s|\s$/)),
      ),
    );
  });

  it('leaves out only white space and bullet marks', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const left = splitSpans(text).reduceRight(
          (rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
          text,
        );
        expect(left.replace(/[-*+•]|\d+[.)]|\s/g, '')).toBe('');
      }),
    );
  });
});
