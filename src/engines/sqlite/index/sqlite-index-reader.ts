import type { CorpusFacts } from '../../../core/corpus-facts.js';
import type { Embedder } from '../../../core/ports/embedder.port.js';
import type { FacetCount, IndexFacts, IndexStamp } from '../../../core/ports/index-facts.js';
import type {
  ListedDocuments,
  QuotingSection,
  SearchAnswer,
  SectionIndex,
  SectionNeighbours,
  SectionQuery,
  SoughtQuote,
  StoredSections,
} from '../../../core/ports/section-index.port.js';
import type { Scope } from '../../../core/scope.js';
import { answerNow } from '../../../kb/search/flow.js';
import { searchFlow } from '../../../kb/search/search-flow.js';
import type { Database } from '../driver.js';
import type { IndexFile } from '../index-file.js';
import type { Synchronous } from '../reader-ports.js';
import { IndexCache } from './index-cache.js';
import {
  selectFlagged,
  selectListed,
  selectNeighbours,
  selectOffered,
  selectWhole,
} from './read-documents.js';
import { selectQuoting } from './read-quoting.js';
import { readTaxonomy } from './read-taxonomy.js';
import { SqliteSearchEngine } from './sqlite-search-engine.js';
import { selectSections } from './stored-sections.js';
import { visibleRows, where } from './visible-rows.js';

/** Maximum number of scopes with a cached taxonomy; a server has few. */
const MAX_SCOPES = 64;

/**
 * Counts the visible documents and sections by a column or expression: most sections first, ties by value. `by` is SQL
 * over `document d` and `section s`, never user input.
 */
function countVisible(
  database: Database,
  scope: Scope,
  { by, limit }: { readonly by: string; readonly limit: number },
): FacetCount[] {
  const { conditions, values } = visibleRows(scope);
  const rows = database
    .prepare(
      `SELECT ${by} AS value, count(DISTINCT d.id) AS documents, count(s.id) AS sections
       FROM document d CROSS JOIN section s ON s.document_id = d.id ${where(conditions)}
       GROUP BY 1 ORDER BY sections DESC, value LIMIT ?`,
    )
    .all(...values, limit);
  return rows.map(({ value, documents, sections }) => ({
    value: String(value),
    documents: Number(documents),
    sections: Number(sections),
  }));
}

/** Finds sections in one index file, synchronously. */
export class SqliteIndexReader implements Synchronous<SectionIndex> {
  private cache: IndexCache;

  constructor(
    private readonly file: IndexFile,
    private readonly embedder: Embedder,
  ) {
    this.cache = new IndexCache('', embedder);
  }

  stamp(): IndexStamp {
    return this.file.read(null, (_database, { sectionCount: _, ...stamp }) => stamp);
  }

  search(query: SectionQuery): SearchAnswer {
    return this.file.read(query.scope, (database, meta) => {
      const cache = this.cacheOf(meta.generation);
      const open = { database, meta, cache, profile: this.embedder.profile };
      return answerNow(searchFlow(query, new SqliteSearchEngine(query, open)));
    });
  }

  sections(scope: Scope, ids: readonly string[]): StoredSections {
    return this.file.read(scope, (database, { generation }) => ({
      generation,
      sections: selectSections(database, scope, ids),
    }));
  }

  quoting(scope: Scope, quote: SoughtQuote): QuotingSection {
    return this.file.read(scope, (database, { generation }) => ({
      generation,
      ...selectQuoting(database, scope, quote),
    }));
  }

  facts(scope: Scope, facetLimit: number): IndexFacts {
    return this.file.read(scope, (database, { sectionCount: _, ...stamp }) => {
      const countBy = (by: string) => countVisible(database, scope, { by, limit: facetLimit });
      const flagged = selectFlagged(database, scope);
      const totals = countVisible(database, scope, { by: '1', limit: 1 })[0];
      return {
        ...stamp,
        documents: totals?.documents ?? 0,
        sections: totals?.sections ?? 0,
        bytes: this.file.bytes(),
        docTags: countBy('d.doc_tag'),
        repositories: countBy('d.repository'),
        titles: countBy('d.title').map(({ value }) => value),
        ...(flagged ? { flagged } : {}),
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
      const cache = this.cacheOf(generation);
      const { corpora } = cache;
      const key = JSON.stringify([scope.docTags, scope.repositories]);
      const known = corpora.get(key);
      if (known) return known;
      const { taxonomy, ...declared } = cache.declarationOf(database);
      const found = { generation, ...declared, taxonomy: readTaxonomy(database, scope, taxonomy) };
      if (corpora.size >= MAX_SCOPES) corpora.clear();
      corpora.set(key, found);
      return found;
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

  private cacheOf(generation: string): IndexCache {
    if (this.cache.generation !== generation) this.cache = new IndexCache(generation, this.embedder);
    return this.cache;
  }
}
