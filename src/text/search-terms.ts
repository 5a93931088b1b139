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

function addUnspaced(run: string, out: string[]): void {
  const characters = [...run];
  out.push(...characters, ...pairsOf(characters));
}

function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** The words that camel case joins; none when there is only one, or too many to be an identifier. */
function camelParts(segment: string): string[] {
  const parts = MIXED_CASE.test(segment) ? (segment.match(CAMEL) ?? []) : [];
  return parts.length > 1 && parts.length <= MAX_PARTS ? parts : [];
}

function addSegment(segment: string, out: string[], memo: StemMemo): void {
  for (const part of camelParts(segment)) out.push(toTerm(part, memo));
  out.push(toTerm(segment, memo));
}

function addCompound(compound: string, out: string[], memo: StemMemo): void {
  const segments = compound.split(SEPARATOR).filter((segment) => segment !== '');
  for (const segment of segments) addSegment(segment, out, memo);
  if (segments.length > 1 && segments.length <= MAX_PARTS) out.push(toTerm(segments.join(''), memo));
}

interface Piece {
  readonly text: string;
  readonly isUnspaced: boolean;
}

/** The words of a text, identifiers whole, and the runs of scripts that are written without spaces. */
function* piecesOf(text: string): Generator<Piece> {
  for (const [compound] of fold(text).matchAll(COMPOUND)) {
    if (!HAS_UNSPACED.test(compound)) {
      yield { text: compound, isUnspaced: false };
      continue;
    }
    for (const [run] of compound.matchAll(UNSPACED)) yield { text: run, isUnspaced: true };
    for (const rest of compound.replace(UNSPACED, ' ').split(/\s+/)) {
      if (rest !== '') yield { text: rest, isUnspaced: false };
    }
  }
}

/**
 * The terms under which a text is indexed: lower-cased Porter stems (Porter, 1980), identifiers in parts and whole,
 * scripts without spaces as single characters and pairs.
 * @returns in order of appearance, with repeats; only letters, digits and full-width signs, at most 64 characters each
 */
export function searchTerms(text: string, memo: StemMemo = new Map()): string[] {
  const out: string[] = [];
  for (const piece of piecesOf(text)) {
    if (piece.isUnspaced) addUnspaced(piece.text, out);
    else addCompound(piece.text, out, memo);
  }
  return out;
}

/** A word that is asked for. */
export interface QueryWord {
  readonly term: string;
  /** What an identifier is made of: asked for in its place where no document holds it whole. */
  readonly parts: readonly QueryWord[];
}

function segmentWord(segment: string, memo: StemMemo): QueryWord {
  const parts = camelParts(segment).map((part) => ({ term: toTerm(part, memo), parts: [] }));
  return { term: toTerm(segment, memo), parts };
}

function compoundWords(compound: string, memo: StemMemo): QueryWord[] {
  const segments = compound.split(SEPARATOR).filter((segment) => segment !== '');
  const parts = segments.map((segment) => segmentWord(segment, memo));
  if (segments.length < 2 || segments.length > MAX_PARTS) return parts;
  return [{ term: toTerm(segments.join(''), memo), parts }];
}

function unspacedWords(run: string): QueryWord[] {
  const characters = [...run];
  const terms = characters.length === 1 ? characters : pairsOf(characters);
  return terms.map((term) => ({ term, parts: [] }));
}

/**
 * The words of a question, as the terms that documents are indexed under. The parts of an identifier would otherwise
 * count beside it, so that `GraphQL` would weigh as much as three words.
 */
export function queryWords(text: string): QueryWord[] {
  const memo: StemMemo = new Map();
  return [...piecesOf(text)].flatMap((piece) =>
    piece.isUnspaced ? unspacedWords(piece.text) : compoundWords(piece.text, memo),
  );
}

/** Every term of a word: its parts, then itself, as a text that holds it is indexed. */
export function wordTerms({ term, parts }: QueryWord): string[] {
  return [...parts.flatMap(wordTerms), term];
}
