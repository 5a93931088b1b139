import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { LatentEmbedder } from '../../src/sqlite/latent/latent-embedder.js';
import { embedderContract, fittingEmbedderContract } from './embedder.contract.js';

embedderContract('LatentEmbedder', () => new LatentEmbedder());
fittingEmbedderContract('LatentEmbedder', () => new LatentEmbedder());
embedderContract('NoEmbedder', () => embedderNamed('none'));

describe('embedderNamed', () => {
  it('have different names', () => {
    expect(embedderNamed('lsa').profile.name).not.toBe(embedderNamed('none').profile.name);
  });

  it('does not make vectors for the name none', () => {
    const none = embedderNamed('none');
    expect(none.isWorthFitting(1_000_000)).toBe(false);
    expect(none.isFitted(0, 1)).toBe(false);
    expect(none.profile).toMatchObject({ dimensions: 0, weight: 0 });
    expect(() => none.fit([])).toThrow();
  });
});
