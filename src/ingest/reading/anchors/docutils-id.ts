/** Letters that docutils replaces by ASCII letters, because they have no decomposition. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  Array.from(
    'ßsz æae œoe øo đd ħh ıi łl ŧt ƀb ƙk ƚl ȡd ȴl ȵn ȶt ɉj ɗd ƥp ƫt ƭt ƴy ƶz ǥg ȥz'.split(' '),
    (pair) => [pair.charAt(0), pair.slice(1)],
  ),
);

/** The id that docutils makes of a name: words of `a` to `z` and digits, with hyphens between; may be empty. */
export function docutilsId(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\0-\x7F]/g, (letter) => LETTERS.get(letter) ?? letter)
    .normalize('NFKD')
    .replace(/[^\0-\x7F]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|-+$/g, '');
}
