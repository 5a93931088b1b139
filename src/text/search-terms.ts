// src/text: words, tokens, spans and truncation of text
import stemmer from 'stemmer';

/** Increment this when terms change: it is part of the index's stamp, and old indexes are then rebuilt. */
export const ANALYSER_VERSION = 1;

const MAX_TERM = 64;
const MAX_PARTS = 8;

// A word, or words joined as in identifiers: rate_limit, --max-retries, Get-ChildItem, kb.search, std::map, C++, C#.
const COMPOUND =
  /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:(?:[_\-.]|::)[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*(?:\+\+|#(?![\p{L}\p{N}]))?/gu;
const SEPARATOR = /(?:[_\-.]|::)/;
const CAMEL = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{L}\p{M}]+/gu;
const MIXED_CASE = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
// Scripts without spaces between words, which are indexed as single characters and pairs.
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}ー]+/gu;
const HAS_UNSPACED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
// eslint-disable-next-line no-control-regex -- the whole ASCII range, controls included
const ASCII_ONLY = /^[\x00-\x7f]*$/;

/** Removes Latin accents and folds compatibility forms, so that `café` and `cafe` are equal. */
function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return text;
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

/** Caches the terms of each word as written. The caller decides how long to keep it. */
export type StemMemo = Map<string, readonly string[]>;

function toTerm(word: string): string {
  // The index doesn't accept '+' and '#' in terms, but accepts their full-width forms.
  const lower = word.toLowerCase().replaceAll('+', '＋').replaceAll('#', '＃');
  return stemmer(lower.length > MAX_TERM ? lower.slice(0, MAX_TERM) : lower);
}

function unspacedTerms(run: string): string[] {
  const characters = [...run];
  return [...characters, ...pairsOf(characters)];
}

function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** The words of a camel case identifier; empty if there is only one word, or too many for an identifier. */
function camelParts(segment: string): string[] {
  const parts = MIXED_CASE.test(segment) ? (segment.match(CAMEL) ?? []) : [];
  return parts.length > 1 && parts.length <= MAX_PARTS ? parts : [];
}

function segmentsOf(compound: string): string[] {
  return compound.split(SEPARATOR).filter((segment) => segment !== '');
}

function compoundTerms(compound: string): string[] {
  const segments = segmentsOf(compound);
  const terms = segments.flatMap((segment) => [...camelParts(segment), segment]).map(toTerm);
  return segments.length > 1 && segments.length <= MAX_PARTS ? [...terms, toTerm(segments.join(''))] : terms;
}

/** The words of a text; an identifier is one word. */
function wordsOf(text: string): readonly string[] {
  return fold(text).match(COMPOUND) ?? [];
}

interface Piece {
  readonly text: string;
  readonly isUnspaced: boolean;
}

/** Splits a word into runs of scripts without spaces and other pieces; the runs come first. */
function piecesOf(word: string): readonly Piece[] {
  if (!HAS_UNSPACED.test(word)) return [{ text: word, isUnspaced: false }];
  const runs = word.match(UNSPACED) ?? [];
  const others = word.replace(UNSPACED, ' ').split(/\s+/);
  return [
    ...runs.map((text) => ({ text, isUnspaced: true })),
    ...others.flatMap((text) => (text === '' ? [] : [{ text, isUnspaced: false }])),
  ];
}

function termsOf(word: string, memo: StemMemo): readonly string[] {
  const known = memo.get(word);
  if (known) return known;
  const terms = piecesOf(word).flatMap(({ text, isUnspaced }) =>
    isUnspaced ? unspacedTerms(text) : compoundTerms(text),
  );
  memo.set(word, terms);
  return terms;
}

/**
 * Returns the terms of a text for indexing: lower-case Porter stems (Porter, 1980), identifiers in parts and as a
 * whole, scripts without spaces as single characters and pairs.
 * @returns in order of appearance, with repeats; letters, digits and full-width signs, at most 64 characters each
 */
export function searchTerms(text: string, memo: StemMemo = new Map()): string[] {
  const out: string[] = [];
  for (const word of wordsOf(text)) for (const term of termsOf(word, memo)) out.push(term);
  return out;
}

export interface QueryWord {
  readonly term: string;
  /** The parts of an identifier, which are searched for if no document contains it as a whole. */
  readonly parts: readonly QueryWord[];
}

function segmentWord(segment: string): QueryWord {
  const parts = camelParts(segment).map((part) => ({ term: toTerm(part), parts: [] }));
  return { term: toTerm(segment), parts };
}

function compoundWords(compound: string): QueryWord[] {
  const segments = segmentsOf(compound);
  const parts = segments.map(segmentWord);
  if (segments.length < 2 || segments.length > MAX_PARTS) return parts;
  return [{ term: toTerm(segments.join('')), parts }];
}

function unspacedWords(run: string): QueryWord[] {
  const characters = [...run];
  const terms = characters.length === 1 ? characters : pairsOf(characters);
  return terms.map((term) => ({ term, parts: [] }));
}

/** The words of a query as index terms. Parts of identifiers are kept apart: `GraphQL` would weigh as three words. */
export function queryWords(text: string): QueryWord[] {
  return wordsOf(text)
    .flatMap(piecesOf)
    .flatMap((piece) => (piece.isUnspaced ? unspacedWords(piece.text) : compoundWords(piece.text)));
}

/** All terms of a word, as in `searchTerms`: its parts, then the word itself. */
export function wordTerms({ term, parts }: QueryWord): string[] {
  return [...parts.flatMap(wordTerms), term];
}
