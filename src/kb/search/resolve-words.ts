import type { AskedWords, Rewrite } from '../../core/ports/section-index.port.js';
import { type QueryWord, searchTerms, wordFor } from '../../text/terms/search-terms.js';
import { isForm, isSlip, nearbyWords, similarTerms } from './nearest-term.js';
import type { Hit } from './score-hits.js';
import { ask, type Flow, type SearchEngine } from './search-engine.js';

const NUMERONYMS = {
  a11y: 'accessibility',
  c14n: 'canonicalization',
  g11n: 'globalization',
  i18n: 'internationalization',
  k8s: 'kubernetes',
  l10n: 'localization',
  o11y: 'observability',
  p13n: 'personalization',
} as const;
/** By term: the terms of the long form, in both spellings of English, or of the short one. */
const LONG_FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(NUMERONYMS).flatMap(([short, long]): [string, string[]][] => {
    const forms = [long, long.replace('ization', 'isation')].flatMap((word) => searchTerms(word));
    const shorts = searchTerms(short);
    return [
      ...shorts.map((term): [string, string[]] => [term, forms]),
      ...forms.map((form): [string, string[]] => [form, shorts]),
    ];
  }),
);

/** Stems of English plurals that are not regular: vertex, vertices; criterion, criteria; leaf, leaves. */
const IRREGULAR: readonly (readonly [RegExp, readonly string[]])[] = [
  [/[ei]x$/, ['ic']],
  [/ic$/, ['ex', 'ix']],
  [/(?:um|on)$/, ['a']],
  [/a$/, ['um', 'on']],
  // All are short: knife, leaf, scarf, thief, wolf; `interv` is the stem of interval.
  [/(?<=^.{2,4})f$/, ['v']],
  [/(?<=^.{2,4})v$/, ['f']],
];
const SHORTEST_IRREGULAR = 4;

export const isNumeronym = (term: string): boolean => LONG_FORMS.has(term);

/** Terms that stand for the same word: its irregular plural or singular, and the long or short form of a numeronym. */
export function sameWords(term: string): readonly string[] {
  const endings = IRREGULAR.find(([ending]) => ending.test(term) && term.length >= SHORTEST_IRREGULAR);
  const forms = endings ? endings[1].map((ending) => term.replace(endings[0], ending)) : [];
  return [...(LONG_FORMS.get(term) ?? []), ...forms];
}

interface TermLookup {
  /** True if a visible section contains the term. */
  readonly isHeld: (term: string) => boolean;
  /** The probable correction of a term; null if there is none. */
  readonly nearestTo: (term: string) => string | null;
  /** A term that is probably the same word with another ending, such as its plural. Null if the index has none. */
  readonly inflectionOf: (term: string, isForeign: boolean) => string | null;
  /** The only term that begins with a term; null if there are several. */
  readonly completionOf: (term: string) => string | null;
  /** The terms that the manifest names for a term. */
  readonly findSynonyms: (term: string) => readonly string[];
}

/** The terms to look for. */
export interface ResolvedWords {
  /** Distinct. */
  readonly terms: readonly string[];
  readonly rewrites: readonly Rewrite[];
  /** True if other spellings were left out: parts of identifiers that the index contains, and joined words. */
  readonly leftOut: boolean;
}

/** A part of a path that says something alone: no number of a version, no single letter. */
const NAME = /\p{L}.*\p{L}/u;
const NUMBER = /^\p{N}+$/u;

/** The parts to look for. The number of a name that no section contains says nothing alone: the 3 of `word3`. */
function partsToFind(parts: readonly QueryWord[], isHeld: TermLookup['isHeld']): readonly QueryWord[] {
  const names = parts.filter(({ term }) => NAME.test(term));
  const isNamed = names.length === 0 || names.some((name) => name.parts.length > 0 || isHeld(name.term));
  return isNamed ? parts : parts.filter(({ term }) => !NUMBER.test(term));
}

/** The term of the index that stands for a word that no section contains; null if none is nearly certain. */
function findRewrite(from: string, asked: AskedWords, lookup: TermLookup): Rewrite | null {
  const { isForeign = false, isOneWord = false } = asked;
  const inflected = (): string | null => lookup.inflectionOf(from, isForeign);
  // Within an English question, another word with the same start would hide that nothing was found.
  const ways: readonly (readonly [Rewrite['why'], () => string | null | undefined])[] = [
    ['inflected', () => sameWords(from).find(lookup.isHeld)],
    ['inflected', () => (isForeign ? inflected() : null)],
    ['misspelt', () => lookup.nearestTo(from)],
    ['inflected', () => (isOneWord && !isForeign ? inflected() : null)],
    ['prefix', () => (isOneWord ? lookup.completionOf(from) : null)],
  ];
  for (const [why, find] of ways) {
    const to = find() ?? null;
    if (to !== null) return { from, to, why };
  }
  return null;
}

/**
 * Turns words into terms of the index. An identifier that no section contains becomes its parts, and the parts of a
 * path are always added. A misspelt word that no section contains becomes its correction.
 * @param withAll  true to add all spellings, for when the others find too little
 */
export function resolveWords(asked: AskedWords, lookup: TermLookup, withAll: boolean): ResolvedWords {
  const terms = new Set<string>();
  const rewrites: Rewrite[] = [];
  let leftOut = false;
  const correctable = new Set(asked.correctable);
  const add = ({ term, parts, isPath = false }: QueryWord): void => {
    const isKnown = lookup.isHeld(term);
    const synonyms = asked.takesSynonyms && !isKnown ? lookup.findSynonyms(term).filter(lookup.isHeld) : [];
    if (synonyms.length > 0) {
      for (const to of synonyms) {
        rewrites.push({ from: term, to, why: 'synonym' });
        terms.add(to);
      }
      return;
    }
    const isUnknown = !isKnown && parts.length === 0 && correctable.has(term);
    const rewrite = isUnknown ? findRewrite(term, asked, lookup) : null;
    if (rewrite) rewrites.push(rewrite);
    if (isKnown && parts.length > 0 && !withAll) leftOut = true;
    if (!isKnown || withAll) partsToFind(parts, lookup.isHeld).forEach(add);
    else if (isPath) parts.filter(({ term: part }) => NAME.test(part)).forEach(add);
    terms.add(rewrite?.to ?? term);
  };
  asked.words.forEach(add);
  for (const [term, other] of asked.spellings ?? []) {
    if (!lookup.isHeld(other)) continue;
    if (!lookup.isHeld(term)) terms.delete(term);
    terms.add(other);
  }
  for (const term of (asked.joined ?? []).filter(lookup.isHeld)) {
    if (withAll) terms.add(term);
    else leftOut = true;
  }
  return { terms: [...terms], rewrites, leftOut };
}

const MAX_NEAR = 3;
/** Shorter terms have too many similar words. */
const NAMEABLE = /^\p{L}{4,}$/u;

/** A term as a visible section writes it; null if none writes it as one word. */
function* writtenForm<H extends Hit>(term: string, engine: SearchEngine<H>): Flow<string | null> {
  const sought = { terms: [{ term, weight: 1, times: 1 }], phrases: [], vector: null, recalls: 0 };
  const { byWords } = yield* ask(() => engine.matcher(sought, () => undefined)(1));
  const [hit] = byWords;
  if (!hit) return null;
  const { section } = engine.read(hit);
  return wordFor(`${section.headingPath.join('\n')}\n${section.text}`, term) ?? null;
}

/**
 * Words of visible sections that look like terms of a question which no section contains.
 * @param isWhole  true if no section contains any term of the question; else only slips of the pen are looked for
 * @returns at most three, the nearest first; of several terms, the nearest of each
 */
export function* nearWords<H extends Hit>(
  terms: readonly string[],
  isWhole: boolean,
  engine: SearchEngine<H>,
): Flow<readonly string[]> {
  const named = terms.filter((term) => NAMEABLE.test(term)).slice(0, MAX_NEAR);
  const words = new Set<string>();
  for (const term of named) {
    const similar = similarTerms(term, engine.termsNear(nearbyWords(term)));
    const isHeld = (candidate: string): boolean => engine.frequencyOf(candidate) > 0;
    // Most words that no section contains are right: beside found words, only slips are offered, and none for a form.
    const offered = isWhole ? similar : similar.filter((near) => isSlip(term, near));
    if (offered.length === 0) continue;
    const forms = isWhole ? [] : similar.filter((near) => isForm(term, near));
    [...offered, ...forms].forEach(isHeld);
    // An engine that did not know them yet looks them up now.
    yield* ask(() => engine.lookUpTerms());
    if (forms.some(isHeld)) continue;
    const most = isWhole && named.length === 1 ? MAX_NEAR : 1;
    for (const candidate of offered.filter(isHeld).slice(0, most)) {
      const word = yield* writtenForm(candidate, engine);
      if (word !== null) words.add(word);
    }
  }
  return [...words];
}
