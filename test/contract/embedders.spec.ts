import { embedderNamed } from '../../src/engines/models/embedding/embedder-named.js';
import { LatentEmbedder } from '../../src/engines/models/latent/latent-embedder.js';
import { embedderContract, fittingEmbedderContract } from './embedder.contract.js';

embedderContract('LatentEmbedder', () => new LatentEmbedder());
fittingEmbedderContract('LatentEmbedder', () => new LatentEmbedder());
embedderContract('NoEmbedder', () => embedderNamed('none'));

describe('embedderNamed', () => {
  it('gives embedders whose names tell them apart', () => {
    expect(embedderNamed('lsa').profile.name).not.toBe(embedderNamed('none').profile.name);
  });

  it('never makes vectors when it is none', () => {
    const none = embedderNamed('none');
    expect(none.isWorthFitting(1_000_000)).toBe(false);
    expect(none.isFitted(0, 1)).toBe(false);
    expect(none.profile).toMatchObject({ dimensions: 0, weight: 0 });
    expect(() => none.fit([])).toThrow();
  });
});
