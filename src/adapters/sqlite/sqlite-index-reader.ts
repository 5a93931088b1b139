import { statSync } from 'node:fs';
import type { Database } from './driver.js';
import type { Embedder, EmbeddingSpace } from '../../kb/embedder.port.js';
import type {
  FacetCount,
  IndexFacts,
  IndexStamp,
  Rewrite,
  SearchAnswer,
  SectionQuery,
} from '../../kb/section-index.port.js';
import { NO_FILTER } from '../../kb/section-index.port.js';
import type { Scope } from '../../scope/scope.js';
import {
  indexBusy,
  indexIncompatible,
  indexMissing,
  isBusy,
  notAnIndex,
  openForReading,
  ownerOf,
} from './open-database.js';
import type { OpenIndex } from './open-database.js';
import { identityOf } from './schema.js';
import { searchTerms } from '../../text/search-terms.js';
import { expandAcronyms } from './expand-acronyms.js';
import { weighTerms } from './match-expression.js';
import { nearestTerm } from './nearest-term.js';
import { resolveWords } from './resolve-words.js';
import type { TermLookup } from './resolve-words.js';
import { searchSections } from './search-sections.js';
import type { TitleMemo } from './score-hits.js';
import { visibilityOf, visibleRows } from './visible-rows.js';

/** Some 2 MB. */
const MAX_TITLES = 10_000;

interface Meta extends IndexStamp {
  readonly sectionCount: number;
}

/** Reads one index file, synchronously. Follows the file when it is replaced, and every publish into it. */
export class SqliteIndexReader {
  // Kept in a field: a prepared statement that outlives its database fails once that is collected.
  private open: OpenIndex | null = null;
  private openedAs = '';
  private frequencies = { generation: '', byTerm: new Map<string, number>() };
  private readonly titles: TitleMemo = new Map();
  private space: { generation: string; value: EmbeddingSpace | null } = { generation: '', value: null };

  constructor(
    private readonly file: string,
    private readonly embedder: Embedder,
  ) {}

  stamp(): IndexStamp {
    return this.readOnce((_, { generation, projectId, environment, indexedAt }) => ({
      generation,
      projectId,
      environment,
      indexedAt,
    }));
  }

  search(query: SectionQuery): SearchAnswer {
    return this.readOnce((database, meta) => {
      this.checkProject(meta, query.scope);
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
    const { candidates, matched, ...dropped } = searchSections(database, {
      query,
      terms: weighTerms(terms, documentFrequency, sectionCount),
      phrases: [...query.asked.phrases, ...expansions],
      scoring,
      titles: this.knownTitles(),
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
      leftPartsOut,
    };
  }

  facts(scope: Scope, facetLimit: number): IndexFacts {
    return this.readOnce((database, meta) => {
      this.checkProject(meta, scope);
      const { sectionCount: _, ...stamp } = meta;
      const totals = countVisible(database, scope, '1', 1)[0];
      return {
        ...stamp,
        documents: totals?.documents ?? 0,
        sections: totals?.sections ?? 0,
        bytes: statSync(this.file).size,
        docTags: countVisible(database, scope, 'd.doc_tag', facetLimit),
        repositories: countVisible(database, scope, 'd.repository', facetLimit),
        titles: countVisible(database, scope, 'd.title', facetLimit).map(({ value }) => value),
      };
    });
  }

  close(): void {
    this.open?.database.close();
    this.open = null;
  }

  /** One index holds one project and environment; a question about another has no answer here. */
  private checkProject(meta: Meta, { projectId, environment }: Scope): void {
    if (meta.projectId === projectId && meta.environment === environment) return;
    throw indexIncompatible(this.file, 'it holds another project or environment now');
  }

  /** One read transaction. A failure lets go of the connection, so that the next call starts afresh. */
  private readOnce<T>(work: (database: Database, meta: Meta) => T): T {
    const database = this.current();
    try {
      database.exec('BEGIN');
      const answer = work(database, readMeta(database, this.file, this.embedder));
      database.exec('COMMIT');
      return answer;
    } catch (error) {
      this.close();
      throw isBusy(error) ? indexBusy(this.file, error) : error;
    }
  }

  /** The open database, opened anew when another file stands at its path. */
  private current(): Database {
    const seen = statSync(this.file, { throwIfNoEntry: false });
    if (!seen) {
      this.close();
      throw indexMissing(this.file);
    }
    const place = `${seen.dev}:${seen.ino}`;
    const identity = this.open?.isImmutable ? `${place}:${seen.mtimeMs}:${seen.size}` : place;
    if (this.open && this.openedAs === identity) return this.open.database;
    this.close();
    this.open = openForReading(this.file);
    this.openedAs = this.open.isImmutable ? `${place}:${seen.mtimeMs}:${seen.size}` : place;
    return this.open.database;
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

function readMeta(database: Database, file: string, { profile }: Embedder): Meta {
  const owner = ownerOf(database);
  if (owner === 'nobody') throw indexMissing(file);
  if (owner === 'other') throw notAnIndex(file, 'it is a database of another program');
  const rows = database.prepare('SELECT key, value FROM meta').all();
  const meta = new Map(rows.map((row) => [String(row['key']), String(row['value'])]));
  if (meta.get('identity') !== identityOf(profile))
    throw indexIncompatible(file, 'another version of Pith built it, or with another PITH_EMBEDDER');
  return {
    generation: `${meta.get('index_id')}:${meta.get('generation')}`,
    projectId: meta.get('project_id') ?? '',
    environment: meta.get('environment') ?? '',
    indexedAt: meta.get('indexed_at') ?? '',
    sectionCount: Number(meta.get('sections') ?? 0),
  };
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
