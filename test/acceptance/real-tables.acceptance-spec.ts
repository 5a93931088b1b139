import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTables } from '../../src/work/documents/tables/find-tables.js';
import type { FoundTable } from '../../src/work/documents/tables/form-table.js';
import { sharedData } from '../support/corpora.js';

interface KeyedTable {
  readonly path: string;
  /** Line where the table begins. */
  readonly line: number;
  readonly header: readonly (readonly string[])[];
  readonly rows: readonly (readonly string[])[];
}

const CORPORA = sharedData('corpora');
/** Cells that were copied from the sources by hand. */
const KEY = JSON.parse(
  readFileSync(join(__dirname, '../../fixtures/golden/table-cells.json'), 'utf8'),
) as readonly KeyedTable[];

const readPage = (path: string): string =>
  readFileSync(join(CORPORA ?? '', path), 'utf8').replace(/\r\n?/g, '\n');

const tablesOf = (path: string, text: string): FoundTable[] =>
  findTables(text, path.endsWith('.mdx') ? 'mdx' : 'markdown');

/** Delimiter rows below a row with a pipe, outside fences and comments, and table tags: counted by other means. */
function countTables(text: string): number {
  let fence = '';
  let count = 0;
  const lines = text.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, '')).split('\n');
  lines.forEach((line, i) => {
    const mark = /^[\s>]*(?:[-*+] |\d+[.)] )?\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (mark.startsWith(fence) && /^[\s>]*[`~]+\s*$/.test(line)) fence = '';
      return;
    }
    if (mark !== '') fence = mark;
    count += line.replace(/`[^`]*`/g, '').match(/<table[\s>]/g)?.length ?? 0;
    const isDelimiter = line.includes('|') && /^[\s>]*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(line);
    if (isDelimiter && (lines[i - 1] ?? '').includes('|')) count++;
  });
  return count;
}

const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** About 300 pages with a pipe or a table tag, spread evenly over a corpus. */
function samplePages(corpus: string, every: number): string[] {
  const files = readdirSync(join(CORPORA ?? '', corpus), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.mdx?$/.test(file))
    .sort()
    .filter((_, i) => i % every === 0)
    .map((file) => join(corpus, file));
}

(CORPORA ? describe : describe.skip)('findTables on real pages', () => {
  it('has a key of 40 tables', () => {
    expect(KEY).toHaveLength(40);
  });

  it.each(KEY)('finds every cell of $path:$line', ({ path, line, header, rows }) => {
    const found = tablesOf(path, readPage(path)).findLast(({ firstLine }) => firstLine === line);
    expect({ header: found?.header, rows: found?.rows }).toEqual({ header, rows });
  });

  const pages = [
    ...samplePages('powershell', 9),
    ...samplePages('cpp-docs', 73),
    ...samplePages('fastapi', 5),
    ...samplePages('dev-mcp-nestjs', 2),
  ].map((path) => ({ path, text: readPage(path) }));
  const found = pages.map(({ path, text }) => ({ path, text, tables: tablesOf(path, text) }));

  it('finds at least 200 tables, as many in each page as another count', () => {
    const differing = found
      .map(({ path, text, tables }) => ({ path, found: tables.length, counted: countTables(text) }))
      .filter(({ found: own, counted }) => own !== counted);
    expect(differing).toEqual([]);
    expect(found.flatMap(({ tables }) => tables).length).toBeGreaterThanOrEqual(200);
  });

  it('gives every row of a table the same number of cells', () => {
    const ragged = found.flatMap(({ path, tables }) =>
      tables
        .filter(({ header, rows, columns }) => [...header, ...rows].some((row) => row.length !== columns))
        .map(() => path),
    );
    expect(ragged).toEqual([]);
  });

  it('invents no word, and finds the table between its offsets', () => {
    const invented = found.flatMap(({ path, text, tables }) =>
      tables.flatMap(({ header, rows, start, end }) => {
        const source = new Set(words(text.slice(start, end)));
        return [...header, ...rows]
          .flat()
          .flatMap(words)
          .filter((word) => !source.has(word))
          .map((word) => `${path}: ${word}`);
      }),
    );
    expect(invented).toEqual([]);
  });
});
