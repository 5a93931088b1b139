import { listedPrompts } from '../../../src/mcp/corpus-lists.js';
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
