import { spellTerms } from '../../../../src/diagnostics/why/collect-why-facts.js';

const spelled = (terms: readonly string[], ...texts: string[]): string[] => [
  ...spellTerms(terms, texts).values(),
];

describe('spellTerms', () => {
  it('returns the words of the query', () => {
    expect(spelled(['instal', 'sourc'], 'How do I install it', 'from sources?')).toEqual([
      'install',
      'sources',
    ]);
  });

  it('does not change rewritten terms and parts of identifiers', () => {
    expect(spelled(['kestrel', 'rate', 'ratelimiterror'], 'kestral RateLimitError')).toEqual([
      'kestrel',
      'rate',
      'ratelimiterror',
    ]);
  });

  it('uses the first of several spellings', () => {
    expect(spelled(['index'], 'indexing indexes')).toEqual(['indexing']);
  });
});
