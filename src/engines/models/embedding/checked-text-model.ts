import { BackendUnavailableError } from '../../../core/errors.js';
import type { EmbedderProfile } from '../../../core/ports/embedder.port.js';
import { TextModel } from '../../../core/ports/text-model.port.js';
import { UnreadableAnswer } from '../http/post-json.js';
import type { ModelSettings } from './model-settings.js';

/** Base class of models: checks that an answer has one vector per text, none zero, all of the same length. */
export abstract class CheckedTextModel extends TextModel {
  /** 0 if unknown; the first answer then sets it. */
  protected dimensions: number;

  /** @param title  the model in messages */
  constructor(
    protected readonly settings: ModelSettings,
    private readonly title: string,
  ) {
    super();
    this.dimensions = settings.dimensions;
  }

  get profile(): EmbedderProfile {
    const { name, weight } = this.settings;
    return { name, dimensions: this.dimensions, weight, recalls: true };
  }

  /** @throws UnreadableAnswer; BackendUnavailableError for vectors of an unexpected length */
  protected checked(rows: readonly (readonly number[])[], count: number): Float32Array[] {
    const vectors = rows.flatMap((row) => unitVector(row) ?? []);
    if (rows.length !== count || vectors.length !== count)
      throw new UnreadableAnswer(`the model returned ${vectors.length} vectors for ${count} texts`);
    const dimensions = this.dimensions || (rows[0]?.length ?? 0);
    const wrong = rows.find((row) => row.length !== dimensions);
    if (wrong) throw wrongDimensions(this.title, wrong.length, dimensions);
    this.dimensions = dimensions;
    return vectors;
  }
}

/** The error for vectors of an unexpected length; they can't be compared with those in the index. */
function wrongDimensions(model: string, found: number, wanted: number): BackendUnavailableError {
  const message = `${model} returns vectors with ${found} components; ${wanted} were expected.`;
  return new BackendUnavailableError(message, {
    reason: 'embedder',
    hint: `Set PITH_EMBED_DIMENSIONS=${found} and index again (memory: SURR_EMBED_DIM=${found} and pith memory reembed), or correct the model name.`,
  });
}

/** Scales a vector to length 1; null for a zero vector and for values that are not finite. */
export function unitVector(values: readonly number[]): Float32Array | null {
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) return null;
  return Float32Array.from(values, (value) => value / length);
}
