import type { Bridge } from '../core/ports/graph-store.port.js';

/** A section of a ranked list. */
export interface RankedSection {
  readonly id: string;
  /** 0 or more; comparable within the list. */
  readonly score: number;
  /** The question's terms that occur in its title, headings, file name or body. */
  readonly held: ReadonlySet<string>;
}

/** A section with its score after expansion. */
interface ExpandedSection {
  readonly id: string;
  /** The sort key: the original score or a higher one. */
  readonly score: number;
  /** The section that lifted it; null if the graph added nothing. */
  readonly liftedBy: string | null;
}

/** Number of top sections that lift others. 5 costs .01 of HotpotQA's recall@2, 3 costs .02. */
export const SEEDS = 10;
/** The share of a seed's score that can be added: useful from .25 to 1; 1 adds .01 to HotpotQA and costs one answer. */
const LIFT_SHARE = 0.5;
/**
 * Share of the question's weight that two sections must contain together. .7 to .8 give the same figures; .9 costs .015
 * of HotpotQA's recall@2. Below .75, questions that use other words than the documents lose pages.
 */
const LEAST_TOGETHER = 0.8;
/** Shares that differ by less are equal. */
const TINY = 1e-9;
/** The smallest difference of two scores. */
const STEP = 1e-4;

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

/** The weight of some terms as a share of the whole question. */
type Mass = (holds: (term: string) => boolean) => number;

function massOf(weights: ReadonlyMap<string, number>): Mass {
  const entries = [...weights];
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0) || 1;
  return (holds) => entries.reduce((sum, [term, weight]) => (holds(term) ? sum + weight : sum), 0) / total;
}

/** Share of the question's weight missing in `seed` that `other` adds; 0 if both together contain too little. */
function fill(seed: RankedSection, other: RankedSection, mass: Mass): number {
  const known = mass((term) => seed.held.has(term));
  const added = mass((term) => other.held.has(term) && !seed.held.has(term));
  if (1 - known <= TINY || known + added < LEAST_TOGETHER - TINY) return 0;
  return added / (1 - known);
}

function neighboursById(bridges: readonly Bridge[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byId = new Map<string, Set<string>>();
  const link = (from: string, to: string): void => {
    if (from !== to) byId.set(from, (byId.get(from) ?? new Set()).add(to));
  };
  for (const { source, target } of bridges) {
    link(source, target);
    link(target, source);
  }
  return byId;
}

interface Gain {
  readonly gain: number;
  readonly seed: string;
}

/** The score that the graph adds to each section: the maximum over all seeds. */
function gainsOf(
  ranked: readonly RankedSection[],
  mass: Mass,
  bridges: readonly Bridge[],
): ReadonlyMap<string, Gain> {
  const byId = new Map(ranked.map((section) => [section.id, section]));
  const neighbours = neighboursById(bridges);
  const gains = new Map<string, Gain>();
  for (const seed of ranked.slice(0, SEEDS)) {
    for (const id of neighbours.get(seed.id) ?? []) {
      const other = byId.get(id);
      if (!other) continue;
      const gain = LIFT_SHARE * seed.score * fill(seed, other, mass);
      if (gain > (gains.get(id)?.gain ?? 0)) gains.set(id, { gain, seed: seed.id });
    }
  }
  return gains;
}

/**
 * Raises the score of sections that complete a better ranked section. A question with two hops is answered by two
 * sections: one often names the other, and only both together contain the words of the question.
 *
 *   question  a b c d       seed contains a b; section contains c d and is linked with the seed
 *   score'(section) = score(section) + .5 · score(seed) · (share of c d that the section contains)
 *
 * The first section stays first, because a section that completes it is not better. No score is lowered and no section
 * is added or lost. If no two linked sections contain nearly all of the question,
 * nothing changes. HotpotQA recall@2 .698 → .778, @5 .854 → .911; documentation, SciFact and Cranfield lose nothing.
 * If any two sections count as linked, SciFact and Cranfield lose .02 and .04 nDCG@10; with random links all lose.
 * @param ranked  best first, ties by id; ids unique
 * @param weights  weight of each term of the question, 0 or more; from inverse document frequency
 * @param bridges  between these sections, in both directions; others are ignored
 * @returns every section once, best first, ties by id
 */
export function expandRanking(
  ranked: readonly RankedSection[],
  weights: ReadonlyMap<string, number>,
  bridges: readonly Bridge[],
): ExpandedSection[] {
  const gains = gainsOf(ranked, massOf(weights), bridges);
  const liftedScore = ({ id, score }: RankedSection): number => round(score + (gains.get(id)?.gain ?? 0));
  const [first] = ranked;
  const most = first ? Math.max(first.score, liftedScore(first)) - STEP : 0;
  const expanded = ranked.map((section): ExpandedSection => {
    const { id, score } = section;
    const lifted = section === first ? liftedScore(section) : Math.min(most, liftedScore(section));
    return { id, score: Math.max(score, lifted), liftedBy: gains.get(id)?.seed ?? null };
  });
  return expanded.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
