import { MAX_TEXT_CHARS } from '../../../../../src/domains/documents/source/document-source.schemas.js';
import { findTables } from '../../../../../src/domains/documents/tables/find-tables.js';

const filled = (text: string): string => text.repeat(Math.floor((MAX_TEXT_CHARS - 100) / text.length));
const TABLE = '| a |\n|---|\n| 1 |\n\n';

describe('findTables on hostile text of the largest size', () => {
  it.each([
    ['open brackets', TABLE + filled('[')],
    ['open brackets in a cell', TABLE.trimEnd() + '\n| ' + filled('![')],
    ['emphasis', TABLE + filled('*a_ ')],
    [
      'backticks of rising length',
      TABLE +
        Array.from({ length: 600 }, (_, i) => 'a' + '`'.repeat(i))
          .join('')
          .slice(0, 190_000),
    ],
    ['tags', TABLE + filled('<a ')],
    ['comments', TABLE + filled('<!-- ')],
    ['nested quotations', TABLE + filled('> ')],
    ['nested tables', filled('<table><tr><td>')],
    ['tables side by side', filled('<table><tr><td>1</table>\n')],
    ['pipes', filled('|')],
    ['rows', `| a | b |\n|---|---|\n${filled('||\n')}`],
    ['paragraphs', TABLE + filled('a\n\n')],
  ])(
    'reads %s in bounded time',
    (_, text) => {
      const startedAt = performance.now();
      findTables(text, 'markdown');
      findTables(text, 'html');
      findTables(text, 'mdx');
      expect(performance.now() - startedAt).toBeLessThan(60_000);
    },
    90_000,
  );
});
