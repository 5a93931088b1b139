import { clipText } from '../text/clip-text.js';
import type { Filters } from './read-filters.js';
import type { Suggestions } from './suggest-filters.js';

const MAX_QUERY = 120;

function inWords(filters: Filters): string {
  const named = Object.entries(filters).map(([key, value]) => `${key} '${value}'`);
  return named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}

/** The advice after a search without results: what was searched, and which filters give results. */
export function searchHint(query: string, filters: Filters, { values, isAlone }: Suggestions) {
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
