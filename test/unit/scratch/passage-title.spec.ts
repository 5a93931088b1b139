import { titleOf } from '../../../src/scratch/passage-title.js';

describe('titleOf', () => {
  it('joins the headings from the top down, up to 200 characters', () => {
    expect(titleOf(['Guide', 'Use', 'Disks'])).toBe('Guide > Use > Disks');
    expect(titleOf(['x'.repeat(300)])).toHaveLength(200);
  });

  it('begins with the titles above the page, as many of the innermost as fit', () => {
    expect(titleOf(['Install'], ['SDKs', 'Ruby'])).toBe('SDKs > Ruby > Install');
    expect(titleOf(['x'.repeat(190)], ['SDKs', 'Ruby'])).toBe(`Ruby > ${'x'.repeat(190)}`);
    expect(titleOf(['x'.repeat(300)], ['SDKs', 'Ruby'])).toMatch(/^x{199}…$/);
  });
});
