import { instructionsFor, listedPrompts } from '../../../src/mcp/corpus-lists.js';
import { aCorpus, aPrompt } from '../../support/a-corpus.js';

describe('listedPrompts', () => {
  it('lists none for a corpus that has none or can not be read', () => {
    expect(listedPrompts(aCorpus())).toEqual([]);
    expect(listedPrompts(null)).toEqual([]);
  });

  it('tells names, titles, descriptions and arguments, as far as there are any', () => {
    const args = [
      { name: 'topic', description: 'What about.', isRequired: true },
      { name: 'style', description: null, isRequired: false },
    ];
    const prompts = [
      aPrompt({ name: 'a', title: 'A', description: 'About a.', arguments: args }),
      aPrompt({ name: 'b' }),
    ];
    expect(listedPrompts(aCorpus({ prompts }))).toEqual([
      {
        name: 'a',
        title: 'A',
        description: 'About a.',
        arguments: [
          { name: 'topic', description: 'What about.', required: true },
          { name: 'style', required: false },
        ],
      },
      { name: 'b', arguments: [] },
    ]);
  });
});

describe('instructionsFor', () => {
  it('is our own words where the corpus has none', () => {
    expect(instructionsFor('Ask.', null)).toBe('Ask.');
    expect(instructionsFor('Ask.', aCorpus({ instructions: ' ' }))).toBe('Ask.');
  });

  it("is followed by the corpus's, up to a bound", () => {
    expect(instructionsFor('Ask.', aCorpus({ instructions: 'Prefer guides.\n' }))).toBe(
      'Ask.\n\nPrefer guides.',
    );
    expect(instructionsFor('Ask.', aCorpus({ instructions: 'x'.repeat(9_000) })).length).toBeLessThan(4_100);
  });
});
