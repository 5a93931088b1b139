// src/text: words, tokens, spans and truncation of text
import { stemmer as stemRussian } from '@orama/stemmers/russian';
import stemEnglish from 'stemmer';

/** Increment this when terms change: it is part of the index's stamp, and old indexes are then rebuilt. */
export const ANALYSER_VERSION = 4;

const MAX_TERM = 64;
const MAX_PARTS = 8;
/** A question is read several times: as words, as a name, in phrases. */
const MAX_REMEMBERED = 2_048;

// A word, or words joined as in identifiers: rate_limit, --max-retries, Get-ChildItem, kb.search, std::map, C++, C#.
// A slash joins only the two parts of a package name: @scope/name.
const WORD = '[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}]*';
const COMPOUND = new RegExp(
  `(?:(?<=@)${WORD}(?:[-_.]${WORD})*/)?${WORD}(?:(?:[-_.]|::)${WORD})*(?:\\+\\+|#(?![\\p{L}\\p{N}]))?`,
  'gu',
);
// Paths are split first: `std::unique_ptr` is `std` and `unique_ptr`.
const PATH_JOINT = /\/|::|\./;
const WORD_JOINT = /[-_]/;
const JOINT = /\/|::|[-_.]/g;
const CAMEL = /\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[\p{Ll}\p{M}]+\p{N}*|\p{N}+|[\p{L}\p{M}]+/gu;
// Mixed case, as in maxRetries and HTTPServer, or letters behind digits, as in v1beta1. Not a number such as 0xFF.
const MIXED = /^(?!0x).*(?:\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{N}+\p{L}{2})/u;
// A name with a number, as in OAuth2 and sha256. One letter before it is no name: E1001, x86.
const NUMBERED = /^(\p{L}[\p{L}\p{M}]+)(\p{N}+)$/u;
// Scripts without spaces between words, which are indexed as single characters and pairs.
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}ー]+/gu;
const HAS_UNSPACED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
// eslint-disable-next-line no-control-regex -- the whole ASCII range, controls included
export const ASCII_ONLY = /^[\x00-\x7f]*$/;

const CYRILLIC = /\p{sc=Cyrl}/u;
// All accents but that of the Cyrillic й, which is a letter of its own.
const ACCENTS = /(?!(?<=и)\u0306)[\u0300-\u036f]/gi;

/** Letters that Unicode does not decompose, as people write them on other keyboards; `ß` is folded as by Unicode. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O' },
  ...{ đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', ł: 'l', Ł: 'L', þ: 'th', Þ: 'TH', ı: 'i' },
};
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');

/** Removes accents and folds compatibility forms, so that `café` and `cafe` are equal, and `Straße` and `STRASSE`. */
function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return text;
  const bare = text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
  return bare.replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter);
}

/** Words in a memo: those of a large corpus would fill the memory. */
const MAX_MEMO = 50_000;

/** Caches the terms of each word as written. The caller decides how long to keep it. */
export type StemMemo = Map<string, readonly string[]>;

function toTerm(word: string): string {
  // The index doesn't accept '+' and '#' in terms, but accepts their full-width forms.
  const lower = word.toLowerCase().replaceAll('+', '＋').replaceAll('#', '＃');
  const cut = lower.length > MAX_TERM ? lower.slice(0, MAX_TERM) : lower;
  return CYRILLIC.test(cut) ? stemRussian(cut) : stemEnglish(cut);
}

function unspacedTerms(run: string): string[] {
  const characters = [...run];
  return [...characters, ...pairsOf(characters)];
}

function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

const LOWERED = /<\/?sub>/gi;
const MARK = /<(?:\/?(?:br|del|ins|kbd|mark|s|sup)|br[ \t]*\/)>/gi;

/** A text without tags that mark its parts: lowered text is a part of its word, as in H<sub>2</sub>O. */
const withoutMarks = (text: string): string =>
  text.includes('<') ? text.replace(LOWERED, '').replace(MARK, ' ') : text;

/** The words of a text; an identifier is one word. */
function wordsOf(text: string): readonly string[] {
  return fold(withoutMarks(text)).match(COMPOUND) ?? [];
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
    ...others.flatMap((text) => (/[\p{L}\p{N}]/u.test(text) ? [{ text, isUnspaced: false }] : [])),
  ];
}

export interface QueryWord {
  readonly term: string;
  /** The parts of an identifier, which may be identifiers too. */
  readonly parts: readonly QueryWord[];
  /** True if the parts are names of their own: those of `std::string` and `kb.search`, but not of `max_retries`. */
  readonly isPath?: boolean;
}

/** The words that are written as one in an identifier: max and Retries, OAuth and 2. Empty for a plain word. */
function innerParts(segment: string): readonly string[] {
  const numbered = NUMBERED.exec(segment);
  if (numbered) return numbered.slice(1);
  return MIXED.test(segment) ? (segment.match(CAMEL) ?? []) : [];
}

/** Splits an identifier at its loosest joints, and its parts at the others. */
function toWord(identifier: string): QueryWord {
  const term = wholeTerm(identifier);
  for (const joint of [PATH_JOINT, WORD_JOINT]) {
    const segments = identifier.split(joint).filter((segment) => segment !== '');
    if (segments.length < 2) continue;
    const parts = segments.map(toWord);
    return joint === PATH_JOINT ? { term, parts, isPath: true } : { term, parts };
  }
  const parts = innerParts(identifier);
  const isSplit = parts.length > 1 && parts.length <= MAX_PARTS;
  return { term, parts: isSplit ? parts.map(toWord) : [] };
}

function wholeTerm(identifier: string): string {
  return toTerm(identifier.replace(JOINT, ''));
}

/** An identifier as one word. A longer chain is no identifier, so it is its parts. */
function identifierWords(compound: string): readonly QueryWord[] {
  const count = compound.split(JOINT).length;
  return count <= MAX_PARTS ? [toWord(compound)] : toWord(compound).parts;
}

function unspacedWords(run: string): QueryWord[] {
  const characters = [...run];
  const terms = characters.length === 1 ? characters : pairsOf(characters);
  return terms.map((term) => ({ term, parts: [] }));
}

const remembered = new Map<string, readonly QueryWord[]>();

function queryWordsOf(compound: string): readonly QueryWord[] {
  const known = remembered.get(compound);
  if (known) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const words = identifierWords(compound);
  if (compound.length <= MAX_TERM) remembered.set(compound, words);
  return words;
}

/** The words of a query as index terms. The parts of an identifier are kept apart from those that stand alone. */
export function queryWords(text: string): QueryWord[] {
  return wordsOf(text)
    .flatMap(piecesOf)
    .flatMap((piece) => (piece.isUnspaced ? unspacedWords(piece.text) : queryWordsOf(piece.text)));
}

/** All terms of a word, as in `searchTerms`: its parts, then the word itself. */
export function wordTerms({ term, parts }: QueryWord): string[] {
  return [...parts.flatMap(wordTerms), term];
}

/** All terms of a query's words. */
export function queryTerms(text: string): string[] {
  return queryWords(text).flatMap(wordTerms);
}

const WRITTEN = /[\p{L}\p{M}\p{N}]+/gu;

/** The first word of a text that is indexed as a term. */
export function wordFor(text: string, term: string): string | undefined {
  return text.match(WRITTEN)?.find((word) => queryTerms(word).includes(term));
}

function termsOf(word: string, memo: StemMemo): readonly string[] {
  const known = memo.get(word);
  if (known) return known;
  // A part of a string keeps all of it in memory, here the text of the document.
  const copy = Buffer.from(word).toString();
  const terms = piecesOf(copy).flatMap(({ text, isUnspaced }) =>
    isUnspaced ? unspacedTerms(text) : identifierWords(text).flatMap(wordTerms),
  );
  if (memo.size >= MAX_MEMO) memo.clear();
  memo.set(copy, terms);
  return terms;
}

/**
 * Returns the terms of a text for indexing: lower-case stems (Porter, 1980; for Cyrillic words, the Russian stemmer of
 * Snowball), identifiers in parts and as a whole, scripts without spaces as single characters and pairs.
 * @returns in order of appearance, with repeats; letters, digits and full-width signs, at most 64 characters each
 */
export function searchTerms(text: string, memo: StemMemo = new Map()): string[] {
  const out: string[] = [];
  for (const word of wordsOf(text)) for (const term of termsOf(word, memo)) out.push(term);
  return out;
}
