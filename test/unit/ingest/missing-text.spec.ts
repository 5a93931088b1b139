import { missingText } from '../../../src/ingest/missing-text.js';

describe('missingText', () => {
  it.each([
    [0, 10, 0],
    [1, 51, 0],
    [1, 50, 1],
    [3, 3, 1],
  ])('of %i of %i pages makes %i remarks', (without, pages, remarks) => {
    expect(missingText(without, pages)).toHaveLength(remarks);
  });
});
