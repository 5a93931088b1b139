/** Characters by their control words. */
export const CHARACTERS: Readonly<Record<string, string>> = {
  '\\': '\\',
  '{': '{',
  '}': '}',
  '~': ' ',
  _: '-',
  tab: '\t',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  zwnj: '\u200c',
  zwj: '\u200d',
};

/** Code pages by the number of a character set of a font. */
export const CHARSETS: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

/** The name of a code page; the one of Western Europe for one that is not known. */
export function pageNamed(number: number): string {
  const known: Readonly<Record<number, string>> = {
    932: 'shift_jis',
    936: 'gbk',
    949: 'euc-kr',
    950: 'big5',
    65001: 'utf-8',
    10000: 'macintosh',
    866: 'ibm866',
    874: 'windows-874',
  };
  return known[number] ?? (number >= 1250 && number <= 1258 ? `windows-${number}` : 'windows-1252');
}
