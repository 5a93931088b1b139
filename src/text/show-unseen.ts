// Everything that shows nothing, reorders the text around it, looks like a plain space or has no known look.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/** A stretch of text, or the code of a character that people can't see. */
export interface SeenPart {
  readonly text: string;
  readonly isCode: boolean;
}

/** The code units of a character, as JSON and JavaScript write them. */
const codesOf = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');

/**
 * Splits text so that every character in it can be seen: invisible, control and bidirectional characters and unusual
 * spaces become their codes. Line feeds stay.
 */
export function showUnseen(given: string): SeenPart[] {
  const text = given.toWellFormed();
  const parts: SeenPart[] = [];
  const add = (part: string, isCode: boolean): void => {
    if (part !== '') parts.push({ text: part, isCode });
  };
  let at = 0;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    if (character === '\n') continue;
    add(text.slice(at, index), false);
    add(codesOf(character), true);
    at = index + character.length;
  }
  add(text.slice(at), false);
  return parts;
}

/** Text in which every character can be seen, for a terminal. */
export const seenText = (text: string): string =>
  showUnseen(text)
    .map((part) => part.text)
    .join('');

/** The same on one line. */
export const seenLine = (text: string): string => seenText(text).replaceAll('\n', '\\n');
