import { withoutInvisible } from '../../text/remove-invisible.js';
import { decodeEntities } from '../reading/decode-entities.js';

/** Cyrillic and Greek letters that look like Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('аеорсухіјѕһԁԛԝʟꞑορνατικ', (char, at) => [char, 'aeopcyxijshdqwlnopvatik'.charAt(at)]),
);
const DIGITS: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };

const LOOKALIKE = /[\u0370-\u052f\ua78f]/;
const OTHER = /[^\0-\x7f]/;
const LETTERS = /\p{L}+/gu;
/** More marks than any script puts on a letter: sorting them takes the square of their number. */
const MARKS = /(\p{Mn}{8})\p{Mn}+/gu;
/**
 * From the first digit of a word. Words have at most 40 letters: a pattern without a limit needs stack for each letter of a
 * run. The rare character is matched first, here and for hyphens, because lookbehind is slow.
 */
const LEET = /[013457](?<=\b[a-z]{0,40}[013457])[a-z013457]{1,40}\b/g;
const SPACED = /(?<!\p{L})(?:\p{L} ){3,}\p{L}(?!\p{L})/gu;
/** White space within a line, but not single spaces, and what surrounds a line feed: most need no change. */
const WIDE_SPACE = / [^\S\n]+|[^\S\n ][^\S\n]*/g;
const LINE_EDGE = / \n[ >]*|\n[ >]+/g;
/** From the first hyphen. */
const HYPHENED = /-(?<=\b[a-z]{1,40}-)[a-z]{1,40}(?:-[a-z]{1,40}){1,40}/g;

const replaced = (word: string, table: Readonly<Record<string, string>>): string =>
  Array.from(word, (char) => table[char] ?? char).join('');

/** Accented, wide and look-alike letters as plain ones. */
function plainLetters(text: string): string {
  const letters = text
    .replace(MARKS, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{Mn}+/gu, '');
  const composed = letters.normalize('NFC');
  if (!LOOKALIKE.test(composed)) return composed;
  return composed.replace(LETTERS, (word) => (/[a-z]/.test(word) ? replaced(word, LOOKALIKES) : word));
}

/** The end of a word with letters for digits, if the word has five characters, among them two letters. */
function withLetters(end: string, at: number, text: string): string {
  const start = /[a-z]{0,40}$/.exec(text.slice(Math.max(0, at - 40), at))?.[0] ?? '';
  const word = start + end;
  return word.length > 4 && /[a-z].*[a-z]/.test(word) ? replaced(end, DIGITS) : end;
}

/**
 * A text as people read it, for patterns: without invisible characters and Markdown's marks, in lower case, with plain
 * letters instead of accented, wide, spaced and look-alike ones. Line feeds stay, so that lines can be counted.
 */
export function plainForm(text: string): string {
  const seen = text.includes('&') ? decodeEntities(text) : text;
  const letters = OTHER.test(seen) ? plainLetters(withoutInvisible(seen)) : seen.toLowerCase();
  const spaced = /\b\w \w \w \w\b/.test(letters)
    ? letters.replace(SPACED, (word) => word.replaceAll(' ', ''))
    : letters;
  return spaced
    .replace(/!(?=[a-z]{2})/g, 'i')
    .replace(LEET, withLetters)
    .replace(/[*`~"“”„«»]+|\b_+|(?<!_)_+\b/g, '')
    .replace(/['’]/g, ' ')
    .replace(HYPHENED, (word) => word.replaceAll('-', ' '))
    .replace(WIDE_SPACE, ' ')
    .replace(LINE_EDGE, '\n');
}
