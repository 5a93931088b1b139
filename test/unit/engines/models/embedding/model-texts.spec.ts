import { batchTexts } from '../../../../../src/engines/models/embedding/model-texts.js';

describe('batchTexts', () => {
  it('ends a batch at the limit of texts', () => {
    expect(batchTexts(['a', 'b', 'c'], { texts: 2, chars: 100 })).toEqual([['a', 'b'], ['c']]);
  });

  it('ends a batch at the limit of characters', () => {
    expect(batchTexts(['aaa', 'bbb', 'cc', 'd'], { texts: 9, chars: 6 })).toEqual([
      ['aaa', 'bbb'],
      ['cc', 'd'],
    ]);
  });

  it('puts a text that exceeds the limit into its own batch', () => {
    expect(batchTexts(['a', 'bbbbbbbb', 'c'], { texts: 9, chars: 4 })).toEqual([['a'], ['bbbbbbbb'], ['c']]);
  });

  it('makes no batch for no texts', () => {
    expect(batchTexts([], { texts: 2, chars: 4 })).toEqual([]);
  });
});
