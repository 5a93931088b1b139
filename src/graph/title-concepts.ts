import { isStopTerm } from '../text/terms/languages.js';
import { searchTerms, type StemMemo } from '../text/terms/search-terms.js';

/** Maximum number of documents with one title; more is boilerplate ("Overview"). 1, 3 and 10 are equally good. */
export const MAX_HOMES = 3;
/** Maximum number of terms: texts do not contain longer titles. 4 costs .005 of HotpotQA's recall@2, 12 adds nothing. */
export const MAX_CONCEPT_TERMS = 8;
/**
 * Maximum number of sections that contain the only term of a title; more frequent terms are ordinary words ("Band").
 * The limit is a number, not a share, so that few titles are dropped when the index grows. From 10 to 100 HotpotQA
 * gives the same figures; without one-term titles its recall@2 is .01 lower.
 */
export const MAX_SINGLE_TERM_SECTIONS = 20;

/**
 * Maximum number of sections that name a concept; more frequent concepts are too general to link by. From 8 to 30
 * HotpotQA gives the same figures, 5 costs .01 of its recall@2. From 20 on, documentation questions lose answers.
 */
export const MAX_MENTIONED_BY = 10;

const DISAMBIGUATION = /\s*\([^()]*\)\s*$/;

/** The names of a title: as written, and without a disambiguation in brackets ("Rush (band)"). */
function namesOf(title: string): string[] {
  return [...new Set([title, title.replace(DISAMBIGUATION, '')])];
}

function isTelling(terms: readonly string[]): boolean {
  return terms.length > 0 && terms.length <= MAX_CONCEPT_TERMS && !terms.every(isStopTerm);
}

/**
 * The keys under which texts can name a title: its search terms, joined by a space.
 * @returns none for a title without telling terms; two for one with a disambiguation in brackets
 */
export function titleKeys(title: string, memo: StemMemo): string[] {
  const named = namesOf(title).map((name) => searchTerms(name, memo));
  return [...new Set(named.filter(isTelling).map((terms) => terms.join(' ')))];
}

/**
 * True for a title that texts can link to by naming it. That depends on counts alone, so an index built in several runs
 * equals one built from scratch.
 * @param homes  number of documents that have it as title or heading
 * @param frequencyOf  number of sections in the index that contain a term
 */
export function isConcept(key: string, homes: number, frequencyOf: (term: string) => number): boolean {
  if (homes < 1 || homes > MAX_HOMES) return false;
  return key.includes(' ') || frequencyOf(key) <= MAX_SINGLE_TERM_SECTIONS;
}

/** Bits for each start of a concept: about 1 of 70 other texts is taken for one. */
const BITS = 16;
/** Concepts have about three terms, and so as many starts. */
const STARTS = 3;
const MAX_BITS = 2 ** 32;

const SEED = 0x811c9dc5;
/** Tells a whole concept from one that goes on. */
const WHOLE = 0x2545f491;
const PRIME = 0x01000193;

/** FNV-1a over UTF-16 code units, with a space after each term. */
function hashOn(hash: number, term: string): number {
  let next = hash;
  for (let i = 0; i < term.length; i++) next = Math.imul(next ^ term.charCodeAt(i), PRIME);
  return Math.imul(next ^ 32, PRIME);
}

/** A Bloom filter of the concepts and of what they begin with: an index has millions of them, of which a text names few. */
export class ConceptFilter {
  private readonly bits: Uint32Array;

  /** @param count  about the number of keys @param keys  the terms of each concept, joined by spaces */
  constructor(count: number, keys: Iterable<string>) {
    const wanted = 2 ** Math.ceil(Math.log2(1024 + count * STARTS * BITS));
    this.bits = new Uint32Array(Math.min(wanted, MAX_BITS) / 32);
    for (const key of keys) {
      let hash = SEED;
      for (const term of key.split(' ')) this.add((hash = hashOn(hash, term)));
      this.add(hash ^ WHOLE);
    }
  }

  /** The numbers of terms of what may be a concept here, longest first. */
  lengthsAt(terms: readonly string[], start: number): readonly number[] {
    const lengths: number[] = [];
    let hash = SEED;
    for (let at = start; at < terms.length; at++) {
      hash = hashOn(hash, terms[at] ?? '');
      if (!this.has(hash)) break;
      if (this.has(hash ^ WHOLE)) lengths.unshift(at + 1 - start);
    }
    return lengths;
  }

  private add(hash: number): void {
    for (const bit of [hash, scatter(hash)]) {
      const word = (bit >>> 5) % this.bits.length;
      this.bits[word] = (this.bits[word] ?? 0) | (1 << (bit & 31));
    }
  }

  private has(hash: number): boolean {
    return this.isSet(hash) && this.isSet(scatter(hash));
  }

  private isSet(bit: number): boolean {
    return (((this.bits[(bit >>> 5) % this.bits.length] ?? 0) >>> (bit & 31)) & 1) === 1;
  }
}

const scatter = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ (hash >>> 7);

/**
 * Finds the concepts in a text: at each word the longest one, without overlaps. Takes linear time, because a title has
 * at most `MAX_CONCEPT_TERMS` terms.
 * @param terms  the text's `searchTerms`, in order @param find  looks up a key that the filter lets through
 * @returns number of occurrences of each that was found, in order of appearance
 */
export function findConcepts<T>(
  terms: readonly string[],
  filter: ConceptFilter,
  find: (key: string) => T | undefined,
): ReadonlyMap<T, number> {
  const found = new Map<T, number>();
  const longestAt = (at: number): number => {
    for (const length of filter.lengthsAt(terms, at)) {
      const concept = find(terms.slice(at, at + length).join(' '));
      if (concept === undefined) continue;
      found.set(concept, (found.get(concept) ?? 0) + 1);
      return length;
    }
    return 1;
  };
  for (let at = 0; at < terms.length; at += longestAt(at));
  return found;
}
