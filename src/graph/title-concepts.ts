import { isStopTerm } from '../text/terms/languages.js';
import { searchTerms, type StemMemo } from '../text/terms/search-terms.js';

/** A trie of concepts, with one term per level. */
export interface ConceptTrie {
  /** Key of the concept that ends with this term; null if no concept ends here. */
  readonly key: string | null;
  readonly next: ReadonlyMap<string, ConceptTrie>;
}

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

interface GrowingTrie extends ConceptTrie {
  key: string | null;
  readonly next: Map<string, GrowingTrie>;
}

const emptyTrie = (): GrowingTrie => ({ key: null, next: new Map() });

/** Builds a trie that finds all concepts in one pass over a text. @param keys  the terms of each concept, joined by spaces */
export function conceptTrie(keys: Iterable<string>): ConceptTrie {
  const root = emptyTrie();
  for (const key of keys) {
    let node = root;
    for (const term of key.split(' ')) {
      const next = node.next.get(term) ?? emptyTrie();
      node.next.set(term, next);
      node = next;
    }
    node.key = key;
  }
  return root;
}

interface Match {
  readonly key: string;
  readonly length: number;
}

function longestAt(terms: readonly string[], start: number, trie: ConceptTrie): Match | null {
  let longest: Match | null = null;
  let node: ConceptTrie | undefined = trie;
  for (let at = start; node && at < terms.length; at++) {
    node = node.next.get(terms[at] ?? '');
    if (node && node.key !== null) longest = { key: node.key, length: at + 1 - start };
  }
  return longest;
}

/**
 * Finds the concepts in a text: at each word the longest one, without overlaps. Takes linear time, because a title has
 * at most `MAX_CONCEPT_TERMS` terms.
 * @param terms  the text's `searchTerms`, in order
 * @returns number of occurrences by key, in order of appearance
 */
export function findConcepts(terms: readonly string[], trie: ConceptTrie): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  let at = 0;
  while (at < terms.length) {
    const match = longestAt(terms, at, trie);
    if (match) found.set(match.key, (found.get(match.key) ?? 0) + 1);
    at += match?.length ?? 1;
  }
  return found;
}
