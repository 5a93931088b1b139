import { statSync } from 'node:fs';
import type { Database } from './driver.js';
import type {
  FacetCount,
  IndexFacts,
  IndexStamp,
  SearchAnswer,
  SectionQuery,
} from '../../kb/section-index.port.js';
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
import { IDENTITY } from './schema.js';
import { weighTerms } from './match-expression.js';
import { searchSections } from './search-sections.js';
import { visibleRows } from './visible-rows.js';

interface Meta extends IndexStamp {
  readonly sectionCount: number;
}

const NO_FILTER = { docTags: null, pathPrefix: null, updatedAfter: null };

/** Reads one index file, synchronously. Follows the file when it is replaced, and every publish into it. */
export class SqliteIndexReader {
  // Kept in a field: a prepared statement that outlives its database fails once that is collected.
  private open: OpenIndex | null = null;
  private openedAs = '';
  private frequencies = { generation: '', byTerm: new Map<string, number>() };

  constructor(private readonly file: string) {}

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
      const documentFrequency = this.documentFrequency(database, meta.generation, query.terms);
      const terms = weighTerms(query.terms, documentFrequency, meta.sectionCount);
      const { candidates, matched, sameDocument } = searchSections(database, terms, query);
      const { generation, sectionCount } = meta;
      return { generation, candidates, matched, dropped: { sameDocument }, sectionCount, documentFrequency };
    });
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
      const answer = work(database, readMeta(database, this.file));
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

  private documentFrequency(
    database: Database,
    generation: string,
    terms: readonly string[],
  ): Record<string, number> {
    if (this.frequencies.generation !== generation) this.frequencies = { generation, byTerm: new Map() };
    const { byTerm } = this.frequencies;
    // Bounded: a caller can ask for any number of different words over time.
    if (byTerm.size > 50_000) byTerm.clear();
    const look = database.prepare('SELECT doc FROM section_term WHERE term = ?');
    const found: Record<string, number> = {};
    for (const term of terms) {
      const known = byTerm.get(term) ?? Number(look.get(term)?.['doc'] ?? 0);
      byTerm.set(term, known);
      found[term] = known;
    }
    return found;
  }
}

function readMeta(database: Database, file: string): Meta {
  const owner = ownerOf(database);
  if (owner === 'nobody') throw indexMissing(file);
  if (owner === 'other') throw notAnIndex(file, 'it is a database of another program');
  const rows = database.prepare('SELECT key, value FROM meta').all();
  const meta = new Map(rows.map((row) => [String(row['key']), String(row['value'])]));
  if (meta.get('identity') !== IDENTITY) throw indexIncompatible(file, 'another version of Pith built it');
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
