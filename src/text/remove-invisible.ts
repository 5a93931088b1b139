// Scripts whose letters join or part at U+200C and U+200D.
const JOINING =
  '\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Mand}\\p{sc=Nko}\\p{sc=Mong}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}\\p{sc=Gujr}\\p{sc=Orya}' +
  '\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}\\p{sc=Mymr}\\p{sc=Khmr}\\p{sc=Tibt}';

/** Characters that change how visible text around them looks. They are kept in these places only. */
const NEEDED = [
  // One joiner after a letter of such a script: می‌خواهم, क्‍ष.
  `(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`,
  // Emoji of several: a family, a woman at a rocket.
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
  // The choice between a coloured and a plain symbol, and keycaps.
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]|(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // The form of a Chinese character, of a Mongolian letter and of a mathematical sign.
  '(?<=\\p{sc=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]|(?<=\\p{sc=Mong})[\\u180b-\\u180f]|(?<=\\p{Sm})\\ufe00',
  // Old Korean syllables.
  '(?<=\\p{sc=Hang})\\u1160|\\u115f(?=\\p{sc=Hang})',
  // The flags of England, Scotland and Wales.
  '(?<=\\u{1f3f4})\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
];

/** Everything that Unicode says to show as nothing: zero-width, bidirectional, tags, selectors; and annotation marks. */
const UNSEEN = '[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]';
const ANY = new RegExp(UNSEEN, 'u');
const KEPT_OR_UNSEEN = new RegExp(`(${NEEDED.join('|')})|${UNSEEN}`, 'gu');

/** A text without its invisible characters. */
export interface SeenText {
  readonly text: string;
  /** Offsets of the removed characters in the original text, rising. */
  readonly removedAt: readonly number[];
}

/** Removes characters that nobody can see, except where scripts and emoji need them. */
export function removeInvisible(original: string): SeenText {
  if (!ANY.test(original)) return { text: original, removedAt: [] };
  const removedAt: number[] = [];
  const text = original.replace(KEPT_OR_UNSEEN, (_char: string, kept: string | undefined, at: number) => {
    if (kept !== undefined) return kept;
    removedAt.push(at);
    return '';
  });
  return { text, removedAt };
}

/** The same without offsets. */
export const withoutInvisible = (text: string): string => removeInvisible(text).text;
