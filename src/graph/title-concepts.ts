import { searchTerms, type StemMemo } from '../text/terms/search-terms.js';
import { isStopTerm } from '../text/terms/stop-words.js';

/** A title or heading, and the text it belongs to. */
export interface OwnedTitle {
  readonly title: string;
  /** Path of the document. */
  readonly document: string;
  /** Id of the section right below the heading; null for the document's own title. */
  readonly section: string | null;
}

/** A title that other documents can refer to. */
export interface TitleConcept {
  /** Its search terms, joined by a space. */
  readonly key: string;
  /** Paths of the documents with this title; sorted. */
  readonly documents: readonly string[];
  /** Ids of the sections with this heading; sorted. */
  readonly sections: readonly string[];
  /** Paths of the documents that have it as title or heading, from 1 to `MAX_HOMES`; sorted. */
  readonly homes: readonly string[];
}

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

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort(byCodeUnits);

function toConcept(key: string, named: readonly OwnedTitle[]): TitleConcept {
  const titles = named.filter(({ section }) => section === null);
  return {
    key,
    documents: distinct(titles.map(({ document }) => document)),
    sections: distinct(named.flatMap(({ section }) => section ?? [])),
    homes: distinct(named.map(({ document }) => document)),
  };
}

function groupByKey(titles: readonly OwnedTitle[]): ReadonlyMap<string, readonly OwnedTitle[]> {
  const byKey = new Map<string, OwnedTitle[]>();
  const memo: StemMemo = new Map();
  for (const owned of titles) {
    for (const name of namesOf(owned.title)) {
      const terms = searchTerms(name, memo);
      if (!isTelling(terms)) continue;
      const key = terms.join(' ');
      const known = byKey.get(key);
      if (known) known.push(owned);
      else byKey.set(key, [owned]);
    }
  }
  return byKey;
}

/**
 * Chooses the titles and headings that texts can link to by naming them. The choice does not depend on the order of the
 * titles, so an index built in several runs equals one built from scratch.
 * @param titles  of all documents
 * @param frequencyOf  number of sections in the index that contain a term
 * @returns by key, keys in code unit order
 */
export function chooseConcepts(
  titles: readonly OwnedTitle[],
  frequencyOf: (term: string) => number,
): ReadonlyMap<string, TitleConcept> {
  const concepts = [...groupByKey(titles)].map(([key, named]) => toConcept(key, named));
  // Frequencies are checked last: they are the most expensive lookup, and few titles are left by then.
  const rare = concepts.filter(
    ({ key, homes }) =>
      homes.length <= MAX_HOMES && (key.includes(' ') || frequencyOf(key) <= MAX_SINGLE_TERM_SECTIONS),
  );
  return new Map(rare.sort((a, b) => byCodeUnits(a.key, b.key)).map((concept) => [concept.key, concept]));
}

/** The differences between the new concepts of an index and the stored ones. */
export interface ConceptChanges {
  /** Keys of removed concepts. */
  readonly gone: readonly string[];
  /** New concepts, and concepts whose number of homes has changed. */
  readonly written: readonly TitleConcept[];
  /** Added and removed keys: sections that contain one must be read again. */
  readonly changed: ReadonlySet<string>;
}

/** Compares stored and new concepts. @param known  stored number of homes by key */
export function compareConcepts(
  known: ReadonlyMap<string, number>,
  current: ReadonlyMap<string, TitleConcept>,
): ConceptChanges {
  const gone = [...known.keys()].filter((key) => !current.has(key));
  const came = [...current.keys()].filter((key) => !known.has(key));
  const written = [...current.values()].filter(({ key, homes }) => known.get(key) !== homes.length);
  return { gone, written, changed: new Set([...gone, ...came]) };
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
