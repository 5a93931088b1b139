import { listedPrompts } from '../../../src/mcp/corpus-lists.js';
import { aCorpus, aPrompt } from '../../support/a-corpus.js';

describe('listedPrompts', () => {
  it('is empty for a corpus without prompts and for one that can not be read', () => {
    expect(listedPrompts(aCorpus())).toEqual([]);
    expect(listedPrompts(null)).toEqual([]);
  });

  it('lists names, titles, descriptions and arguments, if they exist', () => {
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
