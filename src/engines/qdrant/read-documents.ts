import { rowsByKey } from '../../core/collections/group-rows.js';
import type { CorpusFacts } from '../../core/corpus-facts.js';
import {
  type FacetCount,
  type FlaggedDocuments,
  type IndexFacts,
  MAX_FLAGGED,
} from '../../core/ports/index-facts.js';
import { type SectionNeighbours, type StoredSection } from '../../core/ports/section-index.port.js';
import { scopeAllows, type SeenScope } from '../../core/scope.js';
import type { DocumentFacts } from '../../core/section.js';
import { decodePath, encodedId } from '../../core/section-id.js';
import { shapeTaxonomy } from '../../kb/shape-taxonomy.js';
import type { OfferedPage } from '../../sqlite/index/read-documents.js';
import type { KnownGeneration } from './known-generation.js';
import { byCodePoint, sortedByCodePoint, type View } from './live-collection.js';
import { pointId } from './names.js';
import { payloadDocument, payloadSection, readPair } from './points.js';
import type { QdrantCondition } from './qdrant-connection.js';
import { isSendable, matches, matchesAny, pointsOf, visibleConditions } from './search/visible-points.js';

/** Documents with and without text. */
const DOCUMENTS = ['document', 'empty'] as const;

/** Counts sections and documents by the value of a key, most sections first. */
async function countBy(
  view: View,
  scope: SeenScope,
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
export async function readFacts(view: View, scope: SeenScope, facetLimit: number): Promise<IndexFacts> {
  const { generation, projectId, environment, indexedAt, bytes } = await view.stamp();
  const conditions = visibleConditions(scope);
  const [documents, sections, docTags, repositories, titles] = await Promise.all([
    view.count(pointsOf('document', conditions)),
    view.count(pointsOf('section', conditions)),
    countBy(view, scope, { key: 'doc_tag', limit: facetLimit }),
    countBy(view, scope, { key: 'repository', limit: facetLimit }),
    view.facet('document_title', pointsOf('section', conditions), facetLimit),
  ]);
  // 0 for every caller of some groups: a size that is 0 only beside hidden documents would tell of them.
  const size = scope.seenLists || scope.groups ? 0 : bytes;
  const counts = { documents, sections, bytes: size, docTags, repositories };
  const stamp = { generation, projectId, environment, indexedAt };
  return { ...stamp, ...counts, titles: titles.map(({ value }) => value) };
}

/** The values of each metadata key of visible documents. */
async function valuesByKey(view: View, scope: SeenScope): Promise<Map<string, string[]>> {
  const visible = pointsOf(DOCUMENTS, visibleConditions(scope));
  const pairs = (await view.values('facets', visible)).map(readPair);
  const byKey = rowsByKey(pairs, ([key]) => key);
  return new Map([...byKey].map(([key, ofKey]) => [key, ofKey.map(([, value]) => value)]));
}

/** The declaration of the corpus, limited to the values that are visible in a scope. */
export async function readCorpus(view: View, scope: SeenScope, known: KnownGeneration): Promise<CorpusFacts> {
  const { taxonomy, ...declared } = known.declaration;
  const values = await valuesByKey(view, scope);
  const keys = [...values.keys()].sort(byCodePoint);
  const valuesOf = (key: string, limit: number): string[] =>
    (values.get(key) ?? []).sort(byCodePoint).slice(0, limit);
  const shaped = shapeTaxonomy(taxonomy, keys, valuesOf);
  return { generation: known.stamp.generation, ...declared, taxonomy: shaped };
}

/** Ids per search; each has up to four spellings. */
const MAX_IDS = 200;
/** Sections per request when a whole document is read. */
const PAGE = 1_000;

/** Finds visible sections. The scope is checked again after the filter, as a second safeguard. */
async function findSections(
  view: View,
  scope: SeenScope,
  { conditions, limit }: { readonly conditions: readonly QdrantCondition[]; readonly limit: number },
): Promise<StoredSection[]> {
  const visible = [...visibleConditions(scope), ...conditions];
  const found = await view.find(pointsOf('section', visible), limit);
  const stored = found.map(({ payload }) => payloadSection(payload));
  return stored.filter(({ document }) => scopeAllows(scope, document));
}

async function findNamed(view: View, scope: SeenScope, ids: readonly string[]): Promise<StoredSection[]> {
  const spelt = ids.flatMap((id) => [pointId('section', id), pointId('section', encodedId(id))]);
  const paths = ids.flatMap((id) => [id, decodePath(id)]);
  const first: QdrantCondition = {
    must: [matchesAny('path', paths), { key: 'ordinal', match: { value: 0 } }],
  };
  const named: QdrantCondition = { should: [{ has_id: spelt }, first] };
  return findSections(view, scope, { conditions: [named], limit: ids.length * 4 });
}

/** Reads visible sections in the order of the ids; the path of a document means its first section. */
export async function readSections(
  view: View,
  scope: SeenScope,
  ids: readonly string[],
): Promise<StoredSection[]> {
  const asked = [...new Set(ids)].filter(isSendable);
  const found: StoredSection[] = [];
  for (let from = 0; from < asked.length; from += MAX_IDS)
    found.push(...(await findNamed(view, scope, asked.slice(from, from + MAX_IDS))));
  const byId = new Map(found.map((stored) => [stored.section.id, stored]));
  const firstOf = new Map(
    found.filter(({ section }) => section.ordinal === 0).map((stored) => [stored.document.path, stored]),
  );
  const rows = asked.flatMap(
    (id) => byId.get(id) ?? byId.get(encodedId(id)) ?? firstOf.get(id) ?? firstOf.get(decodePath(id)) ?? [],
  );
  return [...new Map(rows.map((stored) => [stored.section.id, stored])).values()];
}

/** Reads a visible section and its neighbours; null if the section is not found. */
export async function readNeighbours(
  view: View,
  scope: SeenScope,
  { id, context }: { readonly id: string; readonly context: number },
): Promise<Omit<SectionNeighbours, 'generation'> | null> {
  const [found] = await readSections(view, scope, [id]);
  if (!found) return null;
  const { document, section } = found;
  const { ordinal } = section;
  const near: QdrantCondition = { key: 'ordinal', range: { gte: ordinal - context, lte: ordinal + context } };
  const own = [...visibleConditions(scope), matches('path', document.path), near];
  // Visibility is a property of the document, so all its sections are visible.
  const rows = await view.find(pointsOf('section', own), context * 2 + 1);
  const total = Number(rows[0]?.payload?.['document_sections'] ?? 0);
  const sections = rows
    .map(({ payload }) => payloadSection(payload).section)
    .map((neighbour) => ({ section: neighbour, position: neighbour.ordinal + 1 }))
    .sort((a, b) => a.position - b.position);
  const target = sections.findIndex(({ position }) => position === section.ordinal + 1);
  return { document, sections, total, target };
}

/** Reads visible documents by path; the result is sorted by path. */
async function readPaths(view: View, scope: SeenScope, paths: readonly string[]): Promise<DocumentFacts[]> {
  if (paths.length === 0) return [];
  const conditions = [...visibleConditions(scope), matchesAny('path', paths)];
  const found = await view.find(pointsOf(DOCUMENTS, conditions), paths.length);
  return found
    .map(({ payload }) => payloadDocument(payload))
    .filter((document) => scopeAllows(scope, document))
    .sort((a, b) => byCodePoint(a.path, b.path));
}

/** Reads a page of the visible documents with text. It sorts them by path itself, because Qdrant can't sort by text. */
export async function readListed(
  view: View,
  scope: SeenScope,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<DocumentFacts[]> {
  const visible = pointsOf('document', visibleConditions(scope));
  const paths = sortedByCodePoint(await view.values('path', visible));
  return readPaths(view, scope, paths.slice(offset, offset + limit));
}

/** Reads a page of the visible documents that are offered as resources, sorted by path. */
export async function readOffered(
  view: View,
  scope: SeenScope,
  { isChosen, after, limit }: OfferedPage,
): Promise<DocumentFacts[]> {
  const visible = visibleConditions(scope);
  const offered = isChosen
    ? await view.values('offered', pointsOf(DOCUMENTS, visible))
    : await view.values('path', pointsOf('document', visible));
  const later = offered.filter((path) => after === null || byCodePoint(path, after) > 0);
  const page = sortedByCodePoint(later).slice(0, limit);
  return readPaths(view, scope, page);
}

/** Reads the visible documents with text that are flagged; undefined if there are none. */
export async function readFlagged(view: View, scope: SeenScope): Promise<FlaggedDocuments | undefined> {
  const visible = pointsOf('document', visibleConditions(scope));
  const paths = sortedByCodePoint(await view.values('flagged', visible));
  if (paths.length === 0) return undefined;
  const first = (await readPaths(view, scope, paths.slice(0, MAX_FLAGGED))).flatMap(({ path, caution }) =>
    caution ? [{ path, caution }] : [],
  );
  return { count: paths.length, first };
}

/** Reads all sections of a visible document that is offered as a resource, in order; null if it is not found. */
export async function readWhole(
  view: View,
  scope: SeenScope,
  { isChosen, path }: { readonly isChosen: boolean; readonly path: string },
): Promise<StoredSection[] | null> {
  const visible = visibleConditions(scope);
  for (const spelling of new Set([path, decodePath(path)])) {
    const chosen = isChosen ? [matches('offered', spelling)] : [];
    const offered = [...visible, matches('path', spelling), ...chosen];
    const [document] = await view.find(pointsOf('document', offered), 1, ['path']);
    if (!document) continue;
    const sections: StoredSection[] = [];
    for (let from = 0; sections.length === from; from += PAGE) {
      const page: QdrantCondition = { key: 'ordinal', range: { gte: from, lt: from + PAGE } };
      const conditions = [matches('path', spelling), page];
      sections.push(...(await findSections(view, scope, { conditions, limit: PAGE })));
    }
    return sections.sort((a, b) => a.section.ordinal - b.section.ordinal);
  }
  return null;
}
