// Words for a corpus that is made from the blocks of a smaller one: its vocabulary grows with the sections as that of real text.

/** Heaps' law, V = k · sections^HEAPS, as measured on documentation of software. */
const HEAPS = 0.66;
/** A word of prose, a title or code that may stand for another one: no path, link, tag or mark. */
const WORD = /(?<=^|[ \t(])[A-Za-z]{4,}(?=[ \t.,;:)]|$)/gm;
const HEADING = /^#/;
const SYLLABLES = [...'bdfgjklmnprstvzqwxch'].flatMap((first) => [...'aeiou'].map((vowel) => first + vowel));
const MANY = SYLLABLES.length ** 4;
/** Has no factor in common with `MANY`, so each number gives another word. */
const STEP = 61_803_399;

export const wordsIn = (text) => text.toLowerCase().match(/[a-z]\w{2,}/g) ?? [];

/** The word with a number, always the same: a third each are plain words, camelCase and snake_case. */
export function grownWord(number) {
  let rest = (number * STEP) % MANY;
  let word = '';
  for (; word.length < 8; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length];
  if (number % 3 === 0) return word;
  return number % 3 === 1 ? `get${word[0].toUpperCase()}${word.slice(1)}` : `${word}_size`;
}

/**
 * Puts words in the place of others by a Pitman-Yor process, which gives Heaps' law for the vocabulary and Zipf's for the
 * frequencies: a new word, or one that was put in before, of which early ones are more frequent.
 * @param real  number of words and of headings of the real text
 * @returns changes a page; half of the words stand in headings, as names of new things do, so that titles grow too
 */
export function wordGrower({ words, headings }, random) {
  const power = 1 - 1 / HEAPS;
  const first = words ** power;
  let grown = 0;
  let due = 0;
  const draw = (written) => {
    if (grown === 0 || random() < (written / headings) ** (HEAPS - 1)) return grownWord(grown++);
    const rank = (first + random() * ((words + grown) ** power - first)) ** (1 / power);
    return grownWord(Math.min(grown - 1, Math.floor(rank - words)));
  };
  /** @param written  number of headings before this page @param own  those of this page */
  return (blocks, written, own) => {
    const [titles, texts] = [true, false].map((isTitle) =>
      blocks.flatMap((block, i) => (HEADING.test(block) === isTitle && block.search(WORD) >= 0 ? [i] : [])),
    );
    for (due += (HEAPS * words * own) / headings; due >= 1; due--) {
      const among = titles.length > 0 && (random() < 0.5 || texts.length === 0) ? titles : texts;
      const i = among[Math.floor(random() * among.length)];
      if (i === undefined) continue;
      let at = Math.floor(random() * (blocks[i].match(WORD) ?? []).length);
      blocks[i] = blocks[i].replace(WORD, (word) => (at-- === 0 ? draw(written) : word));
    }
    return blocks;
  };
}
