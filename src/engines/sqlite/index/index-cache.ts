import type { CorpusDeclaration } from '../../../core/corpus-declaration.js';
import type { CorpusFacts } from '../../../core/corpus-facts.js';
import type { Embedder, EmbeddingSpace } from '../../../core/ports/embedder.port.js';
import type { TitleMemo } from '../../../kb/search/score-hits.js';
import type { Database } from '../driver.js';
import { bytesOrNull } from '../row-values.js';
import { VectorTable } from '../vector-table.js';
import { readDeclaration } from './read-taxonomy.js';

/** Maximum number of cached terms: callers may ask for any number of different words over time. */
const MAX_TERMS = 50_000;

/** Values that are read once for each generation of the index. */
export class IndexCache {
  readonly vectors = new VectorTable();
  readonly titles: TitleMemo = new Map();
  /** By scope. */
  readonly corpora = new Map<string, CorpusFacts>();
  private readonly frequencies = new Map<string, number>();
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
    const row = database.prepare('SELECT doc FROM section_term WHERE term = ?').get(term);
    const frequency = Number(row?.['doc'] ?? 0);
    this.frequencies.set(term, frequency);
    return frequency;
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
