import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The small corpus for these tests. */
export const FIXTURE_CORPUS = join(__dirname, '..', '..', 'fixtures', 'corpus');

export interface TestFolder {
  readonly path: string;
  readonly file: (name: string) => string;
  readonly remove: () => void;
}

/** A temporary folder with a space in its path. The test removes it. */
export function testFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'pith test '));
  return {
    path,
    file: (name) => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
