import { provenanceOf } from '../../../../src/memory/rows/provenance.js';
import { aRow } from '../../../support/fake-memory-store.js';

describe('provenanceOf', () => {
  it.each([
    ['human', 'human', 'green'],
    ['logged', 'human', 'green'],
    ['tool', 'tool', 'amber'],
    ['model', 'model', 'red'],
    ['inner_voice', 'model', 'red'],
    ['Human', 'model', 'red'],
    ['', 'model', 'red'],
    [null, 'model', 'red'],
  ])('treats a thought of origin %j as %s, %s', (origin, expected, tier) => {
    expect(provenanceOf(aRow({ id: 't:1', origin }))).toEqual({
      source_type: 'thought',
      origin: expected,
      trust_tier: tier,
    });
  });

  it.each([
    ['human', 'human'],
    ['logged', 'human'],
    ['tool', 'tool'],
    ['model', 'model'],
    ['unheard of', 'model'],
    [null, 'human'],
  ])('treats graph facts of origin %j as green and %s', (origin, expected) => {
    expect(provenanceOf(aRow({ id: 'e:1', origin }))).toEqual({
      source_type: 'kg_entity',
      origin: expected,
      trust_tier: 'green',
    });
  });

  it('distinguishes entities and observations', () => {
    expect(provenanceOf(aRow({ id: 'o:1' })).source_type).toBe('kg_observation');
  });
});
