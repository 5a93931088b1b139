import type { Rewrite } from '../../../core/ports/section-index.port.js';
import type { View } from '../writing/live-collection.js';
import { readPair } from '../points.js';
import type { Filter } from '../qdrant-connection.js';
import { matches } from './visible-points.js';

/** Long forms, of this acronym and of others that stand beside it. */
const MAX_LONG_FORMS = 1_000;

async function longFormOf(view: View, short: string, { must }: Filter): Promise<string | null> {
  const telling = { must: [...(Array.isArray(must) ? must : []), matches('acronym_shorts', short)] };
  const forms = await view.facet('acronyms', telling, MAX_LONG_FORMS);
  const own = forms.flatMap(({ value, count }) => {
    const [of, long] = readPair(value);
    return of === short ? [{ long, count }] : [];
  });
  own.sort((a, b) => b.count - a.count || (a.long < b.long ? -1 : 1));
  return own[0]?.long ?? null;
}

/**
 * The long form that most of the visible sections give an acronym, for each that has one.
 * @param known  short forms that any section of the index spells out
 */
export async function expandAcronyms(
  view: View,
  asked: readonly string[],
  filter: Filter,
  known: ReadonlySet<string>,
): Promise<Rewrite[]> {
  const told = asked.filter((short) => known.has(short));
  const forms = await Promise.all(told.map((short) => longFormOf(view, short, filter)));
  return told.flatMap((short, i) => {
    const long = forms[i] ?? null;
    return long === null ? [] : [{ from: short, to: long, why: 'acronym' as const }];
  });
}
