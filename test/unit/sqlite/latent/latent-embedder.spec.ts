import { LatentEmbedder, MAX_FITTED_SECTIONS } from '../../../../src/sqlite/latent/latent-embedder.js';

const embedder = new LatentEmbedder();

describe('LatentEmbedder.isFitted', () => {
  const fitted = (count: number) =>
    Array.from({ length: count }, (_, i) => i).filter((i) => embedder.isFitted(i, count));

  it('uses every section of a small corpus', () => {
    expect(fitted(MAX_FITTED_SECTIONS)).toHaveLength(MAX_FITTED_SECTIONS);
  });

  it('uses an evenly spaced sample of a large corpus', () => {
    expect(fitted(MAX_FITTED_SECTIONS + 1)).toHaveLength(MAX_FITTED_SECTIONS);
    expect(fitted(MAX_FITTED_SECTIONS * 3)).toHaveLength(MAX_FITTED_SECTIONS);
    expect(fitted(MAX_FITTED_SECTIONS * 3).slice(0, 4)).toEqual([0, 3, 6, 9]);
  });
});

describe('LatentEmbedder.isWorthFitting', () => {
  it('requires 50 documents', () => {
    expect([49, 50].map((count) => embedder.isWorthFitting(count))).toEqual([false, true]);
  });
});
