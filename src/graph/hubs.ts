import type { Relation } from '../core/graph-model.js';

/** What has more neighbours by one relation and direction says nothing of any of them, and is not walked through. */
export const HUB = 100;
/** Rows of a seed that are looked at by one way; the best of them count. */
export const MOST_OF_SEED = 20_000;
/** Rows that may lead to one neighbour by one relation: a page that links to another one does so a few times … */
export const LINKS_EACH = 10;
/** … and a section names a thing in its text, by the title of another one, or by its own. */
export const MENTIONS_EACH = 3;

/** How to get from one kind of node to another, as far as it is bounded. */
export interface BoundedWay {
  /** Several where each row tells: links are of two kinds, and mentions may define. */
  readonly relations: readonly Relation[];
  /** Rows that may lead to one neighbour by one relation. */
  readonly rowsEach: number;
}

/** With so many rows, what is no seed is not walked through that way, whatever the rows are. */
export const mostRowsOf = ({ rowsEach, relations }: BoundedWay): number =>
  HUB * rowsEach * relations.length + 1;

/** With more pairs of neighbour and relation than this, what is no seed is not even looked at, where all is visible. */
export const mostPairsOf = ({ relations }: BoundedWay): number => HUB * relations.length;

/** Leaves out the relations by which there are too many neighbours. @param neighbours  each once, by one way */
export function withoutHubs<T extends { readonly relation: Relation }>(neighbours: readonly T[]): T[] {
  const counts = new Map<Relation, number>();
  for (const { relation } of neighbours) counts.set(relation, (counts.get(relation) ?? 0) + 1);
  return neighbours.filter(({ relation }) => (counts.get(relation) ?? 0) <= HUB);
}
