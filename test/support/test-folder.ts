import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The small corpus that was written for these tests. */
export const FIXTURE_CORPUS = join(__dirname, '..', '..', 'fixtures', 'corpus');

export interface TestFolder {
  readonly path: string;
  readonly file: (name: string) => string;
  readonly remove: () => void;
}

/** A folder of its own, to be removed by the test; its path has a space, as many people's have. */
export function testFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'pith test '));
  return {
    path,
    file: (name) => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
