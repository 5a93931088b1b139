import { Embedder } from '../../../core/ports/embedder.port.js';
import type { EmbedderProfile, EmbeddingSpace } from '../../../core/ports/embedder.port.js';
import { LatentEmbedder } from '../latent/latent-embedder.js';

const NONE: EmbedderProfile = { name: 'none', dimensions: 0, weight: 0, recalls: false };

/** Makes no vectors: words rank alone, or a model's vectors come with sections and questions. */
class NoEmbedder extends Embedder {
  constructor(private readonly profileNow: () => EmbedderProfile = () => NONE) {
    super();
  }

  get profile(): EmbedderProfile {
    return this.profileNow();
  }

  isWorthFitting(): boolean {
    return false;
  }

  isFitted(): boolean {
    return false;
  }

  fit(): EmbeddingSpace {
    throw new Error('no embedder is configured');
  }

  unpack(): EmbeddingSpace {
    throw new Error('no embedder is configured');
  }
}

/**
 * What stands for a model where an index is read or written: the vectors themselves come with sections and questions.
 * @param profile  asked each time: some models tell their dimensions with their first answer
 */
export function embedderOfModel(profile: () => EmbedderProfile): Embedder {
  return new NoEmbedder(profile);
}

/** An embedder as another thread is told of it: the name of a fitted one, or the profile of a model. */
export type EmbedderChoice = string | EmbedderProfile;

/** @see embedderNamed, embedderOfModel */
export function embedderOfChoice(choice: EmbedderChoice): Embedder {
  return typeof choice === 'string' ? embedderNamed(choice) : embedderOfModel(() => choice);
}

/** The fitted embedder of a name, as PITH_EMBEDDER takes it; one that makes nothing for every other name. */
export function embedderNamed(name: string): Embedder {
  return name === 'lsa' ? new LatentEmbedder() : new NoEmbedder();
}
