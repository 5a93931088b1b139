import type { CorpusDeclaration } from '../../core/corpus-declaration.js';
import type { CorpusFacts } from '../../core/corpus-facts.js';
import type { Embedder, EmbeddingSpace } from '../../core/ports/embedder.port.js';
import type { TitleMemo } from '../../kb/search/score-hits.js';
import { bytesOrNull, type Database } from '../driver.js';
import { COUNT_SECTIONS } from '../postings.js';
import { VectorTable } from '../vector-table.js';
import { type DocumentTitles, toMask, type Visibility } from './find-rows.js';
import { readDeclaration } from './read-taxonomy.js';
import { type RowMask, WordScores } from './word-scores.js';

/** Maximum number of cached terms: callers may ask for any number of different words over time. */
const MAX_TERMS = 50_000;
/** Maximum number of cached masks: a server has few scopes, but callers may filter by any values. */
const MAX_MASKS = 32;
/** Longer keys, from filters with many ids, are not kept. Lists of groups are part of them. */
const MAX_KEY_CHARS = 20_000;

/** Values that are read once for each generation of the index. */
export class IndexCache {
  readonly vectors = new VectorTable();
  readonly titles: TitleMemo = new Map();
  readonly documentTitles: DocumentTitles = new Map();
  /** By scope. */
  readonly corpora = new Map<string, CorpusFacts>();
  private readonly frequencies = new Map<string, number>();
  private readonly masks = new Map<string, RowMask | null>();
  private words: WordScores | undefined;
  private declaration: CorpusDeclaration | undefined;
  private space: EmbeddingSpace | null | undefined;

  constructor(
    readonly generation: string,
    private readonly embedder: Embedder,
  ) {}

  /** Number of sections that contain a term. */
  frequencyOf(database: Database, term: string): number {
    const known = this.frequencies.get(term);
    if (known !== undefined) return known;
    if (this.frequencies.size >= MAX_TERMS) this.frequencies.clear();
    const row = database.prepare(COUNT_SECTIONS).get(term);
    const frequency = Number(row?.['sections'] ?? 0);
    this.frequencies.set(term, frequency);
    return frequency;
  }

  wordsOf(database: Database, sectionCount: number): WordScores {
    return (this.words ??= new WordScores(database, sectionCount));
  }

  /** The visible rows; null if all are visible. @param rows  the ids are below this */
  maskOf(database: Database, visible: Visibility, rows: number): RowMask | null {
    const key = JSON.stringify([visible.conditions, visible.values]);
    const known = this.masks.get(key);
    if (known !== undefined) return known;
    const mask = toMask(database, visible, rows);
    if (this.masks.size >= MAX_MASKS) this.masks.clear();
    if (key.length <= MAX_KEY_CHARS) this.masks.set(key, mask);
    return mask;
  }

  declarationOf(database: Database): CorpusDeclaration {
    return (this.declaration ??= readDeclaration(database));
  }

  /** The space of the index's vectors; null if it has none. */
  spaceOf(database: Database): EmbeddingSpace | null {
    if (this.space !== undefined) return this.space;
    const bytes = bytesOrNull(database.prepare('SELECT bytes FROM embedding_space').get()?.['bytes']);
    return (this.space = bytes && this.embedder.unpack(bytes));
  }
}
