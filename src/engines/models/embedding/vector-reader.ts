import { UnreadableAnswer } from '../http/post-json.js';
import { wrongDimensions } from './model-texts.js';
import { unitVector } from '../latent/unit-vector.js';

/** Checks what a model answers: as many vectors as texts, all with a direction, and all of one length. */
export class VectorReader {
  /** @param dimensions  0 where nobody said, and the first answer tells */
  constructor(
    private readonly model: string,
    public dimensions: number,
  ) {}

  /** @throws UnreadableAnswer; BackendUnavailableError for vectors of another length than was said */
  read(rows: readonly (readonly number[])[], count: number): Float32Array[] {
    const vectors = rows.flatMap((row) => unitVector(row) ?? []);
    if (rows.length !== count || vectors.length !== count)
      throw new UnreadableAnswer(`the model returned ${vectors.length} vectors for ${count} texts`);
    const dimensions = this.dimensions || (rows[0]?.length ?? 0);
    const wrong = rows.find((row) => row.length !== dimensions);
    if (wrong) throw wrongDimensions(this.model, wrong.length, dimensions);
    this.dimensions = dimensions;
    return vectors;
  }
}
