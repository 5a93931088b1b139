import { listsName } from '../../../core/document-groups.js';
import { NO_FILTER, type SectionFilter } from '../../../core/ports/section-index.port.js';
import type { SeenScope } from '../../../core/scope.js';
import type { View } from '../live-collection.js';
import { pointId } from '../names.js';
import { pairWord } from '../points.js';
import type { Filter, QdrantCondition } from '../qdrant-connection.js';

/** A condition that no point satisfies. */
export const NOTHING: QdrantCondition = { has_id: [] };
/** Number of values in one condition. */
export const MAX_VALUES = 10_000;
/** Half of a surrogate pair: no document contains one, and Qdrant rejects it in JSON. */
const HALF = /\p{Surrogate}/u;

/** True if a text can be sent to Qdrant. */
export function isSendable(text: string): boolean {
  return !HALF.test(text);
}

/** Matches points that have this value for a key. */
export function matches(key: string, value: string): QdrantCondition {
  return isSendable(value) ? { key, match: { value } } : NOTHING;
}

/** Matches points that have any of these values; no point for an empty list. */
export function matchesAny(key: string, values: readonly string[]): QdrantCondition {
  const sendable = values.filter(isSendable);
  return sendable.length > 0 ? { key, match: { any: sendable } } : NOTHING;
}

function withinLists(scope: SeenScope, filter: SectionFilter): QdrantCondition[] {
  const lists: readonly (readonly [string, readonly string[] | null | undefined])[] = [
    ['doc_tag', scope.docTags],
    ['repository', scope.repositories],
    ['doc_tag', filter.docTags],
    ['path', filter.paths],
  ];
  return lists.flatMap(([key, values]) => (values ? [matchesAny(key, values)] : []));
}

/** Splits a path prefix after its last slash. */
export function splitPrefix(prefix: string): { readonly folder: string; readonly rest: string } {
  const end = prefix.lastIndexOf('/') + 1;
  return { folder: prefix.slice(0, end), rest: prefix.slice(end) };
}

/** Splits the values into conditions of at most `MAX_VALUES`. */
function inConditions(key: string, values: readonly string[]): QdrantCondition[] {
  const count = Math.max(1, Math.ceil(values.length / MAX_VALUES));
  return Array.from({ length: count }, (_, i) =>
    matchesAny(key, values.slice(i * MAX_VALUES, (i + 1) * MAX_VALUES)),
  );
}

/** Matches the given paths that have this prefix: whole folders where possible, and single documents. */
export function underPrefix(prefix: string, paths: readonly string[]): QdrantCondition {
  const found = paths.filter((path) => path.startsWith(prefix));
  const slashes = found.map((path) => path.indexOf('/', prefix.length) + 1);
  const folders = new Set(found.flatMap((path, i) => (slashes[i] ? [path.slice(0, slashes[i])] : [])));
  const documents = found.filter((_, i) => !slashes[i]);
  return { should: [...inConditions('folders', [...folders]), ...inConditions('path', documents)] };
}

/** The conditions of scope and filter, except for the path prefix, which may need a request. */
export function visibleConditions(scope: SeenScope, filter: SectionFilter = NO_FILTER): QdrantCondition[] {
  const { sectionIds, metadata = {}, updatedAfter } = filter;
  return [
    ...withinLists(scope, filter),
    ...(scope.seenLists ? [{ should: inConditions('allow', scope.seenLists.map(listsName)) }] : []),
    ...(sectionIds ? [{ has_id: sectionIds.map((id) => pointId('section', id)) }] : []),
    ...Object.entries(metadata).map(([key, value]) => matches('facets', pairWord(key, value))),
    ...(updatedAfter ? [{ key: 'updated_at', range: { gte: updatedAfter } }] : []),
  ];
}

/** Matches points of a kind that satisfy all conditions. */
export function pointsOf(kind: string | readonly string[], conditions: readonly QdrantCondition[]): Filter {
  const ofKind = typeof kind === 'string' ? matches('kind', kind) : matchesAny('kind', kind);
  return { must: [ofKind, ...conditions] };
}

/** Folders are keywords, so a prefix that ends with a slash needs no request; others are looked up among the paths. */
async function prefixCondition(
  view: View,
  prefix: string,
  others: readonly QdrantCondition[],
): Promise<QdrantCondition> {
  if (!isSendable(prefix)) return NOTHING;
  const { folder, rest } = splitPrefix(prefix);
  if (rest === '') return matches('folders', folder);
  const within = [...others, ...(folder === '' ? [] : [matches('folders', folder)])];
  return underPrefix(prefix, await view.values('path', pointsOf('document', within)));
}

/** The filter for the sections that a question may see. */
export async function visibleSections(view: View, scope: SeenScope, filter: SectionFilter): Promise<Filter> {
  const conditions = visibleConditions(scope, filter);
  const { pathPrefix, ...others } = filter;
  if (!pathPrefix) return pointsOf('section', conditions);
  // Document points have no section id, so that filter is left out.
  const ofDocuments = visibleConditions(scope, { ...others, pathPrefix, sectionIds: undefined });
  return pointsOf('section', [...conditions, await prefixCondition(view, pathPrefix, ofDocuments)]);
}
