import type { Relation } from '../core/graph-model.js';

/** A node with more neighbours by one relation and direction is a hub. Walks reach it but do not continue there. */
export const HUB = 100;
/** Maximum rows read per seed and way; the best are used. */
export const MAX_OF_SEED = 20_000;
/** Assumed maximum of links from one page to another. */
export const LINKS_EACH = 10;
/** Maximum mention rows of a section for one entity: by name, by the title of another section, as its own title. */
export const MENTIONS_EACH = 3;

/** A way from one kind of node to another, with a bound for the rows to read. */
export interface BoundedWay {
  /** Two relations if rows can differ in relation: links have two kinds, and a mention can be a definition. */
  readonly relations: readonly Relation[];
  /** Assumed maximum of rows that lead to one neighbour by one relation. */
  readonly rowsEach: number;
}

/** A node with this number of rows is certainly a hub; walks do not continue there unless it is a seed. */
export const mostRowsOf = ({ rowsEach, relations }: BoundedWay): number =>
  HUB * rowsEach * relations.length + 1;

/** A node with more (neighbour, relation) pairs than this is a hub. Used only without a scope. */
export const mostPairsOf = ({ relations }: BoundedWay): number => HUB * relations.length;

/** Removes the neighbours by relations with too many of them. @param neighbours  each once, by one way */
export function withoutHubs<T extends { readonly relation: Relation }>(neighbours: readonly T[]): T[] {
  const counts = new Map<Relation, number>();
  for (const { relation } of neighbours) counts.set(relation, (counts.get(relation) ?? 0) + 1);
  return neighbours.filter(({ relation }) => (counts.get(relation) ?? 0) <= HUB);
}
