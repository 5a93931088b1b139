import { documentMarkdown } from '../../../../src/search-docs/documents/documents.service.js';
import { aSection } from '../../../support/builders.js';

describe('documentMarkdown', () => {
  it('puts every section under its heading', () => {
    const sections = [
      aSection({ id: 'a.md#_preamble', title: 'A', headingPath: ['A'], level: 1, text: 'Intro.' }),
      aSection({ id: 'a.md#b', title: 'B', headingPath: ['A', 'B'], level: 2, text: 'More.' }),
    ];
    expect(documentMarkdown(sections)).toBe('# A\n\nIntro.\n\n## B\n\nMore.\n');
  });

  it('adds each heading without a text of its own once', () => {
    const headingPath = ['A', 'B'];
    const sections = [
      aSection({ id: 'a.md#b/c', title: 'C', headingPath: [...headingPath, 'C'], level: 3, text: 'One.' }),
      aSection({ id: 'a.md#b/d', title: 'D', headingPath: [...headingPath, 'D'], level: 3, text: 'Two.' }),
    ];
    expect(documentMarkdown(sections)).toBe('# A\n\n## B\n\n### C\n\nOne.\n\n### D\n\nTwo.\n');
  });

  it('does not repeat the heading above later parts of a section', () => {
    const part = { title: 'B', headingPath: ['A', 'B'], level: 2 };
    const sections = [
      aSection({ ...part, id: 'a.md#b', text: 'One.' }),
      aSection({ ...part, id: 'a.md#b/_part-2', text: 'Two.' }),
    ];
    expect(documentMarkdown(sections)).toBe('# A\n\n## B\n\nOne.\n\nTwo.\n');
  });
});
