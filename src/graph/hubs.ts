import type { Relation } from '../core/graph-model.js';

/** A node with more neighbours by one relation and direction is a hub. Walks reach it but do not continue there. */
export const HUB = 100;
/** Maximum rows read per seed and way; the best are used. */
export const MOST_OF_SEED = 20_000;
/** Rows that may lead to one neighbour by one relation: a page that links to another one does so a few times … */
export const LINKS_EACH = 10;
/** … and a section names a thing in its text, by the title of another one, or by its own. */
export const MENTIONS_EACH = 3;

/** A bounded way from one kind of node to another. */
export interface BoundedWay {
  /** More than one if a row's kind decides: links have two kinds, and mentions can be definitions. */
  readonly relations: readonly Relation[];
  /** Rows that may lead to one neighbour by one relation. */
  readonly rowsEach: number;
}

/** With this number of rows a node is certainly a hub, unless it is a seed. */
export const mostRowsOf = ({ rowsEach, relations }: BoundedWay): number =>
  HUB * rowsEach * relations.length + 1;

/** If everything is visible, a node with more pairs of neighbour and relation is skipped, unless it is a seed. */
export const mostPairsOf = ({ relations }: BoundedWay): number => HUB * relations.length;

/** Leaves out relations with too many neighbours. @param neighbours  each once, by one way */
export function withoutHubs<T extends { readonly relation: Relation }>(neighbours: readonly T[]): T[] {
  const counts = new Map<Relation, number>();
  for (const { relation } of neighbours) counts.set(relation, (counts.get(relation) ?? 0) + 1);
  return neighbours.filter(({ relation }) => (counts.get(relation) ?? 0) <= HUB);
}
