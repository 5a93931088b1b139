import type { CorpusFacts } from '../../core/corpus-facts.js';
import { type FacetCount, type IndexFacts, NO_FILTER } from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';
import { shapeTaxonomy } from '../../kb/shape-taxonomy.js';
import type { KnownGeneration } from './known-generation.js';
import { byCodePoint, MAX_FACETS, type View } from './live-collection.js';
import { readPair } from './points.js';
import { matchesAny, pointsOf, visibleConditions } from './search/visible-points.js';

/** Documents with and without text. */
export const DOCUMENTS = ['document', 'empty'] as const;

async function countBy(view: View, scope: Scope, key: string, limit: number): Promise<FacetCount[]> {
  const conditions = visibleConditions(scope, NO_FILTER);
  const sections = await view.facet(key, pointsOf('section', conditions), limit);
  if (sections.length === 0) return [];
  const ofThese = matchesAny(
    key,
    sections.map(({ value }) => value),
  );
  const found = await view.facet(key, pointsOf('document', [...conditions, ofThese]), sections.length);
  const documents = new Map(found.map(({ value, count }) => [value, count]));
  return sections.map(({ value, count }) => ({
    value,
    documents: documents.get(value) ?? 0,
    sections: count,
  }));
}

/** Counts the content of a scope. */
export async function readFacts(view: View, scope: Scope, facetLimit: number): Promise<IndexFacts> {
  const { generation, projectId, environment, indexedAt, bytes } = await view.stampFor(scope);
  const conditions = visibleConditions(scope, NO_FILTER);
  const [documents, sections, docTags, repositories, titles] = await Promise.all([
    view.count(pointsOf('document', conditions)),
    view.count(pointsOf('section', conditions)),
    countBy(view, scope, 'doc_tag', facetLimit),
    countBy(view, scope, 'repository', facetLimit),
    view.facet('document_title', pointsOf('section', conditions), facetLimit),
  ]);
  const stamp = { generation, projectId, environment, indexedAt };
  return {
    ...stamp,
    documents,
    sections,
    bytes,
    docTags,
    repositories,
    titles: titles.map(({ value }) => value),
  };
}

/** The values of each metadata key of visible documents. Beyond 100,000 pairs in all, the rarest are missing. */
async function valuesByKey(view: View, scope: Scope): Promise<Map<string, string[]>> {
  const visible = pointsOf(DOCUMENTS, visibleConditions(scope, NO_FILTER));
  const pairs = await view.facet('facets', visible, MAX_FACETS);
  const byKey = new Map<string, string[]>();
  for (const { value: pair } of pairs) {
    const [key, value] = readPair(pair);
    const values = byKey.get(key);
    if (values) values.push(value);
    else byKey.set(key, [value]);
  }
  return byKey;
}

/** The declaration of the corpus, limited to the values that are visible in a scope. */
export async function readCorpus(view: View, scope: Scope, known: KnownGeneration): Promise<CorpusFacts> {
  const { taxonomy, ...said } = known.declaration;
  const values = await valuesByKey(view, scope);
  const keys = [...values.keys()].sort(byCodePoint);
  const valuesOf = (key: string, limit: number): string[] =>
    (values.get(key) ?? []).sort(byCodePoint).slice(0, limit);
  const shaped = shapeTaxonomy(taxonomy, keys, valuesOf);
  return { generation: known.stamp.generation, ...said, taxonomy: shaped };
}
