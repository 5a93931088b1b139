import type { CorpusFacts } from '../core/corpus-facts.js';
import { nearestIds } from '../scope/nearest-ids.js';
import { clipText } from '../text/span.js';
import { filterKeys, OWN_FIELDS } from './listed-search.js';
import { unexpectedField, wrongArgument } from './refuse-arguments.js';

/** Taxonomy values that documents must have, by key. */
export type Filters = Readonly<Record<string, string>>;

/** Maximum number of values per key that the index lists. */
const MAX_NAMED = 512;
const MAX_VALUE = 80;
/** Maximum length of the list of allowed values in an error (characters). */
const MAX_ALLOWED = 300;

/** The values that fit into an error, and the number of omitted ones. If not all fit, the one nearest to `wrong` is first. */
function nameValues(values: readonly string[], wrong: string): string {
  const isLong = values.join(', ').length > MAX_ALLOWED;
  const nearest = isLong ? nearestIds(wrong, values, 1) : [];
  let room = MAX_ALLOWED;
  const named = [...new Set([...nearest, ...values])].filter((value) => (room -= value.length + 2) >= 0);
  const rest = values.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` … and ${rest} more` : ''}`;
}

/** Reads taxonomy fields. @throws InvalidArgumentError for unknown keys, and for values that no visible document has */
export function readFilters(fields: Readonly<Record<string, unknown>>, corpus: CorpusFacts): Filters {
  const keys = filterKeys(corpus);
  const filters: [string, string][] = [];
  for (const [name, value] of Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (value === undefined) continue;
    const known = keys.find(({ key }) => key === name);
    if (!known) throw unexpectedField(name, [...OWN_FIELDS, ...keys.map(({ key }) => key)]);
    // If the index lists only some of the values, any value might exist.
    const mayBe = known.values.length >= MAX_NAMED || known.values.some((each) => each === value);
    if (typeof value !== 'string' || !mayBe) {
      const told = clipText(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE);
      throw wrongArgument(`Invalid taxonomy value for '${name}': '${told}'.`, {
        reason: 'invalid_taxonomy_value',
        hint: `Allowed values: ${nameValues(known.values, told)}`,
      });
    }
    filters.push([name, value]);
  }
  return Object.fromEntries(filters);
}
