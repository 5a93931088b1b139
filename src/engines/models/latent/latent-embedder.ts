import { Embedder, type EmbedderProfile, type EmbeddingSpace } from '../../../core/ports/embedder.port.js';
import {
  embedTerms,
  fitLatentSpace,
  isFitted,
  isWorthFitting,
  LATENT_DIMENSIONS,
  LATENT_VERSION,
  type LatentSpace,
} from './latent-space.js';
import { packSpace, parseSpace } from './pack-space.js';
import { packVector } from './packed-vector.js';

/**
 * Weight of vector similarity; lexical score has weight 1. From .2 to .3 the results on SciFact, Cranfield, HotpotQA
 * and the documentation questions hardly change; above .3, HotpotQA and SciFact get worse.
 */
const WEIGHT = 0.25;

function toEmbeddingSpace(space: LatentSpace): EmbeddingSpace {
  return {
    embed: (terms) => packVector(embedTerms(space, terms)),
    question: (terms) => {
      const question = embedTerms(space, terms);
      return question.some((component) => component !== 0) ? question : null;
    },
    pack: () => packSpace(space),
  };
}

/** Latent semantic analysis, fitted on the indexed documents: no model and no download. */
export class LatentEmbedder extends Embedder {
  readonly profile: EmbedderProfile = {
    name: `lsa-${LATENT_VERSION}`,
    dimensions: LATENT_DIMENSIONS,
    weight: WEIGHT,
    recalls: false,
  };

  isWorthFitting(documentCount: number): boolean {
    return isWorthFitting(documentCount);
  }

  isFitted(position: number, sectionCount: number): boolean {
    return isFitted(position, sectionCount);
  }

  fit(sections: readonly (readonly string[])[]): EmbeddingSpace {
    return toEmbeddingSpace(fitLatentSpace(sections));
  }
  /** True for the sections of an evenly spaced sample. */

  unpack(bytes: Uint8Array): EmbeddingSpace {
    return toEmbeddingSpace(parseSpace(bytes));
  }
}
