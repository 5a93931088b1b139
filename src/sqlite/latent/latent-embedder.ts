import { Embedder, type EmbedderProfile, type EmbeddingSpace } from '../../core/ports/embedder.port.js';
import {
  embedTerms,
  fitLatentSpace,
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

// Measured: with fewer documents, too few words co-occur for the space to help.
const MIN_DOCUMENTS = 50;

/** A sample of 2,000 of 5,183 sections ranks as well as all; 6,000 take about .4 s and include rarer terms. */
export const MAX_FITTED_SECTIONS = 6000;

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
  readonly profile: EmbedderProfile;

  /** @param also  the other embedder whose indexes are read too */
  constructor(also?: EmbedderProfile) {
    super();
    this.profile = {
      name: `lsa-${LATENT_VERSION}`,
      dimensions: LATENT_DIMENSIONS,
      weight: WEIGHT,
      recalls: false,
      ...(also ? { also } : {}),
    };
  }

  isWorthFitting(documentCount: number): boolean {
    return documentCount >= MIN_DOCUMENTS;
  }

  /** True for the sections of an evenly spaced sample. */
  isFitted(position: number, sectionCount: number): boolean {
    if (sectionCount <= MAX_FITTED_SECTIONS) return true;
    const sampled = (before: number): number => Math.ceil((before * MAX_FITTED_SECTIONS) / sectionCount);
    return sampled(position + 1) > sampled(position);
  }

  fit(sections: readonly (readonly string[])[]): EmbeddingSpace {
    return toEmbeddingSpace(fitLatentSpace(sections));
  }

  unpack(bytes: Uint8Array): EmbeddingSpace {
    return toEmbeddingSpace(parseSpace(bytes));
  }
}
