import { Embedder } from '../../kb/embedder.port.js';
import type { EmbedderProfile, EmbeddingSpace } from '../../kb/embedder.port.js';
import { LatentEmbedder } from './latent-embedder.js';

/** Makes no vectors: words rank alone. */
class NoEmbedder extends Embedder {
  readonly profile: EmbedderProfile = { name: 'none', dimensions: 0, weight: 0 };

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

/** The embedder of a name, as PITH_EMBEDDER takes it. */
export function embedderNamed(name: 'lsa' | 'none'): Embedder {
  return name === 'none' ? new NoEmbedder() : new LatentEmbedder();
}
