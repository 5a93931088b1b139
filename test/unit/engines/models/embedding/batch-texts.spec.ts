import { batchTexts } from '../../../../../src/engines/models/embedding/batch-texts.js';

describe('batchTexts', () => {
  it('ends a batch where it holds enough texts', () => {
    expect(batchTexts(['a', 'b', 'c'], { texts: 2, chars: 100 })).toEqual([['a', 'b'], ['c']]);
  });

  it('ends a batch where it holds enough characters', () => {
    expect(batchTexts(['aaa', 'bbb', 'cc', 'd'], { texts: 9, chars: 6 })).toEqual([
      ['aaa', 'bbb'],
      ['cc', 'd'],
    ]);
  });

  it('sends a text alone that is longer than a batch', () => {
    expect(batchTexts(['a', 'bbbbbbbb', 'c'], { texts: 9, chars: 4 })).toEqual([['a'], ['bbbbbbbb'], ['c']]);
  });

  it('makes no batch of nothing', () => {
    expect(batchTexts([], { texts: 2, chars: 4 })).toEqual([]);
  });
});
