import { questionTerms, rowTerms } from '../../../../src/memory/recall/memory-terms.js';

describe('rowTerms', () => {
  it('leaves function words out and keeps repeats', () => {
    expect(rowTerms('The kestrel and the owl and the kestrel')).toEqual(['kestrel', 'owl', 'kestrel']);
  });

  it('keeps them where there is nothing else', () => {
    expect(rowTerms('To be or not to be')).toHaveLength(6);
    expect(rowTerms('')).toEqual([]);
  });
});

describe('questionTerms', () => {
  it('also leaves out what wraps a question', () => {
    expect(questionTerms('How can I find the kestrel, please?')).toEqual(['find', 'kestrel']);
  });

  it('keeps that where there is nothing else', () => {
    expect(questionTerms('something please')).toHaveLength(2);
  });
});
