import { randomSigns } from '../../../../src/sqlite/latent/latent-space.js';

describe('randomSigns', () => {
  it('gives the same signs for the same seed on every machine', () => {
    expect([...randomSigns(12, 7)]).toEqual([-1, -1, -1, -1, 1, -1, 1, 1, 1, -1, 1, 1]);
  });

  it('gives other signs for another seed', () => {
    expect(randomSigns(64, 7)).not.toEqual(randomSigns(64, 8));
  });

  it('gives only plus and minus one, about equally often', () => {
    const signs = randomSigns(10_000, 7);
    expect(new Set(signs)).toEqual(new Set([-1, 1]));
    expect(Math.abs(signs.reduce((sum, sign) => sum + sign, 0))).toBeLessThan(300);
  });
});
