import type { SectionFilter } from '../../../core/ports/section-index.port.js';
import type { Scope } from '../../../core/scope.js';
import { MAX_FACETS, type View } from '../live-collection.js';
import type { Filter, QdrantCondition } from '../qdrant-connection.js';
import {
  isSendable,
  matches,
  NOTHING,
  pointsOf,
  splitPrefix,
  underPrefix,
  visibleConditions,
} from './visible-points.js';

/** A folder is a value of its own; what a name starts with is looked up among the paths of its folder. */
async function prefixCondition(
  view: View,
  prefix: string,
  others: readonly QdrantCondition[],
): Promise<QdrantCondition> {
  if (!isSendable(prefix)) return NOTHING;
  const { folder, rest } = splitPrefix(prefix);
  if (rest === '') return matches('folders', folder);
  const within = [...others, ...(folder === '' ? [] : [matches('folders', folder)])];
  const paths = await view.facet('path', pointsOf('document', within), MAX_FACETS);
  return underPrefix(
    prefix,
    paths.map(({ value }) => value),
  );
}

/** Which sections a question may see. */
export async function visibleSections(view: View, scope: Scope, filter: SectionFilter): Promise<Filter> {
  const conditions = visibleConditions(scope, filter);
  const { pathPrefix, ...others } = filter;
  if (!pathPrefix) return pointsOf('section', conditions);
  // Documents are no sections, so that these can't be looked for among them.
  const ofDocuments = visibleConditions(scope, { ...others, pathPrefix, sectionIds: undefined });
  return pointsOf('section', [...conditions, await prefixCondition(view, pathPrefix, ofDocuments)]);
}
