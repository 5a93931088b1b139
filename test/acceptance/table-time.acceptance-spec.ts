import { MalformedDocumentError } from '../../src/ingest/reading/parsed-document.js';
import { findTables, type TextSyntax } from '../../src/work/documents/tables/find-tables.js';
import { growthOf } from '../support/growth.js';

/** Eight times the text; quadratic time takes 64 times as long. */
const MOST_GROWTH = 32;
const SYNTAXES: readonly TextSyntax[] = ['markdown', 'html', 'mdx'];
const TABLE = '| a |\n|---|\n| 1 |\n\n';

/** Reads a text in each syntax, or refuses it. */
function read(text: string): void {
  for (const syntax of SYNTAXES) {
    try {
      findTables(text, syntax);
    } catch (error) {
      if (!(error instanceof MalformedDocumentError)) throw error;
    }
  }
}

describe('findTables takes time in proportion to the text', () => {
  it.each([
    ['open brackets', '[', TABLE],
    ['open brackets in a cell', '![', `${TABLE.trimEnd()}\n| `],
    ['emphasis', '*a_ ', TABLE],
    ['backticks', 'a`b``c```', TABLE],
    ['tags', '<a ', TABLE],
    ['comments', '<!-- ', TABLE],
    ['nested quotations', '> ', TABLE],
    ['nested tables', '<table><tr><td>', ''],
    ['tables side by side', '<table><tr><td>1</table>\n', ''],
    ['pipes', '|', ''],
    ['rows', '||\n', '| a | b |\n|---|---|\n'],
    ['paragraphs', 'a\n\n', TABLE],
  ])('of %s', (_, unit, head) => {
    const text = (length: number): string => head + unit.repeat(Math.ceil(length / unit.length));
    expect(growthOf(read, text, 100_000, MOST_GROWTH)).toBeLessThan(MOST_GROWTH);
  });
});
