import { indexChanged } from '../../../src/graph/index-changed.js';

describe('indexChanged', () => {
  it('says how long to wait: a moment, or until an index run has filled another engine', () => {
    expect(indexChanged()).toMatchObject({
      reason: 'index_busy',
      hint: 'Try again in a moment. While an index run publishes to another engine, this can last until the run has finished.',
    });
  });
});
