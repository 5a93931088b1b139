import { titleOf } from '../../../src/scratch/passage-title.js';

describe('titleOf', () => {
  it('joins the headings from the top down, up to 200 characters', () => {
    expect(titleOf(['Guide', 'Use', 'Disks'])).toBe('Guide > Use > Disks');
    expect(titleOf(['x'.repeat(300)])).toHaveLength(200);
  });
});
