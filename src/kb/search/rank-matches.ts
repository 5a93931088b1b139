import type {
  AskedWords,
  Candidate,
  CollapseRules,
  SectionQuery,
  Subject,
} from '../../core/ports/section-index.port.js';
import { identifierFinder } from '../../text/terms/identifiers.js';
import { queryWords, searchTerms } from '../../text/terms/search-terms.js';
import type { Ranked } from './explain-hits.js';
import { type Definition, definitionFinder, versionFinder } from './find-definition.js';
import { isVersion } from './read-subject.js';
import { mayStandFor, Repetitions, standsFor } from './same-elsewhere.js';
import {
  COMPARED,
  compareHits,
  type Hit,
  type ScoredHit,
  scoreHits,
  type Scoring,
  type TitleMemo,
} from './score-hits.js';
import type { EndStage, Matches, SearchEngine } from './search-engine.js';

interface RankingRules<H extends Hit> {
  readonly query: SectionQuery;
  readonly scoring: Scoring;
  /** Known terms of titles. */
  readonly titles: TitleMemo;
  readonly collapse: CollapseRules;
  /** The version that stands for equal sections; undefined for the newest. */
  readonly current: string | undefined;
  readonly read: SearchEngine<H>['read'];
  readonly textsOf: SearchEngine<H>['textsOf'];
  readonly endStage: EndStage;
}

/** Ranked hits, the limit for one document, and the number of hits over it. */
export type RankedHits<H extends Hit> = Ranked<H> & {
  readonly perDocument: number;
  readonly sameDocument: number;
};

interface MergedHits<H extends Hit> {
  readonly hits: readonly H[];
  /** Number of first hits that are ranked by every signal. */
  readonly compared: number;
}

/**
 * Inserts the sections that vectors found between the head and the tail of the lexical ranking.
 * @param byWords  best BM25 first
 * @param byVector  nearest first, each with its BM25, which is 0 for a section with none of the words
 */
export function mergeRecalled<H extends Hit>(byWords: readonly H[], byVector: readonly H[]): MergedHits<H> {
  if (byVector.length === 0) return { hits: byWords, compared: COMPARED };
  const head = byWords.slice(0, COMPARED);
  const atHead = new Set(head.map(({ sectionId }) => sectionId));
  const added = byVector
    .filter(({ sectionId }) => !atHead.has(sectionId))
    .map((hit) => (hit.lexical === 0 ? { ...hit, recalled: true } : hit));
  const moved = new Set(added.map(({ sectionId }) => sectionId));
  const tail = byWords.slice(COMPARED).filter(({ sectionId }) => !moved.has(sectionId));
  return { hits: [...head, ...added, ...tail], compared: head.length + added.length };
}

/** Maximum number of items of one document in a list. */
export interface DocumentLimit {
  readonly perDocument: number;
  /** The limit is doubled until the list has this many items; 0, the default, keeps the limit. */
  readonly fillTo?: number;
}

/** Maximum number of sections in a ranked list: in all, and of one document. */
export interface RankLimits extends DocumentLimit {
  readonly sections: number;
}

/** The limits of a list. @param asked  sections of one document; null for the default, which rises to fill the list */
export function rankLimits(sections: number, asked: number | null, byDefault: number): RankLimits {
  if (asked !== null) return { sections, perDocument: asked };
  return { sections, perDocument: byDefault, fillTo: sections };
}

/** The first items of each document, in their order. */
function limitPerDocument<T>(items: readonly T[], most: number, documentOf: (item: T) => unknown): T[] {
  const taken = new Map<unknown, number>();
  return items.filter((item) => {
    const document = documentOf(item);
    const count = (taken.get(document) ?? 0) + 1;
    taken.set(document, count);
    return count <= most;
  });
}

/**
 * Limits the number of items per document. If few documents match, the limit is raised.
 * @param documentOf  names the document of an item
 * @param make  makes candidates from the remaining items; it may omit more
 * @returns the remaining items, the result of `make`, and the limit that was applied
 */
export function fillPerDocument<T, R extends { readonly candidates: readonly unknown[] }>(
  items: readonly T[],
  { perDocument, fillTo = 0 }: DocumentLimit,
  by: { readonly documentOf: (item: T) => unknown; readonly make: (left: readonly T[]) => R },
): { readonly left: readonly T[]; readonly made: R; readonly perDocument: number } {
  for (let most = perDocument; ; most *= 2) {
    const left = limitPerDocument(items, most, by.documentOf);
    const made = by.make(left);
    const isFull = made.candidates.length >= fillTo || left.length === items.length;
    if (isFull) return { left, made, perDocument: most };
  }
}

/** Finds the names of a look-up in the texts of hits; {} for other questions. */
function namesIn<H extends Hit>(
  hits: readonly H[],
  rules: RankingRules<H>,
): Pick<Scoring<H>, 'containment' | 'definition'> {
  const { identifier = null, subject = null } = rules.query.asked;
  if (identifier === null && !subject) return {};
  const texts = rules.textsOf(hits);
  const textOf = new Map(hits.map((hit, i) => [hit, texts[i] ?? '']));
  const find = identifier === null ? null : identifierFinder(identifier);
  return {
    ...(find && {
      containment: (hit: H, isPage: boolean) =>
        find([...(isPage ? [hit.documentTitle] : []), hit.title, textOf.get(hit)].join('\n')),
    }),
    ...(subject && { definition: findDefinitions(subject, textOf, rules) }),
  };
}

/** How a hit defines one of the names. The other names and words must be in the headings above it or its path. */
function findDefinitions<H extends Hit>(
  { names, beside }: Subject,
  textOf: ReadonlyMap<H, string>,
  { query: { asked }, read }: RankingRules<H>,
): (hit: H) => Definition {
  const isAbove = (hit: H, terms: readonly string[]): boolean => {
    if (terms.length === 0) return true;
    const { section, document } = read(hit);
    const above = new Set(searchTerms([document.title, ...section.headingPath, document.path].join('\n')));
    return terms.every((term) => above.has(term));
  };
  const finders = names.map((name) => {
    const others = names.filter((other) => other !== name).flatMap((other) => queryWords(other));
    const terms = [...others.map(({ term }) => term), ...beside];
    const find = isVersion(name) ? findVersion(name, asked, read) : findName(name, textOf);
    return (hit: H): Definition => {
      const found = find(hit);
      return found !== 'none' && isAbove(hit, terms) ? found : 'none';
    };
  });
  return (hit) => {
    const found = finders.map((find) => find(hit));
    return (['heading', 'term'] as const).find((one) => found.includes(one)) ?? 'none';
  };
}

function findName<H extends Hit>(name: string, textOf: ReadonlyMap<H, string>): (hit: H) => Definition {
  const find = definitionFinder(name);
  return (hit) => find(hit.title, textOf.get(hit) ?? '');
}

/** A version is defined by its release notes: a section below a heading that names it. */
function findVersion<H extends Hit>(
  version: string,
  { isAboutChanges = false }: AskedWords,
  read: RankingRules<H>['read'],
): (hit: H) => Definition {
  const isNamed = versionFinder(version);
  return (hit) => {
    if (!isAboutChanges || hit.kind === 'list') return 'none';
    if (isNamed(hit.title, hit.kind !== undefined)) return 'heading';
    const isBelow =
      hit.kind !== undefined && read(hit).section.headingPath.some((title) => isNamed(title, true));
    return isBelow ? 'term' : 'none';
  };
}

/** Scores matches and makes candidates of the best. @param isLast  the limit per document may rise to fill the list */
export function rankMatches<H extends Hit>(
  { byWords, byVector, cosinesOf }: Matches<H>,
  rules: RankingRules<H>,
  isLast: boolean,
): RankedHits<H> {
  const { query, titles, collapse, endStage } = rules;
  const { hits, compared } = mergeRecalled(byWords, byVector);
  const scoring = { ...rules.scoring, compared, titles, ...namesIn(hits, rules) };
  const cosines = compareHits(hits, scoring, cosinesOf);
  endStage('vector');
  const scored = scoreHits(hits, cosines, scoring);
  const limit = { perDocument: query.perDocument, fillTo: isLast ? (query.fillTo ?? 0) : 0 };
  const { left, made, perDocument } = fillPerDocument(scored, limit, {
    documentOf: ({ hit }) => hit.documentId,
    make: (spread) => readCandidates(spread, rules, new Repetitions(collapse, true)),
  });
  endStage('fusion');
  return { ...made, scored, perDocument, sameDocument: scored.length - left.length };
}

/**
 * Reads the best hits; of variants of one text, and of versions of one section, only the best. A newer version, or the
 * current one, takes the place of the best if it has nearly as many words of the question. Copies of a read text are not
 * read again, unless versions can be kept apart, which depends on their documents.
 */
function readCandidates<H extends Hit>(
  hits: readonly ScoredHit<H>[],
  { query, read, collapse, current }: RankingRules<H>,
  repetitions: Repetitions,
): Pick<Ranked<H>, 'candidates' | 'repeated'> {
  const candidates: Candidate[] = [];
  /** Positions in the list, by section and by copied text. */
  const repeated = new Map<string, number>();
  const places = new Map<string, number>();
  const copies = new Map<string | undefined, number>();
  const skipsCopies = !Object.values(collapse).includes(false);
  const choice = { question: query.text, current };
  for (const { hit, score, vector, shares } of hits) {
    const { lexical, recalled, copyKey, sectionId } = hit;
    const place = skipsCopies && copyKey !== undefined ? copies.get(copyKey) : undefined;
    const copied = candidates[place ?? -1];
    // Copies of the last candidate can follow.
    if (candidates.length >= query.limit && !copied) break;
    if (place !== undefined && copied && !mayStandFor(sectionId, copied, choice)) {
      repeated.set(sectionId, place);
      continue;
    }
    const only = recalled ? { recalled } : {};
    const candidate = { ...read(hit), score, lexical, vector, shares, ...only };
    const shown = copied ?? repetitions.shownFor(candidate);
    const at = places.get(shown?.section.id ?? '') ?? candidates.length;
    const last = candidates[at];
    places.set(sectionId, at);
    copies.set(copyKey, at);
    if (!last) candidates.push(candidate);
    else if (standsFor(candidate, last, choice) && answersLike(candidate, last)) {
      repeated.set(last.section.id, at);
      candidates[at] = { ...last, section: candidate.section, document: candidate.document };
    } else repeated.set(sectionId, at);
  }
  const idAt = (at: number): string => candidates[at]?.section.id ?? '';
  return { candidates, repeated: new Map(Array.from(repeated, ([id, at]) => [id, idAt(at)])) };
}

/** Share of the score by words that a newer version must have of the better one, which may be about something that is gone. */
const LIKE_FROM = 0.8;

const answersLike = (newer: Candidate, best: Candidate): boolean => newer.lexical >= best.lexical * LIKE_FROM;
