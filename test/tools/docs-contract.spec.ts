import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** File and title of every test that the table names. */
const named = [...read('test/docs-contract.md').matchAll(/\| `(test\/[^`]+)`: (.+) \|$/gm)].map(
  ([, file = '', title = '']) => [file, title.trim()] as const,
);

describe('the table of the search_docs contract', () => {
  it('names a test for each clause', () => {
    expect(named.length).toBeGreaterThan(30);
  });

  it.each(named)('names a test that exists: %s: %s', (file, title) => {
    expect(read(file)).toContain(title);
  });
});
