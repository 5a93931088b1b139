import { BestRows, type RankedRow } from './best-rows.js';
import type { Database } from './driver.js';
import { type Visibility, where } from './index/find-rows.js';
import { similarities } from './latent/packed-vector.js';

interface VectorLimits {
  readonly blockRows: number;
  /** Maximum size of cached vectors in bytes; others are read again for every question. */
  readonly keptBytes: number;
}

/** 256 MB hold 660,000 vectors of 384 components, or 250,000 of 1,024. */
const VECTOR_LIMITS: VectorLimits = { blockRows: 10_000, keptBytes: 268_435_456 };

/** A block of rows, ordered by row id. */
interface VectorBlock {
  readonly rows: Float64Array;
  /** Packed vectors in sequence. */
  readonly packed: Uint8Array;
}

/** Start of a block, and the block if it is cached. */
interface Place {
  readonly after: number;
  readonly block: VectorBlock | null;
}

const BLOCK = 'SELECT id, vector FROM section_vector WHERE id > ? ORDER BY id LIMIT ?';

interface NearestQuery {
  /** The question's vector, of length 1. */
  readonly question: Float32Array;
  readonly visible: Visibility;
  readonly limit: number;
}

/** The vectors of an index, read once for each generation. */
export class VectorTable {
  private generation = '';
  private places: readonly Place[] = [];

  constructor(private readonly limits: VectorLimits = VECTOR_LIMITS) {}

  /**
   * Finds the visible rows whose vectors are nearest to the question's by cosine; compares all rows.
   * @returns best first, ties by row
   * @throws RangeError if the vectors and the question have different lengths
   */
  nearest(database: Database, generation: string, query: NearestQuery): readonly RankedRow[] {
    if (this.generation !== generation) this.load(database, generation);
    const isVisible = visibleAmong(database, query.visible);
    const best = new BestRows(query.limit);
    for (const { after, block } of this.places) {
      const { rows, packed } = block ?? readBlock(database, after, this.limits.blockRows);
      const cosines = new Float32Array(rows.length);
      similarities(query.question, checked(packed, query.question, rows.length), cosines);
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i] ?? 0;
        if (isVisible(row)) best.offer(row, cosines[i] ?? 0);
      }
    }
    return best.list();
  }

  private load(database: Database, generation: string): void {
    const places: Place[] = [];
    let kept = 0;
    for (let after = 0, isLast = false; !isLast;) {
      const block = readBlock(database, after, this.limits.blockRows);
      kept += block.packed.length;
      places.push({ after, block: kept <= this.limits.keptBytes ? block : null });
      isLast = block.rows.length < this.limits.blockRows;
      after = block.rows.at(-1) ?? after;
    }
    this.generation = generation;
    this.places = places;
  }
}

function readBlock(database: Database, after: number, most: number): VectorBlock {
  const found = database.prepare(BLOCK).all(after, most);
  const vectors = found.map(({ vector }) => (vector instanceof Uint8Array ? vector : new Uint8Array()));
  return { rows: Float64Array.from(found, ({ id }) => Number(id)), packed: Buffer.concat(vectors) };
}

/** All vectors of a model have the same length. */
function checked(packed: Uint8Array, question: Float32Array, count: number): Uint8Array {
  const width = count === 0 ? 0 : packed.length / count;
  if (count > 0 && width !== question.length + 4)
    throw new RangeError(
      `Vectors of different lengths were compared: ${question.length} and ${width - 4} components.`,
    );
  return packed;
}

function visibleAmong(database: Database, { conditions, values }: Visibility): (row: number) => boolean {
  if (conditions.length === 0) return () => true;
  const rows = database
    .prepare(`SELECT s.id FROM document d CROSS JOIN section s ON s.document_id = d.id ${where(conditions)}`)
    .all(...values);
  const visible = new Set(rows.map(({ id }) => Number(id)));
  return (row) => visible.has(row);
}
