import { identifierFinder } from '../../text/terms/identifiers.js';
import { queryTerms, queryWords } from '../../text/terms/search-terms.js';
import { isFrameTerm } from './read-subject.js';

/** How a section defines a name: as a term of a list or table in its text, or in its heading. */
export type Definition = 'none' | 'term' | 'heading';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The start of a line before a term: marks, the kind of thing, and a short form such as `-f, `. */
const BEFORE =
  /^[\s>]*(?:[|*_+`"'-]|\d+[.)])[\s|*_`"'[]*(?:[_*]{0,2}[a-z]{2,12}[_*]{0,2} )?(?:[`*]*-\w(?: \w+)?[`*]*(?:,|\/| \|)? ?)?[`*]*$/;
/** The end of a term: its value or arguments, marks, and what separates it from its definition. */
const BEHIND =
  /^[`*_"']*(?:[ =:]?[[<{]?[A-Z][\w|.-]*[\]>}]?|=\S*|\([^\n]*?\))?[`*_"']*(?:\\?\[[^\n]*?\])?[`*_"']*\s*(?:(?:,|\/) [`*]*-[^|\n:]*)?(?:$|\||[:–—=]|-{1,2}\s|\(|\{|<)/;
/** Characters of a line that are looked at, so that long lines take no longer. */
const MAX_BEFORE = 60;
const MAX_BEHIND = 300;
/** Characters on each side that decide if a name is a part of a longer one. */
const BESIDE = 8;
const PLAIN_WORD = /^\p{Lu}?\p{Ll}+$/u;
const FENCE = /^[ \t>]*(?:```|~~~)/gm;

function isFenced(text: string, at: number): boolean {
  return ((text.slice(0, at).match(FENCE) ?? []).length & 1) === 1;
}

/** True if the line defines the name that is at a position in it. */
function isTermAt(text: string, at: number, length: number): boolean {
  const near = text.slice(Math.max(0, at - MAX_BEFORE - 1), at);
  const before = near.slice(near.lastIndexOf('\n') + 1);
  const [behind = ''] = text.slice(at + length, at + length + MAX_BEHIND).split('\n', 1);
  if (before.length > MAX_BEFORE || behind.startsWith('](')) return false;
  // A definition list: the term on one line, `: ` and its meaning on the next.
  if (/^[`*]*$/.test(before) && /^[`*]*$/.test(behind))
    return /^\n+:[ \t]/.test(text.slice(at + length + behind.length).slice(0, 4)) || isBold(before);
  if (!BEFORE.test(before) || !BEHIND.test(behind)) return false;
  // An item that is only a name lists it.
  return /^\s*\|/.test(before)
    ? /\|[^|\n]*\w/.test(behind)
    : isBold(before) || /\w/.test(behind.replace(/^\([^)]*\)/, ''));
}

const isBold = (before: string): boolean => before.includes('**');

/** Makes a function that tells if a heading is about a name: it begins or ends with it, before its arguments or kind. */
function headingFinder(name: string): (title: string) => boolean {
  const find = identifierFinder(name);
  const lower = escaped(name.toLowerCase());
  const edge = new RegExp(
    `^[\\W_]*${lower}(?![\\w-])|(?<![\\w-])${lower}[\\W_]*(?:\\(.*\\)|\\b\\w+)?[\\W_]*$`,
  );
  const isAtEdge = (title: string): boolean => find(title) !== 'none' && edge.test(title.toLowerCase());
  if (!PLAIN_WORD.test(name)) return isAtEdge;
  // "Operator precedence" isn't about the name `Operator`.
  const nameTerms = new Set(queryTerms(name));
  return (title) =>
    isAtEdge(title) && queryWords(title).every(({ term }) => nameTerms.has(term) || isFrameTerm(term));
}

/** Makes a function that tells how a section with a title and a text defines a name. */
export function definitionFinder(name: string): (title: string, text: string) => Definition {
  const find = identifierFinder(name);
  const isHeading = headingFinder(name);
  return (title, text) => {
    if (isHeading(title)) return 'heading';
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      const isWhole = find(text.slice(Math.max(0, at - BESIDE), at + name.length + BESIDE)) === 'same';
      if (isWhole && isTermAt(text, at, name.length) && !isFenced(text, at)) return 'term';
    }
    return 'none';
  };
}

/** The other words in the heading of a version's notes: few, and dates. */
const MAX_WORDS = 5;
const OF_NOTES = /\b(?:release|version|change|what['’]?s new|new in|news)/i;

/**
 * Makes a function that tells if a heading is that of a version's notes, with or without `v`: `3.3` in "Version 3.3
 * (2024-05-01)". @param isNotes  true if its page is known to be about changes
 */
export function versionFinder(version: string): (title: string, isNotes: boolean) => boolean {
  const number = escaped(version.replace(/^v/i, ''));
  const whole = new RegExp(`(?<![\\w.])v?${number}(?:\\.0)?(?![.-]?\\w)`, 'i');
  return (title, isNotes) => {
    const at = title.search(whole);
    if (at < 0 || (title.match(/\p{L}{2,}/gu) ?? []).length > MAX_WORDS) return false;
    return isNotes || OF_NOTES.test(title) || !/\w/.test(title.slice(0, at));
  };
}
