import type { EmbedderProfile } from '../../core/ports/embedder.port.js';
import type { SectionQuery, StoredSection } from '../../core/ports/section-index.port.js';
import type { SeenScope } from '../../core/scope.js';
import type { KnownTerm, NearbyTerms } from '../../kb/search/nearest-term.js';
import type { Cosines } from '../../kb/search/score-hits.js';
import type {
  EndStage,
  Matches,
  SearchedGeneration,
  SearchEngine,
  Sought,
} from '../../kb/search/search-engine.js';
import { bytesOrNull, type Database, text, textOrNull } from '../driver.js';
import type { Meta } from '../index-file.js';
import { similarity } from '../latent/packed-vector.js';
import {
  readBest,
  readHits,
  type RowHit,
  SPARE_ROWS,
  type Visibility,
  visibleRows,
  where,
} from './find-rows.js';
import type { IndexCache } from './index-cache.js';
import { SECTION_BY_ROW, toStored } from './stored-sections.js';
import type { RowMask, WordScores } from './word-scores.js';

/** One statement for all rows takes two thirds of the time of one for each. */
const VECTORS = 'SELECT v.id, v.vector FROM json_each(?) j CROSS JOIN section_vector v ON v.id = j.value';

const TEXTS = 'SELECT s.id, s.text FROM json_each(?) j CROSS JOIN section s ON s.id = j.value';

interface ReadTransaction {
  readonly database: Database;
  readonly meta: Meta;
  readonly cache: IndexCache;
  readonly profile: EmbedderProfile;
  /** The scope of the query. */
  readonly seen: SeenScope;
}

/** Answers all questions of one search from the index file, synchronously. */
export class SqliteSearchEngine implements SearchEngine<RowHit> {
  readonly generation: SearchedGeneration;
  private readonly visible: Visibility;
  private readonly words: WordScores;
  /** Null if all rows are visible. */
  private readonly mask: RowMask | null;
  private readonly readRow;
  /** Cached because each term is requested several times, and its visibility check is a query. */
  private readonly frequencies = new Map<string, number>();
  private readonly tags = new Map<number, string>();
  /** A search that looks at more rows asks for the same sections again. */
  private readonly sections = new Map<number, StoredSection>();

  constructor(
    query: SectionQuery,
    private readonly open: ReadTransaction,
  ) {
    const { database, meta, cache, profile, seen } = open;
    const { generation: id, sectionCount } = meta;
    const declaration = cache.declarationOf(database);
    this.generation = { id, sectionCount, declaration, profile, titles: cache.titles };
    this.visible = visibleRows(seen, query.filter);
    this.words = cache.wordsOf(database, sectionCount);
    this.mask = cache.maskOf(database, this.visible, this.words.rows);
    this.readRow = database.prepare(SECTION_BY_ROW);
  }

  longForms(shorts: readonly string[]): (string | null)[] {
    const { conditions, values } = this.visible;
    const look = this.open.database.prepare(
      `SELECT a.long FROM acronym a CROSS JOIN section s ON s.id = a.section_id
       CROSS JOIN document d ON d.id = s.document_id
       ${where(['a.short = ?', ...conditions])}
       GROUP BY a.long ORDER BY count(*) DESC, a.long LIMIT 1`,
    );
    return shorts.map((short) => textOrNull(look.get(short, ...values)?.['long']));
  }

  frequencyOf(term: string): number {
    const known = this.frequencies.get(term);
    if (known !== undefined) return known;
    const { cache, database } = this.open;
    const frequency = cache.frequencyOf(database, term);
    const isVisible = frequency > 0 && (!this.mask || this.words.isVisible(database, term, this.mask));
    const visible = isVisible ? frequency : 0;
    this.frequencies.set(term, visible);
    return visible;
  }

  lookUpTerms(): boolean {
    return false;
  }

  termsNear({ start, shortest, longest }: NearbyTerms): KnownTerm[] {
    return this.open.database
      .prepare(
        'SELECT term, doc FROM section_term WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?',
      )
      .all(start, `${start}\u{10ffff}`, shortest, longest)
      .map((row) => ({ term: String(row['term']), sections: Number(row['doc']) }));
  }

  vectorOf(terms: readonly string[]): Float32Array | null {
    return this.open.cache.spaceOf(this.open.database)?.question(terms) ?? null;
  }

  matcher(sought: Sought, endStage: EndStage): (fetch: number) => Matches<RowHit> {
    const { database } = this.open;
    const { terms, phrases, vector } = sought;
    const { mask } = this;
    const byVector = this.recall(sought);
    endStage('vector');
    const { documentTitles: titles } = this.open.cache;
    const known = new Map<number, RowHit>();
    const cosines = new Map<number, number | null>();
    const query = { terms, phrases, mask };
    return (fetch) => {
      const best = this.words.best(database, query, fetch + SPARE_ROWS);
      const byWords = readBest(database, best, { fetch, known, titles });
      return { byWords, byVector, cosinesOf: (hits) => this.cosinesOf(hits, vector, cosines) };
    };
  }

  read({ rowId }: RowHit): StoredSection {
    const known = this.sections.get(rowId);
    if (known) return known;
    const stored = toStored(this.readRow.get(rowId) ?? {});
    this.sections.set(rowId, stored);
    return stored;
  }

  textsOf(hits: readonly RowHit[]): string[] {
    const rows = this.open.database.prepare(TEXTS).all(JSON.stringify(hits.map(({ rowId }) => rowId)));
    const byRow = new Map(rows.map((row) => [Number(row['id']), text(row['text'])]));
    return hits.map(({ rowId }) => byRow.get(rowId) ?? '');
  }

  tagOf({ documentId }: RowHit): string {
    const known = this.tags.get(documentId);
    if (known !== undefined) return known;
    const row = this.open.database.prepare('SELECT doc_tag FROM document WHERE id = ?').get(documentId);
    const tag = text(row?.['doc_tag']);
    this.tags.set(documentId, tag);
    return tag;
  }

  /** @param known  cosines by row; those of other rows are added */
  private cosinesOf(
    hits: readonly RowHit[],
    question: Float32Array | null,
    known: Map<number, number | null>,
  ): Cosines {
    const ids = hits.map(({ rowId }) => rowId).filter((rowId) => !known.has(rowId));
    if (question && ids.length > 0) {
      for (const { id, vector } of this.open.database.prepare(VECTORS).all(JSON.stringify(ids))) {
        const packed = bytesOrNull(vector);
        known.set(Number(id), packed && similarity(question, packed));
      }
    }
    return hits.map(({ rowId }) => known.get(rowId) ?? null);
  }

  private recall(sought: Sought): RowHit[] {
    const { terms, phrases, vector: question, recalls: limit } = sought;
    if (!question || limit === 0) return [];
    const { database, cache } = this.open;
    const asked = { question, visible: this.visible, limit };
    const nearest = cache.vectors.nearest(database, cache.generation, asked);
    const mask = new Uint8Array(this.words.rows);
    for (const { row } of nearest) mask[row] = 1;
    const scored = this.words.best(database, { terms, phrases, mask }, limit);
    const scores = new Map(scored.map(({ row, score }) => [row, score]));
    return readHits(
      database,
      nearest.map(({ row }) => ({ row, score: scores.get(row) ?? 0 })),
      cache.documentTitles,
    );
  }
}
