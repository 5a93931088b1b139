import { findFlags } from '../../src/ingest/flags/find-flags.js';
import { findLinks } from '../../src/ingest/links/find-links.js';
import { namesGroups } from '../../src/ingest/manifest/written-groups.js';
import { findMentions } from '../../src/ingest/names/find-mentions.js';
import { findSteps } from '../../src/ingest/sections/find-steps.js';
import { splitUnits } from '../../src/ingest/structure/split-units.js';
import { findAcronyms } from '../../src/text/find-acronyms.js';
import { queryWords } from '../../src/text/terms/search-terms.js';
import { aSection } from '../support/builders.js';
import { growthOf } from '../support/growth.js';

/**
 * Eight times the text takes 8 to 14 times as long, since a megabyte leaves the processor's cache. Quadratic time takes
 * 64 times as long. A busy machine was seen to make 14 out as 24.
 */
const MOST_GROWTH = 32;
const MEGABYTE = 1 << 20;

type Unit = [name: string, unit: string, end?: string];

const times =
  (unit: string, head = '', tail = '') =>
  (length: number): string =>
    head + unit.repeat(Math.ceil(length / unit.length)) + tail;

describe('queryWords takes time in proportion to the text', () => {
  it.each<Unit>([
    ['one letter', 'a'],
    ['capitals', 'A'],
    ['camel case', 'aB'],
    ['digits', '1'],
    ['a snake case name', 'a_'],
    ['colons', 'a::'],
    ['dots', 'a.'],
    ['separators alone', '_-.:'],
    ['combining accents', 'e\u0301'],
    ['Chinese', '漢'],
    ['Chinese and Latin', '漢a'],
    ['plus signs', 'C++'],
    ['letters and spaces', 'a  '],
  ])('of %s', (_, unit) => {
    expect(growthOf(queryWords, times(unit), 100_000, MOST_GROWTH)).toBeLessThan(MOST_GROWTH);
  });
});

describe('findAcronyms takes time in proportion to the text', () => {
  it.each<Unit>([
    ['one word without end', 'a', '('],
    ['one word with hyphens', 'a-', '('],
    ['one word with apostrophes', "a'", '('],
    ['capitals', 'A', '('],
    ['words', 'a ', '('],
    ['words and spaces', 'a          ', '('],
    ['spaces', ' ', 'a ('],
    ['line breaks', 'a\n\n\n\n\n\n', '('],
    ['opening brackets', '(', ''],
    ['short forms that open brackets', 'AB (', ''],
    ['short forms and spaces', 'AB                                  ', '('],
    ['brackets that are not closed', 'AB (long forms ', ''],
    ['nested brackets', 'a b (AB ', ''],
    ['acronyms', 'rate limit (RL) ', ''],
    ['long words before brackets', `${'a'.repeat(500)} b (`, ''],
    ['letters beyond ASCII', 'é', '('],
  ])('of %s', (_, unit, end = '') => {
    expect(growthOf(findAcronyms, times(unit, '', end), 100_000, MOST_GROWTH)).toBeLessThan(MOST_GROWTH);
  });
});

describe('namesGroups takes time in proportion to the header', () => {
  it.each([
    ['blank lines in broken front matter', 'a.md', '---\na: [\nallowed\n', '\n', '\n---\n'],
    ['spaces in broken front matter', 'a.md', '---\na: [\nallowed\n', ' ', '\n---\n'],
    ['commas in broken front matter', 'a.md', '---\na: [\nallowed\n', ', ', '\n---\n'],
    ['comments above', 'a.md', '', '<!-- allow -->\n', '---\n'],
    ['comments without an end', 'a.html', 'allow', '<!--', '</head>'],
    ['scripts without an end', 'a.html', 'allow', '<script ', '</head>'],
    ['tags', 'a.html', 'allow', '<meta name=x ', '</head>'],
    ['directives', 'a.rst', 'allow\n\n', '.. meta::\n\n', ''],
    ['slashes', 'a.adoc', 'allow\n', '////\n', ''],
  ])('of %s', (_, path, head, unit, tail) => {
    const read = (text: string): boolean => namesGroups(text, path);
    expect(growthOf(read, times(unit, head, tail), 200_000, MOST_GROWTH)).toBeLessThan(MOST_GROWTH);
  });
});

describe('splitUnits takes time in proportion to one line', () => {
  it.each<Unit>([
    ['words', 'word '],
    ['one word', 'x'],
    ['sentences', 'A b. '],
    ['marks', '. '],
    ['colons', ':  '],
    ['bars', '| '],
    ['bullets', '- '],
    ['rules', '-'],
    ['quotation marks', '> '],
    ['tags', '<a'],
    ['backticks', '`'],
    ['numbers', '1. '],
    ['Chinese', '磁盘。'],
    ['white space', ' '],
  ])('of %s', (_, unit) => {
    expect(growthOf(splitUnits, times(unit), 200_000, MOST_GROWTH)).toBeLessThan(MOST_GROWTH);
  });
});

describe('findMentions takes time in proportion to a megabyte', () => {
  const read = (text: string): unknown => findMentions([aSection({ text, structure: '' })]);

  it.each([
    '`',
    '``` ',
    '--',
    '- ',
    '7',
    'a',
    'a.',
    'a_',
    'A',
    '`a` ',
    '*',
    '**a',
    '|',
    '| `a`\n',
    '<a',
    '](',
    '$',
    '"',
    ':',
    'E',
    '/a',
    '::',
    '[a]:',
    '**a** is ',
  ])('of %j', (unit) => {
    expect(growthOf(read, times(unit), MEGABYTE, MOST_GROWTH)).toBeLessThan(MOST_GROWTH);
  });

  it.each<[string, string, string, string]>([
    ['a span of one word', '`', 'a', '`'],
    ['a span of words', '`npm ', 'run ', '`'],
    ['a span of brackets', '`a', '<', '`'],
    ['a command of words', '```sh\n', 'lid ', '\n```'],
    ['a command with blanks', '```sh\nlid', ' ', 'x\n```'],
    ['blank command lines', '```sh\n', ' \n', 'x\n```'],
    ['blank lines of a fence without a language', '```\n', ' \n', 'x\n```'],
    ['a command that goes on and on', '```sh\n', 'lid \\\n', '```'],
    ['code of one name', '```ts\n', 'a.', '\n```'],
    ['a key of blanks', '```ini\n', ' ', '=\n```'],
    ['a table row', '| a |\n| - |\n', '| `a` ', ''],
    ['a term', '**', 'a ', '** is what you need'],
  ])('of %s', (_, head, unit, tail) => {
    expect(growthOf(read, times(unit, head, tail), MEGABYTE, MOST_GROWTH)).toBeLessThan(MOST_GROWTH);
  });
});

describe('findSteps takes time in proportion to a megabyte', () => {
  const read = (text: string): unknown => findSteps([aSection({ text, structure: '' })]);

  it.each<Unit>([
    ['items', '1. a\n'],
    ['digits', '7'],
    ['blanks', ' '],
    ['ticks', '`'],
    ['numbers', '1. '],
  ])('of %s', (_, unit) => {
    expect(growthOf(read, times(unit), MEGABYTE, MOST_GROWTH)).toBeLessThan(MOST_GROWTH);
  });
});

describe('findLinks takes time in proportion to a megabyte', () => {
  const read = (text: string): unknown =>
    findLinks([aSection({ text: `${text}\n\n[a]: b.md`, structure: '' })]);

  it.each<[string]>([
    ['['],
    [']'],
    ['[]('],
    ['[a]('],
    ['(['],
    ['![['],
    ['[a]['],
    ['[](<'],
    ['[](a "'],
    ['<a href='],
    ['<a '],
    ['[a]:'],
    ['\n[a]: b '],
    ['> '],
    ['\\'],
    ['[](\\('],
    ['[a](b)['],
    ['See also:\n- ['],
    ['a: [b'],
  ])('of %j', (unit) => {
    expect(growthOf(read, times(unit), MEGABYTE, MOST_GROWTH)).toBeLessThan(MOST_GROWTH);
  });
});

describe('findFlags takes time in proportion to the text', () => {
  it.each<Unit>([
    ['a name of a tool', 'a_', 'use the tool '],
    ['a name of a function', 'a_', 'call the function '],
    ['a name after an order', 'a_', 'you must call '],
    ['points after a tool', '.', 'first use the tool '],
    ['low lines', '_', 'a'],
    ['end tags', '</document> ', ''],
    ['sentences in Base64', `${Buffer.from('this is a sentence').toString('base64')}\n`, ''],
    ['marks on one letter', '\u0301\u0323', 'a'],
    ['letters of two alphabets', 'aж', 'ai must '],
    ['orders', 'ignore the previous ', ''],
    ['orders before single letters', 'ignore the a b c d e f g ', ''],
    ['spaces', ' ', 'human: '],
    ['line breaks', '\n', 'system'],
    ['numbers in words', 'a1', ''],
    ['spaced letters', 'a b ', ''],
  ])('of %s', (_, unit, head = '') => {
    const read = (text: string): void => void findFlags(text, 0);
    expect(growthOf(read, times(unit, head, 'b'), 200_000, MOST_GROWTH)).toBeLessThan(MOST_GROWTH);
  });
});
