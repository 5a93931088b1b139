import { spellTerms } from '../../../../src/diagnostics/why/spell-terms';

const spelled = (terms: readonly string[], ...texts: string[]): string[] => [
  ...spellTerms(terms, texts).values(),
];

describe('spellTerms', () => {
  it('gives back the words that were asked', () => {
    expect(spelled(['instal', 'sourc'], 'How do I install it', 'from sources?')).toEqual([
      'install',
      'sources',
    ]);
  });

  it('leaves what was rewritten, and parts of identifiers, as they are', () => {
    expect(spelled(['kestrel', 'rate', 'ratelimiterror'], 'kestral RateLimitError')).toEqual([
      'kestrel',
      'rate',
      'ratelimiterror',
    ]);
  });

  it('takes the first spelling of several', () => {
    expect(spelled(['index'], 'indexing indexes')).toEqual(['indexing']);
  });
});
