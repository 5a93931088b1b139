import { NOTHING_RANKED } from '../../../../src/core/note-retrieval.js';
import { sectionOfPage } from '../../../../src/diagnostics/why/collect-why-facts.js';

describe('sectionOfPage', () => {
  it.each([
    ['the section in the result', { listed: ['a.md#one', 'a.md#two'], shown: ['a.md#two'] }, 'a.md#two'],
    [
      'a section that was quoted, but did not fit',
      { listed: ['b.md', 'a.md#one'], shown: ['b.md'] },
      'a.md#one',
    ],
    ['no section of another page', { listed: ['b.md', 'a.md.md'], shown: ['b.md'] }, null],
  ])('finds %s', (_, facts, id) => {
    expect(sectionOfPage('a.md', { ...NOTHING_RANKED, ...facts })).toBe(id);
  });

  it('finds a page by its path as written', () => {
    const retrieval = { ...NOTHING_RANKED, shown: ['my%20page.md#one'] };
    expect(sectionOfPage('my page.md', retrieval)).toBe('my%20page.md#one');
  });
});
