/** How much of two texts is equal, in UTF-16 units. */
export interface CommonEnds {
  readonly start: number;
  /** Counted from the ends; it does not overlap the start. */
  readonly end: number;
}

function equalCount(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((character, i) => character !== b[i]);
  return different < 0 ? a.length : different;
}

const unitsOf = (characters: readonly string[]): number => characters.join('').length;

/** The equal parts of two texts before and after what differs, in whole characters. */
export function commonEnds(a: string, b: string): CommonEnds {
  const [one, two] = [[...a], [...b]];
  const start = equalCount(one, two);
  const [restOfOne, restOfTwo] = [one.slice(start).reverse(), two.slice(start).reverse()];
  const end = equalCount(restOfOne, restOfTwo);
  return { start: unitsOf(one.slice(0, start)), end: unitsOf(restOfOne.slice(0, end)) };
}
