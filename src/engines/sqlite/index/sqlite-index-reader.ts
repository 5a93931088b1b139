import type { Database } from '../driver.js';
import type { Embedder, EmbeddingSpace } from '../../../core/ports/embedder.port.js';
import { similarity } from '../../models/latent/packed-vector.js';
import { collapseRules } from '../../../kb/collapse-rules.js';
import { RECALLED } from '../../../kb/search/merge-recalled.js';
import type {
  IndexFacts,
  IndexStamp,
  ListedDocuments,
  Rewrite,
  SearchAnswer,
  SectionNeighbours,
  SectionQuery,
  StoredSections,
} from '../../../core/ports/section-index.port.js';
import type { CorpusFacts } from '../../../core/corpus-facts.js';
import type { Scope } from '../../../core/scope.js';
import { NOTHING_DECLARED } from '../../../core/corpus-declaration.js';
import type { CorpusDeclaration } from '../../../core/corpus-declaration.js';
import type { IndexFile, Meta } from '../index-file.js';
import { searchTerms } from '../../../text/search-terms.js';
import { countVisible } from './count-visible.js';
import { expandAcronyms } from './expand-acronyms.js';
import { weighTerms } from '../../../kb/search/weigh-terms.js';
import { nearestHeldTerm } from './nearest-term.js';
import { selectListed, selectNeighbours, selectOffered, selectWhole } from './read-documents.js';
import { readDeclaration, readTaxonomy } from './read-taxonomy.js';
import { resolveWords } from '../../../kb/search/resolve-words.js';
import type { TermLookup } from '../../../kb/search/resolve-words.js';
import { searchSections } from './search-sections.js';
import { VectorTable } from '../vector-table.js';
import { fusionOf } from '../../../kb/search/score-hits.js';
import type { Scoring, TitleMemo } from '../../../kb/search/score-hits.js';
import { selectSections } from './stored-sections.js';
import { visibilityOf, visibleRows } from './visible-rows.js';

/** Some 2 MB. */
const MAX_TITLES = 10_000;
/** Scopes whose taxonomy is kept; a server has few. */
const MAX_SCOPES = 64;

/** Finds sections in one index file, synchronously. */
export class SqliteIndexReader {
  private frequencies = { generation: '', byTerm: new Map<string, number>() };
  private readonly vectors = new VectorTable();
  private readonly titles: TitleMemo = new Map();
  private space: { generation: string; value: EmbeddingSpace | null } = { generation: '', value: null };

  private declared = { generation: '', value: NOTHING_DECLARED };
  private corpora = { generation: '', byScope: new Map<string, CorpusFacts>() };

  constructor(
    private readonly file: IndexFile,
    private readonly embedder: Embedder,
  ) {}

  stamp(): IndexStamp {
    return this.file.read(null, (_, { generation, projectId, environment, indexedAt }) => ({
      generation,
      projectId,
      environment,
      indexedAt,
    }));
  }

  search(query: SectionQuery): SearchAnswer {
    return this.file.read(query.scope, (database, meta) => {
      const rewrites = expandAcronyms(database, query);
      const answer = this.searchFor(database, meta, query, { withParts: false, rewrites });
      if (!answer.leftPartsOut || answer.candidates.length >= query.limit) return answer;
      return this.searchFor(database, meta, query, { withParts: true, rewrites });
    });
  }

  private searchFor(
    database: Database,
    { generation, sectionCount }: Meta,
    query: SectionQuery,
    { withParts, rewrites }: { readonly withParts: boolean; readonly rewrites: readonly Rewrite[] },
  ): SearchAnswer & { readonly leftPartsOut: boolean } {
    const lookup = this.lookupFor(database, generation, query);
    const { terms, leftPartsOut, rewrites: misspelt } = resolveWords(query.asked, lookup, withParts);
    // Words of sections that may not be seen weigh like words that nobody says.
    const documentFrequency = Object.fromEntries(
      terms.map((term) => [term, lookup.isHeld(term) ? this.frequencyOf(database, generation, term) : 0]),
    );
    const expansions = rewrites.map(({ to }) => searchTerms(to));
    const scoring = this.scoringFor(database, generation, query, terms);
    const collapse = collapseRules(this.declarationOf(database, generation));
    const { sameDocument, nearDuplicate, ...found } = searchSections(database, {
      query,
      terms: weighTerms(terms, documentFrequency, sectionCount),
      phrases: [...query.asked.phrases, ...expansions],
      scoring,
      recall: this.recallFor(database, generation, query),
      titles: this.knownTitles(),
      collapse,
    });
    return {
      ...found,
      generation,
      dropped: { sameDocument, nearDuplicate },
      sectionCount,
      terms,
      documentFrequency,
      rewrites: [...rewrites, ...misspelt],
      collapse,
      fusion: fusionOf(scoring),
      leftPartsOut,
    };
  }

  private scoringFor(
    database: Database,
    generation: string,
    { vector, rankedBy }: SectionQuery,
    terms: readonly string[],
  ): Scoring {
    const question = vector ?? this.spaceOf(database, generation)?.question(terms) ?? null;
    return {
      terms,
      rankedBy,
      compare: question && ((kept) => similarity(question, kept)),
      vectorWeight: this.embedder.profile.weight,
    };
  }

  /** Finds rows by the question's vector; null where no model made one, or words alone shall rank. */
  private recallFor(
    database: Database,
    generation: string,
    query: SectionQuery,
  ): (() => readonly number[]) | null {
    const { vector: question, rankedBy, scope, filter } = query;
    if (!question || !this.embedder.profile.recalls || rankedBy === 'lexical') return null;
    const conditions = visibleRows(scope, filter);
    const nearest = { question, conditions, limit: RECALLED };
    return () => this.vectors.nearest(database, generation, nearest).map(({ row }) => row);
  }

  sections(scope: Scope, ids: readonly string[]): StoredSections {
    return this.file.read(scope, (database, { generation }) => ({
      generation,
      sections: selectSections(database, scope, ids),
    }));
  }

  facts(scope: Scope, facetLimit: number): IndexFacts {
    return this.file.read(scope, (database, meta) => {
      const { sectionCount: _, ...stamp } = meta;
      const totals = countVisible(database, scope, '1', 1)[0];
      return {
        ...stamp,
        documents: totals?.documents ?? 0,
        sections: totals?.sections ?? 0,
        bytes: this.file.bytes(),
        docTags: countVisible(database, scope, 'd.doc_tag', facetLimit),
        repositories: countVisible(database, scope, 'd.repository', facetLimit),
        titles: countVisible(database, scope, 'd.title', facetLimit).map(({ value }) => value),
      };
    });
  }

  neighbours(scope: Scope, id: string, context: number): SectionNeighbours | null {
    return this.file.read(scope, (database, { generation }) => {
      const found = selectNeighbours(database, scope, { id, context });
      return found && { generation, ...found };
    });
  }

  corpus(scope: Scope): CorpusFacts {
    return this.file.read(scope, (database, { generation }) => {
      if (this.corpora.generation !== generation) this.corpora = { generation, byScope: new Map() };
      const { byScope } = this.corpora;
      const key = JSON.stringify([scope.docTags, scope.repositories]);
      const { taxonomy, ...said } = this.declarationOf(database, generation);
      const look = (): CorpusFacts => ({
        generation,
        ...said,
        taxonomy: readTaxonomy(database, scope, taxonomy),
      });
      const known = byScope.get(key) ?? look();
      if (byScope.size >= MAX_SCOPES) byScope.clear();
      byScope.set(key, known);
      return known;
    });
  }

  documents(scope: Scope, offset: number, limit: number): ListedDocuments {
    return this.file.read(scope, (database, { generation }) => ({
      generation,
      documents: selectListed(database, scope, { offset, limit }),
    }));
  }

  resources(scope: Scope, after: string | null, limit: number): ListedDocuments {
    return this.file.read(scope, (database, { generation }) => ({
      generation,
      documents: selectOffered(database, scope, { after, limit }),
    }));
  }

  resource(scope: Scope, path: string): StoredSections | null {
    return this.file.read(scope, (database, { generation }) => {
      const sections = selectWhole(database, scope, path);
      return sections && { generation, sections };
    });
  }

  /** What the manifest says, read once for each generation. */
  private declarationOf(database: Database, generation: string): CorpusDeclaration {
    if (this.declared.generation !== generation)
      this.declared = { generation, value: readDeclaration(database) };
    return this.declared.value;
  }

  private knownTitles(): TitleMemo {
    // Bounded: an index may have any number of titles.
    if (this.titles.size > MAX_TITLES) this.titles.clear();
    return this.titles;
  }

  private lookupFor(database: Database, generation: string, query: SectionQuery): TermLookup {
    const isVisible = visibilityOf(database, query);
    const isHeld = (term: string): boolean =>
      this.frequencyOf(database, generation, term) > 0 && isVisible(term);
    return { isHeld, nearestTo: (term) => nearestHeldTerm(database, term, isHeld) };
  }

  private frequencyOf(database: Database, generation: string, term: string): number {
    if (this.frequencies.generation !== generation) this.frequencies = { generation, byTerm: new Map() };
    const { byTerm } = this.frequencies;
    // Bounded: a caller can ask for any number of different words over time.
    if (byTerm.size > 50_000) byTerm.clear();
    const look = (): number =>
      Number(database.prepare('SELECT doc FROM section_term WHERE term = ?').get(term)?.['doc'] ?? 0);
    const known = byTerm.get(term) ?? look();
    byTerm.set(term, known);
    return known;
  }

  /** The space of the index's vectors, unpacked once for each generation; null when the index has none. */
  private spaceOf(database: Database, generation: string): EmbeddingSpace | null {
    if (this.space.generation === generation) return this.space.value;
    const bytes = database.prepare('SELECT bytes FROM embedding_space').get()?.['bytes'];
    const value = bytes instanceof Uint8Array ? this.embedder.unpack(bytes) : null;
    this.space = { generation, value };
    return value;
  }
}
