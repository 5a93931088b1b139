import { readMarkdown } from '../../../../src/ingest/reading/markdown/read-markdown.js';
import { headingTitle } from '../../../../src/ingest/sections/heading-places.js';

describe('headingTitle', () => {
  it.each([
    ['the only H1 if it is the first heading', 'text\n\n# A\n\n## B', 'A'],
    ['the heading at the start of the document', '### A\n\n# B', 'A'],
    ['the first of several H1', '# A\n\n# B', 'A'],
    ['no part of a page without a title', '## 5.2\n\na\n\n## 5.1\n\nb', null],
    ['a title of a lower level', '## A\n\n### B\n\n### C', 'A'],
    ['nothing below text', 'text\n\n## A', null],
    ['nothing without headings', 'text', null],
  ])('finds %s', (_what, text, title) => {
    expect(headingTitle(readMarkdown(text).blocks)).toBe(title);
  });
});
