import type { EmbedderProfile } from '../../../core/ports/embedder.port.js';
import type { SectionQuery, StoredSection } from '../../../core/ports/section-index.port.js';
import type { SeenScope } from '../../../core/scope.js';
import type { KnownTerm, NearbyTerms } from '../../../kb/search/nearest-term.js';
import type { TitleMemo } from '../../../kb/search/score-hits.js';
import type { Matches, SearchedGeneration, SearchEngine, Sought } from '../../../kb/search/search-engine.js';
import type { KnownGeneration } from '../known-generation.js';
import type { View } from '../live-collection.js';
import { readPair } from '../points.js';
import type { Filter } from '../qdrant-connection.js';
import { findHits, type FoundHit } from './find-hits.js';
import { askForTerms } from './sparse-terms.js';
import { matches, visibleSections } from './visible-points.js';

/** Maximum number of long forms to request; those of other acronyms in the same sections count too. */
const MAX_LONG_FORMS = 1_000;

interface OpenCollection {
  readonly view: View;
  readonly known: KnownGeneration;
  readonly profile: EmbedderProfile;
  readonly titles: TitleMemo;
}

/** Answers the questions of one search from a collection and from the cached data of its generation. */
export class QdrantSearchEngine implements SearchEngine<FoundHit> {
  readonly generation: SearchedGeneration;
  private readonly isRestricted: boolean;
  /** Terms that were looked up: true if a visible section contains the term. */
  private readonly visible = new Map<string, boolean>();
  private readonly unknown = new Set<string>();

  /** @param filter  part of every search and of every prefetch */
  private constructor(
    private readonly open: OpenCollection,
    private readonly filter: Filter,
  ) {
    const { known, profile, titles } = open;
    const { generation: id, sectionCount } = known.stamp;
    this.generation = { id, sectionCount, declaration: known.declaration, profile, titles };
    this.isRestricted = Array.isArray(filter.must) && filter.must.length > 1;
  }

  static async forQuery(
    { scope, filter }: SectionQuery & { readonly scope: SeenScope },
    open: OpenCollection,
  ): Promise<QdrantSearchEngine> {
    return new QdrantSearchEngine(open, await visibleSections(open.view, scope, filter));
  }

  longForms(shorts: readonly string[]): Promise<(string | null)[]> {
    const { acronyms } = this.open.known;
    return Promise.all(shorts.map(async (short) => (acronyms.has(short) ? this.longFormOf(short) : null)));
  }

  frequencyOf(term: string): number {
    const frequency = this.open.known.vocabulary.sectionsWith(term);
    // Without a restriction, every term of the index is visible.
    if (frequency === 0 || !this.isRestricted) return frequency;
    const isVisible = this.visible.get(term);
    if (isVisible === undefined) this.unknown.add(term);
    return isVisible ? frequency : 0;
  }

  async lookUpTerms(): Promise<boolean> {
    const terms = [...this.unknown];
    this.unknown.clear();
    if (terms.length === 0) return false;
    const { filter } = this;
    const { found } = await this.open.view.batch(
      terms.map((term) => ({ query: askForTerms([term]), using: 'bm25', filter, limit: 1 })),
    );
    terms.forEach((term, i) => this.visible.set(term, (found[i] ?? []).length > 0));
    return true;
  }

  termsNear(near: NearbyTerms): KnownTerm[] {
    return this.open.known.vocabulary.near(near);
  }

  vectorOf(terms: readonly string[]): Float32Array | null {
    return this.open.known.space?.question(terms) ?? null;
  }

  /** Words, phrases and vectors are searched in one request, so all its time counts as the first stage. */
  matcher(sought: Sought): (fetch: number) => Promise<Matches<FoundHit>> {
    const { view, known, profile } = this.open;
    const { sectionCount, averageLength } = known.stamp;
    const { dimensions } = profile;
    const searched = { ...sought, filter: this.filter, sectionCount, averageLength, dimensions };
    return (fetch) => findHits(view, { ...searched, fetch });
  }

  read({ stored }: FoundHit): StoredSection {
    return stored;
  }

  textsOf(hits: readonly FoundHit[]): string[] {
    return hits.map(({ stored }) => stored.section.text);
  }

  tagOf({ stored }: FoundHit): string {
    return stored.document.docTag;
  }

  private async longFormOf(short: string): Promise<string | null> {
    const { must } = this.filter;
    const telling = { must: [...(Array.isArray(must) ? must : []), matches('acronym_shorts', short)] };
    const forms = await this.open.view.facet('acronyms', telling, MAX_LONG_FORMS);
    const own = forms.flatMap(({ value, count }) => {
      const [of, long] = readPair(value);
      return of === short ? [{ long, count }] : [];
    });
    own.sort((a, b) => b.count - a.count || (a.long < b.long ? -1 : 1));
    return own[0]?.long ?? null;
  }
}
