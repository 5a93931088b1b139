import { choosesResources } from '../../core/corpus-declaration.js';
import type { CorpusFacts } from '../../core/corpus-facts.js';
import type { Embedder } from '../../core/ports/embedder.port.js';
import type { FacetCount, IndexFacts, IndexStamp } from '../../core/ports/index-facts.js';
import type {
  ListedDocuments,
  OfferedDocuments,
  QuotingSection,
  SearchAnswer,
  SectionIndex,
  SectionNeighbours,
  SectionQuery,
  SoughtQuote,
  StoredSections,
} from '../../core/ports/section-index.port.js';
import type { Scope, SeenScope } from '../../core/scope.js';
import { answerNow } from '../../kb/search/search-engine.js';
import { searchFlow } from '../../kb/search/search-flow.js';
import { findQuote, findReadQuote, quoteTerms } from '../../text/quotes/find-quote.js';
import { type Database, text as textOf } from '../driver.js';
import type { IndexFile, Meta } from '../index-file.js';
import { embedderOfChoice } from '../latent/embedder-named.js';
import { COUNT_SECTIONS } from '../postings.js';
import type { Synchronous } from '../reader-ports.js';
import { visibleRows, where } from './find-rows.js';
import { IndexCache } from './index-cache.js';
import {
  selectFlagged,
  selectListed,
  selectNeighbours,
  selectOffered,
  selectWhole,
} from './read-documents.js';
import { readTaxonomy } from './read-taxonomy.js';
import { SqliteSearchEngine } from './sqlite-search-engine.js';
import { SECTION_BY_ROW, selectSections, toStored } from './stored-sections.js';

/** Sections whose text is compared. Only a quote of words that nearly all sections contain has more. */
const MAX_COMPARED = 5_000;
/** Words that a section must contain to be compared; the rarest. */
const MAX_WORDS = 8;

/** The rarest terms of a text; null if no section contains one of them. */
function rarestTerms(database: Database, text: string): string[] | null {
  const count = database.prepare(COUNT_SECTIONS);
  const counted = quoteTerms(text).map((term) => ({
    term,
    sections: Number(count.get(term)?.['sections'] ?? 0),
  }));
  if (counted.some(({ sections }) => sections === 0)) return null;
  return counted
    .sort((a, b) => a.sections - b.sections)
    .slice(0, MAX_WORDS)
    .map(({ term }) => term);
}

/** Finds a quote: the sections with its words first, then the text itself in these. */
function selectQuoting(
  database: Database,
  scope: SeenScope,
  { text, path }: SoughtQuote,
): Omit<QuotingSection, 'generation'> {
  const terms = rarestTerms(database, text);
  if (terms === null) return { found: null, isComplete: true };
  if (terms.length === 0) return { found: null, isComplete: false };
  const { conditions, values } = visibleRows(scope);
  const rows = database
    .prepare(
      `SELECT s.id FROM section_fts f CROSS JOIN section s ON s.id = f.rowid CROSS JOIN document d ON d.id = s.document_id
       ${where(['section_fts MATCH ?', ...conditions])}
       ORDER BY d.path = ? DESC, d.path, s.ordinal LIMIT ?`,
    )
    .all(`body : (${terms.map((term) => `"${term}"`).join(' AND ')})`, ...values, path, MAX_COMPARED + 1);
  const ids = rows.slice(0, MAX_COMPARED).map(({ id }) => Number(id));
  const textBy = database.prepare('SELECT text FROM section WHERE id = ?');
  const first = (find: typeof findQuote): number | undefined =>
    ids.find((id) => find(textOf(textBy.get(id)?.['text']), text).length > 0);
  const found = first(findQuote) ?? first(findReadQuote);
  if (found === undefined) return { found: null, isComplete: rows.length <= MAX_COMPARED };
  return { found: toStored(database.prepare(SECTION_BY_ROW).get(found) ?? {}), isComplete: true };
}

/** Maximum number of scopes with a cached taxonomy; a server has few. */
const MAX_SCOPES = 64;

/**
 * Counts the visible documents and sections by a column or expression: most sections first, ties by value. `by` is SQL
 * over `document d` and `section s`, never user input.
 */
function countVisible(
  database: Database,
  scope: SeenScope,
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
    return this.file.read(null, (_database, { sectionCount: _, profile: __, ...stamp }) => stamp);
  }

  search(query: SectionQuery): SearchAnswer {
    return this.file.read(query.scope, (database, meta, seen) => {
      const { profile } = meta;
      const open = { database, meta, cache: this.cacheOf(meta), profile, seen };
      // The vector of a question is a model's, and the index may have others.
      const { vector, ...words } = query;
      const usable = vector && profile.recalls ? query : words;
      const answer = answerNow(searchFlow(usable, new SqliteSearchEngine(usable, open)));
      const lacksModel = profile.recalls && profile === this.embedder.profile.also;
      return lacksModel ? { ...answer, degraded: ['vector'] } : answer;
    });
  }

  sections(scope: Scope, ids: readonly string[]): StoredSections {
    return this.file.read(scope, (database, { generation }, seen) => ({
      generation,
      sections: selectSections(database, seen, ids),
    }));
  }

  quoting(scope: Scope, quote: SoughtQuote): QuotingSection {
    return this.file.read(scope, (database, { generation }, seen) => ({
      generation,
      ...selectQuoting(database, seen, quote),
    }));
  }

  facts(scope: Scope, facetLimit: number): IndexFacts {
    return this.file.read(scope, (database, { sectionCount: _, profile: __, ...stamp }, seen) => {
      const countBy = (by: string) => countVisible(database, seen, { by, limit: facetLimit });
      const flagged = selectFlagged(database, seen);
      const totals = countVisible(database, seen, { by: '1', limit: 1 })[0];
      return {
        ...stamp,
        documents: totals?.documents ?? 0,
        sections: totals?.sections ?? 0,
        // 0 for every caller of some groups: a size that is 0 only beside hidden documents would tell of them.
        bytes: seen.seenLists || seen.groups ? 0 : this.file.bytes(),
        docTags: countBy('d.doc_tag'),
        repositories: countBy('d.repository'),
        titles: countBy('d.title').map(({ value }) => value),
        ...(flagged ? { flagged } : {}),
      };
    });
  }

  neighbours(scope: Scope, id: string, context: number): SectionNeighbours | null {
    return this.file.read(scope, (database, { generation }, seen) => {
      const found = selectNeighbours(database, seen, { id, context });
      return found && { generation, ...found };
    });
  }

  corpus(scope: Scope): CorpusFacts {
    return this.file.read(scope, (database, meta, seen) => {
      const { generation } = meta;
      const cache = this.cacheOf(meta);
      const { corpora } = cache;
      const key = JSON.stringify([seen.docTags, seen.repositories, seen.seenLists]);
      const known = corpora.get(key);
      if (known) return known;
      const { taxonomy, ...declared } = cache.declarationOf(database);
      const found = { generation, ...declared, taxonomy: readTaxonomy(database, seen, taxonomy) };
      if (corpora.size >= MAX_SCOPES) corpora.clear();
      corpora.set(key, found);
      return found;
    });
  }

  documents(scope: Scope, offset: number, limit: number): ListedDocuments {
    return this.file.read(scope, (database, { generation }, seen) => ({
      generation,
      documents: selectListed(database, seen, { offset, limit }),
    }));
  }

  resources(scope: Scope, after: string | null, limit: number): OfferedDocuments {
    return this.file.read(scope, (database, meta, seen) => {
      const isChosen = this.isChosen(database, meta);
      return { generation: meta.generation, ...selectOffered(database, seen, { isChosen, after, limit }) };
    });
  }

  resource(scope: Scope, path: string): StoredSections | null {
    return this.file.read(scope, (database, meta, seen) => {
      const isChosen = this.isChosen(database, meta);
      const sections = selectWhole(database, seen, { isChosen, path });
      return sections && { generation: meta.generation, sections };
    });
  }

  /** True if the manifest chooses the documents that are resources. */
  private isChosen(database: Database, meta: Meta): boolean {
    return choosesResources(this.cacheOf(meta).declarationOf(database));
  }

  private cacheOf({ generation, profile }: Meta): IndexCache {
    if (this.cache.generation === generation) return this.cache;
    const isOther = profile === this.embedder.profile.also;
    this.cache = new IndexCache(generation, isOther ? embedderOfChoice(profile) : this.embedder);
    return this.cache;
  }
}
