import type { Database } from './driver.js';
import type { Embedder, EmbeddingSpace } from '../../kb/embedder.port.js';
import type {
  CollapseRules,
  CorpusFacts,
  FacetCount,
  IndexFacts,
  IndexStamp,
  ListedDocuments,
  Rewrite,
  SearchAnswer,
  SectionNeighbours,
  SectionQuery,
  StoredSections,
} from '../../kb/section-index.port.js';
import { NO_FILTER } from '../../kb/section-index.port.js';
import type { Scope } from '../../scope/scope.js';
import { NOTHING_DECLARED } from '../../ingest/corpus-declaration.js';
import type { CorpusDeclaration } from '../../ingest/corpus-declaration.js';
import type { IndexFile, Meta } from './index-file.js';
import { searchTerms } from '../../text/search-terms.js';
import { expandAcronyms } from './expand-acronyms.js';
import { weighTerms } from './match-expression.js';
import { nearestTerm } from './nearest-term.js';
import { readNeighbours, readOffered, readWhole } from './read-documents.js';
import { readDeclaration, readTaxonomy } from './read-taxonomy.js';
import { resolveWords } from './resolve-words.js';
import type { TermLookup } from './resolve-words.js';
import { searchSections } from './search-sections.js';
import type { TitleMemo } from './score-hits.js';
import { readSections } from './stored-sections.js';
import { visibilityOf, visibleRows } from './visible-rows.js';

/** Some 2 MB. */
const MAX_TITLES = 10_000;
/** Scopes whose taxonomy is kept; a server has few. */
const MAX_SCOPES = 64;

function collapseRules({ taxonomy }: CorpusDeclaration): CollapseRules {
  return Object.fromEntries(Object.entries(taxonomy).map(([key, { collapse }]) => [key, collapse]));
}

/** Finds sections in one index file, synchronously. */
export class SqliteIndexReader {
  private frequencies = { generation: '', byTerm: new Map<string, number>() };
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
    const scoring = {
      terms,
      rankedBy: query.rankedBy,
      compare: this.spaceOf(database, generation)?.compareWith(terms) ?? null,
      vectorWeight: this.embedder.profile.weight,
    };
    const collapse = collapseRules(this.declarationOf(database, generation));
    const { candidates, matched, ...dropped } = searchSections(database, {
      query,
      terms: weighTerms(terms, documentFrequency, sectionCount),
      phrases: [...query.asked.phrases, ...expansions],
      scoring,
      titles: this.knownTitles(),
      collapse,
    });
    return {
      generation,
      candidates,
      matched,
      dropped,
      sectionCount,
      terms,
      documentFrequency,
      rewrites: [...rewrites, ...misspelt],
      collapse,
      leftPartsOut,
    };
  }

  sections(scope: Scope, ids: readonly string[]): StoredSections {
    return this.file.read(scope, (database, { generation }) => ({
      generation,
      sections: readSections(database, scope, ids),
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
      const found = readNeighbours(database, scope, { id, context });
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

  resources(scope: Scope, after: string | null, limit: number): ListedDocuments {
    return this.file.read(scope, (database, { generation }) => ({
      generation,
      documents: readOffered(database, scope, { after, limit }),
    }));
  }

  resource(scope: Scope, path: string): StoredSections | null {
    return this.file.read(scope, (database, { generation }) => {
      const sections = readWhole(database, scope, path);
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
    return { isHeld, nearestTo: (term) => nearestTerm(database, term, isHeld) };
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

function countVisible(database: Database, scope: Scope, by: string, limit: number): FacetCount[] {
  const conditions = visibleRows(scope, NO_FILTER);
  const where = conditions.length > 0 ? `WHERE ${conditions.map((c) => c.sql).join(' AND ')}` : '';
  const rows = database
    .prepare(
      `SELECT ${by} AS value, count(DISTINCT d.id) AS documents, count(s.id) AS sections
       FROM document d CROSS JOIN section s ON s.document_id = d.id ${where}
       GROUP BY 1 ORDER BY sections DESC, value LIMIT ?`,
    )
    .all(...conditions.flatMap((c) => [...c.values]), limit);
  return rows.map((row) => ({
    value: String(row['value']),
    documents: Number(row['documents']),
    sections: Number(row['sections']),
  }));
}
