/** Share of common words from which two sections are variants. */
const SAME_FROM = 0.9;
/** Shorter texts must have all words in common, because one word can make another statement. */
const FEWEST_WORDS = 20;

/** Share of the shorter text's words that the longer one must contain, for versions of one section. */
const ALIKE_FROM = 0.6;

/** The properties by which two sections are compared. */
export interface ComparedText {
  readonly title: string;
  readonly words: ReadonlySet<string>;
}

export function comparedText(title: string, text: string): ComparedText {
  return { title, words: new Set(text.toLowerCase().match(/\S+/g)) };
}

function countCommon(smaller: ReadonlySet<string>, larger: ReadonlySet<string>): number {
  let common = 0;
  for (const word of smaller) if (larger.has(word)) common++;
  return common;
}

/** True if two texts at the same position of two versions are nearly the same. */
export function isMuchAlike(a: ComparedText, b: ComparedText): boolean {
  const [smaller, larger] = a.words.size <= b.words.size ? [a.words, b.words] : [b.words, a.words];
  return countCommon(smaller, larger) >= smaller.size * ALIKE_FROM;
}

/** True if two sections are variants: the same title, and 90 % of their distinct words in common (Jaccard). */
export function isNearDuplicate(a: ComparedText, b: ComparedText): boolean {
  const [smaller, larger] = a.words.size <= b.words.size ? [a.words, b.words] : [b.words, a.words];
  if (a.title !== b.title || smaller.size < larger.size * SAME_FROM) return false;
  const common = countCommon(smaller, larger);
  const needed = smaller.size < FEWEST_WORDS ? 1 : SAME_FROM;
  return common >= (smaller.size + larger.size - common) * needed;
}
