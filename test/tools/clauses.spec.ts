import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'test', 'clauses');

/** A row of a table: a requirement of a contract, and the tests that check it. */
interface Clause {
  readonly clause: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

/** A cell such as `` `test/a.spec.ts` "does this", "does that"; `test/b.spec.ts` "does more" ``. */
function testsIn(cell: string): Clause['tests'] {
  return [...cell.matchAll(/`(test\/[^`]+)`((?:[,\s]*"[^"]+")*)/g)].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
  );
}

function cellsOf(line: string): Clause {
  const [clause = '', tests = ''] = line.replace(/^\| | \|$/g, '').split(' | ');
  return { clause: clause.trim(), tests: testsIn(tests) };
}

function clausesOf(page: string): Clause[] {
  return readFileSync(join(FOLDER, page), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:Clause|-+) /.test(line))
    .map(cellsOf);
}

function isThere({ file, title }: { file: string; title: string }): boolean {
  const path = join(ROOT, file);
  return existsSync(path) && readFileSync(path, 'utf8').replaceAll("\\'", "'").includes(title);
}

describe.each(readdirSync(FOLDER))('the clauses of a contract in %s', (page) => {
  const clauses = clausesOf(page);

  it('exist', () => {
    expect(clauses.length).toBeGreaterThan(20);
  });

  it('each have a test', () => {
    expect(clauses.filter(({ tests }) => tests.length === 0).map(({ clause }) => clause)).toEqual([]);
  });

  it('refer to existing tests', () => {
    expect(clauses.flatMap(({ tests }) => tests).filter((test) => !isThere(test))).toEqual([]);
  });
});
