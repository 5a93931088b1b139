import type { TaxonomyKey } from '../core/corpus-facts.js';
import { clipText } from '../text/span.js';
import type { Filters } from './read-filters.js';

/** Runs the query with these filters. @returns the taxonomy values of at most `most` documents that it finds */
export type Probe = (filters: Filters, most: number) => Promise<readonly Filters[]>;

/** Values by key. */
export type Values = Readonly<Record<string, string[]>>;

/** Filter values that would give results. */
export interface Suggestions {
  readonly values: Values;
  /** True if they give results only without the other filters. */
  readonly isAlone: boolean;
}

/** Number of documents to collect values from. */
const WIDE = 50;
/** Maximum suggested values per key. */
const MAX_VALUES = 5;
/** Characters of the query in a hint. */
const SHOWN_QUERY = 120;
/** Maximum searches for one hint. */
const MAX_PROBES = 12;

interface Asked {
  readonly filters: Filters;
  readonly taxonomy: readonly TaxonomyKey[];
}

const byCodePoint = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function without(filters: Filters, key: string): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => name !== key));
}

/** Limits the number of searches; beyond the limit, nothing is found. */
function bounded(probe: Probe): Probe {
  let left = MAX_PROBES;
  return (filters, most) => (left-- > 0 ? probe(filters, most) : Promise.resolve([]));
}

/** The values of a key that give results together with these filters; each was tried. */
async function workingValues(
  key: string,
  { filters: others, taxonomy }: Asked,
  { probe, isTried }: { readonly probe: Probe; readonly isTried: (value: string) => boolean },
): Promise<string[]> {
  const found = await probe(others, WIDE);
  if (found.length === 0) return [];
  const seen = found.flatMap((values) => values[key] ?? []);
  // A section in several versions is found in one of them, so values that were not seen can give results too.
  const all = taxonomy.find((each) => each.key === key)?.values ?? [];
  const candidates = [...new Set([...seen, ...all])].filter((value) => !isTried(value));
  const working: string[] = [];
  for (const value of candidates.slice(0, MAX_VALUES)) {
    if ((await probe({ ...others, [key]: value }, 1)).length > 0) working.push(value);
  }
  return working.sort(byCodePoint);
}

/**
 * Suggests filter values for a query without results: for each filter, the values that give results with the other
 * filters unchanged. If there are none, the values that give results without the other filters.
 */
export async function suggestFilters({ filters, taxonomy }: Asked, search: Probe): Promise<Suggestions> {
  const probe = bounded(search);
  const keys = Object.keys(filters).sort(byCodePoint);
  const suggest = async (isAlone: boolean): Promise<Suggestions> => {
    const found: [string, string[]][] = [];
    for (const key of keys) {
      const asked = { filters: isAlone ? {} : without(filters, key), taxonomy };
      const isTried = (value: string): boolean => !isAlone && value === filters[key];
      const working = await workingValues(key, asked, { probe, isTried });
      if (working.length > 0) found.push([key, working]);
    }
    return { values: Object.fromEntries(found), isAlone };
  };
  const together = await suggest(false);
  return Object.keys(together.values).length > 0 || keys.length < 2 ? together : suggest(true);
}

function inWords(filters: Filters): string {
  const named = Object.entries(filters).map(([key, value]) => `${key} '${value}'`);
  return named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}

/** The advice after a search without results: what was searched, and which filters give results. */
export function searchHint(query: string, filters: Filters, { values, isAlone }: Suggestions) {
  const shown = query.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ');
  const asked = `'${clipText(shown.trim(), SHOWN_QUERY)}'`;
  const keys = Object.keys(values);
  if (Object.keys(filters).length === 0) {
    const message = `0 results found. No matches for ${asked} in the corpus; try other words.`;
    return { message, suggested_filters: {} };
  }
  const others = isAlone ? ' alone, without the other filters' : '';
  const next =
    keys.length > 0
      ? `${asked} has results with the suggested values of ${keys.join(' or ')}${others}.`
      : `No matches for ${asked} with other values either; drop the filters or try other words.`;
  return { message: `0 results found for ${inWords(filters)}. ${next}`, suggested_filters: values };
}
