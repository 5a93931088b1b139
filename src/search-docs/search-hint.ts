import { clipText } from '../text/clip-text.js';
import type { Filters } from './read-filters.js';
import type { Suggestions, Values } from './suggest-filters.js';

/** What to do about a search that found nothing. */
export interface SearchHint {
  readonly message: string;
  /** Values by key that give results. */
  readonly suggested_filters: Values;
}

const MAX_QUERY = 120;

function inWords(filters: Filters): string {
  const named = Object.entries(filters).map(([key, value]) => `${key} '${value}'`);
  return named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}

/** Says what was searched for in vain, and what to try. */
export function searchHint(query: string, filters: Filters, { values, isAlone }: Suggestions): SearchHint {
  const shown = query.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ');
  const asked = `'${clipText(shown.trim(), MAX_QUERY)}'`;
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
