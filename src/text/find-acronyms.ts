/** An acronym with its long form. */
export interface Acronym {
  /** As written; two to eight capitals and digits. */
  readonly short: string;
  /** Lower case, white space collapsed. */
  readonly long: string;
}

/** "(LF)", after its long form. */
const BRACKETED = /\((\p{Lu}[\p{Lu}\p{N}]{1,7})s?\)/gu;
/** The last words of a text, of at most 60 characters each: a long run of letters would take minutes to match. */
const LAST_WORDS = /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}][\p{L}\p{N}'’/-]{0,59}[ \n]+){2,10}$/u;
/** Characters before the brackets that can contain the long form. */
const LOOK_BACK = 200;
/** "LF (long form)" */
const SHORT_FIRST =
  /(?<![\p{L}\p{N}])(\p{Lu}[\p{Lu}\p{N}]{1,7})[ \n]+\(([\p{L}][\p{L}\p{N} \n'’/-]{4,80})\)/gu;

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}'’]/u.test(character);

/**
 * Finds the shortest end of a text that contains the letters of a short form in order, with the first letter at the
 * start of a word (Schwartz and Hearst, 2003); null if there is none.
 */
function longFormOf(short: string, before: string): string | null {
  const text = before.toLowerCase();
  let at = text.length - 1;
  for (let i = short.length - 1; i >= 0; i--) {
    const wanted = short.charAt(i).toLowerCase();
    while (at >= 0 && (text[at] !== wanted || (i === 0 && isWordCharacter(text[at - 1])))) at--;
    if (at < 0) return null;
    at--;
  }
  return text
    .slice(at + 1)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Brackets after a short form contain either the long form alone or a remark. Null for a remark. */
function wholeLongFormOf(short: string, within: string): string | null {
  const long = longFormOf(short, within);
  const whole = within.toLowerCase().replace(/\s+/g, ' ').trim();
  return long !== null && whole.replace(/^(?:the|an?) /, '') === long ? long : null;
}

/** Limits of Schwartz and Hearst: two or more words, at most two per letter, and without the short form. */
function isLikely({ short, long }: Acronym): boolean {
  const words = long.split(/[ /-]/);
  if (words.includes(short.toLowerCase())) return false;
  return words.length > 1 && words.length <= Math.min(short.length + 5, short.length * 2);
}

/** Finds the acronyms that a text expands, in order, each once. */
export function findAcronyms(text: string): Acronym[] {
  // Most texts have no brackets.
  if (!text.includes('(')) return [];
  const before = [...text.matchAll(BRACKETED)].map(({ index, 1: short = '' }) => {
    const words = LAST_WORDS.exec(text.slice(Math.max(0, index - LOOK_BACK), index))?.[0];
    return { short, long: words === undefined ? null : longFormOf(short, words.trimEnd()) };
  });
  const within = [...text.matchAll(SHORT_FIRST)].map(([, short = '', words = '']) => {
    return { short, long: wholeLongFormOf(short, words) };
  });
  const found = [...before, ...within].flatMap(({ short, long }) => (long === null ? [] : [{ short, long }]));
  const likely = found.filter(isLikely);
  return [...new Map(likely.map((acronym) => [`${acronym.short} ${acronym.long}`, acronym])).values()];
}
