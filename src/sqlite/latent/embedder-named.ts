import { Embedder, type EmbedderProfile, type EmbeddingSpace } from '../../core/ports/embedder.port.js';
import { LatentEmbedder } from './latent-embedder.js';

const NONE: EmbedderProfile = { name: 'none', dimensions: 0, weight: 0, recalls: false };

/** Computes no vectors. Either only words are ranked, or sections and questions already have a model's vectors. */
export class NoEmbedder extends Embedder {
  /** @param profileNow  the profile of a model changes when its first answer sets the dimensions */
  constructor(private readonly profileNow: () => EmbedderProfile) {
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
    return this.fit();
  }
}

/** An embedder as data: its name, or its profile. */
export type EmbedderChoice = string | EmbedderProfile;

const isFitted = ({ recalls, name }: EmbedderProfile): boolean => !recalls && name !== NONE.name;

/** Makes the embedder for a choice that another thread has sent. */
export function embedderOfChoice(choice: EmbedderChoice): Embedder {
  if (typeof choice === 'string') return embedderNamed(choice);
  return isFitted(choice) ? new LatentEmbedder(choice.also) : new NoEmbedder(() => choice);
}

/** The fitted embedder for a value of PITH_EMBEDDER; for other values one that computes no vectors. */
export function embedderNamed(name: string): Embedder {
  return name === 'lsa' ? new LatentEmbedder() : new NoEmbedder(() => NONE);
}
