import { phraseFrequency } from '../../../../../src/engines/qdrant/search/phrase-frequency.js';

const nothing = { title: [], headings: [], file: [], body: [] };

describe('phraseFrequency', () => {
  it('counts terms that stand in this order, twice in a title', () => {
    const terms = { ...nothing, title: ['rate', 'limit'], body: ['limit', 'rate', 'limit', 'rate'] };
    expect(phraseFrequency(terms, ['rate', 'limit'])).toBe(3);
  });

  it('counts none across two fields', () => {
    expect(phraseFrequency({ ...nothing, title: ['rate'], body: ['limit'] }, ['rate', 'limit'])).toBe(0);
  });
});
