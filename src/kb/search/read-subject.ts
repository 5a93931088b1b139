import type { Subject } from '../../core/ports/section-index.port.js';
import { identifierIn } from '../../text/terms/identifiers.js';
import { isFunctionTerm } from '../../text/terms/languages.js';
import { queryTerms, queryWords } from '../../text/terms/search-terms.js';

const SPAN = /`([^`\n]+)`/g;
const CONTRACTION = /^\p{L}+['’]\p{L}{1,2}$/u;
const VERSION = /^v?\d+(?:\.\d+)+$|^v\d+$/i;
/** Words that only say what kind of thing a name is, or what to tell about it. */
const FRAME = new Set(
  queryTerms(
    `api argument attribute change changelog class code command default define definition describe description directive doc docs
     documentation documented environment error event example file field flag function header hook key keyword keywords mean
     meaning method module new news note notes option page parameter property purpose reference release section setting
     statement syntax type usage use value variable version work`,
  ),
);
/** True for the term of a word that only frames a name, such as "what" or "option". */
export const isFrameTerm = (term: string): boolean => isFunctionTerm(term) || FRAME.has(term);

/** More words beside a name ask for more than its definition. */
const MAX_BESIDE = 3;
const MAX_NAMES = 2;

/** The names of a look-up: code spans, and words with signs, digits or inner capitals. Null for other questions. */
export function readSubject(question: string): Subject | null {
  const spans = [...question.matchAll(SPAN)]
    .map(([, code = '']) => bareName(code))
    .filter((name) => name !== '');
  const names = new Set(spans);
  const rest: string[] = [];
  for (const word of question.replaceAll(SPAN, ' ').split(/\s+/)) {
    const name = CONTRACTION.test(word.replace(/[?.!]+$/, ''))
      ? null
      : identifierIn(word.replace(/[.:]+$/, ''));
    if (name === null) rest.push(word);
    else names.add(bareName(name));
  }
  const beside = queryWords(rest.join(' '))
    .map(({ term }) => term)
    .filter((term) => !isFrameTerm(term));
  if (names.size === 0 || names.size > MAX_NAMES || beside.length > MAX_BESIDE) return null;
  return { names: [...names], beside };
}

/** A name without the arguments of a call, or the value of a flag. */
function bareName(code: string): string {
  const name = code.trim().replace(/(?<=\w)\(.*\)$/, '');
  return name.startsWith('-') ? name.replace(/=.*$/, '') : name;
}

/** True for a version such as 3.3 or v2. */
export const isVersion = (name: string): boolean => VERSION.test(name);

/** Release notes write `3.3` or `v3.3`. */
export const otherSpelling = (version: string): string =>
  /^v/i.test(version) ? version.slice(1) : `v${version}`;
