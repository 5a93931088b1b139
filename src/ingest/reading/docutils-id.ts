/** Letters that docutils replaces by ASCII letters, because they have no decomposition. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'sz', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ħ: 'h', ı: 'i', ł: 'l', ŧ: 't', ƀ: 'b', ƙ: 'k', ƚ: 'l' },
  ...{
    ȡ: 'd',
    ȴ: 'l',
    ȵ: 'n',
    ȶ: 't',
    ɉ: 'j',
    ɗ: 'd',
    ƥ: 'p',
    ƫ: 't',
    ƭ: 't',
    ƴ: 'y',
    ƶ: 'z',
    ǥ: 'g',
    ȥ: 'z',
  },
};

/** The id that docutils makes of a name: words of `a` to `z` and digits, with hyphens between; may be empty. */
export function docutilsId(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\0-\x7F]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKD')
    .replace(/[^\0-\x7F]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|-+$/g, '');
}
