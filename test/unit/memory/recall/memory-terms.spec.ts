import { questionTerms, rowTerms } from '../../../../src/memory/recall/memory-terms.js';

describe('rowTerms', () => {
  it('removes function words and keeps repeats', () => {
    expect(rowTerms('The kestrel and the owl and the kestrel')).toEqual(['kestrel', 'owl', 'kestrel']);
  });

  it('keeps function words if there are no other words', () => {
    expect(rowTerms('To be or not to be')).toHaveLength(6);
    expect(rowTerms('')).toEqual([]);
  });
});

describe('questionTerms', () => {
  it('also removes question words', () => {
    expect(questionTerms('How can I find the kestrel, please?')).toEqual(['find', 'kestrel']);
  });

  it('keeps question words if there are no other words', () => {
    expect(questionTerms('something please')).toHaveLength(2);
  });
});
