import type { CorpusFacts } from '../../core/corpus-facts.js';
import { type FacetCount, type IndexFacts } from '../../core/ports/index-facts.js';
import type { Scope } from '../../core/scope.js';
import { shapeTaxonomy } from '../../kb/shape-taxonomy.js';
import { rowsByKey } from '../../sqlite/group-rows.js';
import type { KnownGeneration } from './known-generation.js';
import { byCodePoint, type View } from './live-collection.js';
import { readPair } from './points.js';
import { matchesAny, pointsOf, visibleConditions } from './search/visible-points.js';

/** Documents with and without text. */
export const DOCUMENTS = ['document', 'empty'] as const;

/** Counts sections and documents by the value of a key, most sections first. */
async function countBy(
  view: View,
  scope: Scope,
  { key, limit }: { readonly key: string; readonly limit: number },
): Promise<FacetCount[]> {
  const conditions = visibleConditions(scope);
  const sections = await view.facet(key, pointsOf('section', conditions), limit);
  if (sections.length === 0) return [];
  const values = sections.map(({ value }) => value);
  const ofThese = pointsOf('document', [...conditions, matchesAny(key, values)]);
  const found = await view.facet(key, ofThese, sections.length);
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
  const conditions = visibleConditions(scope);
  const [documents, sections, docTags, repositories, titles] = await Promise.all([
    view.count(pointsOf('document', conditions)),
    view.count(pointsOf('section', conditions)),
    countBy(view, scope, { key: 'doc_tag', limit: facetLimit }),
    countBy(view, scope, { key: 'repository', limit: facetLimit }),
    view.facet('document_title', pointsOf('section', conditions), facetLimit),
  ]);
  const counts = { documents, sections, bytes, docTags, repositories };
  const stamp = { generation, projectId, environment, indexedAt };
  return { ...stamp, ...counts, titles: titles.map(({ value }) => value) };
}

/** The values of each metadata key of visible documents. */
async function valuesByKey(view: View, scope: Scope): Promise<Map<string, string[]>> {
  const visible = pointsOf(DOCUMENTS, visibleConditions(scope));
  const pairs = (await view.values('facets', visible)).map(readPair);
  const byKey = rowsByKey(pairs, ([key]) => key);
  return new Map([...byKey].map(([key, ofKey]) => [key, ofKey.map(([, value]) => value)]));
}

/** The declaration of the corpus, limited to the values that are visible in a scope. */
export async function readCorpus(view: View, scope: Scope, known: KnownGeneration): Promise<CorpusFacts> {
  const { taxonomy, ...declared } = known.declaration;
  const values = await valuesByKey(view, scope);
  const keys = [...values.keys()].sort(byCodePoint);
  const valuesOf = (key: string, limit: number): string[] =>
    (values.get(key) ?? []).sort(byCodePoint).slice(0, limit);
  const shaped = shapeTaxonomy(taxonomy, keys, valuesOf);
  return { generation: known.stamp.generation, ...declared, taxonomy: shaped };
}
