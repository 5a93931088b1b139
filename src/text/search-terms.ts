import stemmer from 'stemmer';

/** Bump when terms change: part of the identity stamp, so that an old index is rebuilt aloud. */
export const ANALYSER_VERSION = 1;

const MAX_TERM = 64;
const MAX_PARTS = 8;

// A word, or words joined as identifiers are: rate_limit, --max-retries, Get-ChildItem, kb.search, std::map, C++, C#.
const COMPOUND =
  /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:(?:[_\-.]|::)[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*(?:\+\+|#(?![\p{L}\p{N}]))?/gu;
const SEPARATOR = /(?:[_\-.]|::)/;
const CAMEL = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{L}\p{M}]+/gu;
const MIXED_CASE = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
// Scripts that are written without spaces between words: two characters at a time.
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}ー]+/gu;
const HAS_UNSPACED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
// eslint-disable-next-line no-control-regex -- the whole ASCII range, controls included
const ASCII_ONLY = /^[\x00-\x7f]*$/;

/** Latin accents off, compatibility forms folded, so that `café` and `cafe` are one. */
function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return text;
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

/** Terms by word, so that a word that comes again is not stemmed again; the caller says how long it lives. */
export type StemMemo = Map<string, string>;

function toTerm(word: string, memo: StemMemo): string {
  const known = memo.get(word);
  if (known !== undefined) return known;
  // '+' and '#' are no term characters of the index; their full-width forms are.
  const lower = word.toLowerCase().replaceAll('+', '＋').replaceAll('#', '＃');
  const term = stemmer(lower.length > MAX_TERM ? lower.slice(0, MAX_TERM) : lower);
  memo.set(word, term);
  return term;
}

function addUnspaced(run: string, forQuery: boolean, out: string[]): void {
  const characters = [...run];
  if (!forQuery || characters.length === 1) out.push(...characters);
  for (let i = 0; i + 1 < characters.length; i++) out.push(`${characters[i]}${characters[i + 1]}`);
}

function addSegment(segment: string, out: string[], memo: StemMemo): void {
  const parts = MIXED_CASE.test(segment) ? (segment.match(CAMEL) ?? []) : [];
  if (parts.length > 1 && parts.length <= MAX_PARTS) for (const part of parts) out.push(toTerm(part, memo));
  out.push(toTerm(segment, memo));
}

function addCompound(compound: string, out: string[], memo: StemMemo): void {
  const segments = compound.split(SEPARATOR).filter((segment) => segment !== '');
  for (const segment of segments) addSegment(segment, out, memo);
  if (segments.length > 1 && segments.length <= MAX_PARTS) out.push(toTerm(segments.join(''), memo));
}

/**
 * The terms under which a text is indexed and asked for: lower-cased Porter stems (Porter, 1980), identifiers whole
 * and in parts, scripts without spaces as single characters and pairs.
 * @param forQuery  leaves out the single characters that pairs already cover
 * @returns in order of appearance, with repeats; only letters, digits and full-width signs, at most 64 characters each
 */
export function searchTerms(text: string, forQuery = false, memo: StemMemo = new Map()): string[] {
  const out: string[] = [];
  for (const [compound] of fold(text).matchAll(COMPOUND)) {
    if (!HAS_UNSPACED.test(compound)) {
      addCompound(compound, out, memo);
      continue;
    }
    for (const [run] of compound.matchAll(UNSPACED)) addUnspaced(run, forQuery, out);
    const rest = compound.replace(UNSPACED, ' ').trim();
    for (const piece of rest === '' ? [] : rest.split(/\s+/)) addCompound(piece, out, memo);
  }
  return out;
}
