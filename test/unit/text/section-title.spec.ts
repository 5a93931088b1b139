import { sectionTitle } from '../../../src/text/untrusted-text.js';

describe('sectionTitle', () => {
  it('joins the headings from the top down, up to 200 characters', () => {
    expect(sectionTitle(['Guide', 'Use', 'Disks'])).toBe('Guide > Use > Disks');
    expect(sectionTitle(['x'.repeat(300)])).toHaveLength(200);
  });

  it('begins with the titles above the page, as many of the innermost as fit', () => {
    expect(sectionTitle(['Install'], ['SDKs', 'Ruby'])).toBe('SDKs > Ruby > Install');
    expect(sectionTitle(['x'.repeat(190)], ['SDKs', 'Ruby'])).toBe(`Ruby > ${'x'.repeat(190)}`);
    expect(sectionTitle(['x'.repeat(300)], ['SDKs', 'Ruby'])).toMatch(/^x{199}…$/);
  });
});
