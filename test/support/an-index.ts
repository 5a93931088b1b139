import { statSync } from 'node:fs';
import type { SectionIndex } from '../../src/core/ports/section-index.port.js';
import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../src/sqlite/reader-ports.js';
import { buildIndex } from './build-index.js';
import { testFolder } from './test-folder.js';
import { writeFiles } from './write-files.js';

export interface TestIndex {
  readonly index: SectionIndex;
  /** Adds files and indexes again. */
  readonly change: (files: Readonly<Record<string, string>>) => Promise<void>;
  /** Size of the index file. */
  readonly bytes: () => number;
  readonly remove: () => Promise<void>;
}

/** A real index of these files, in the project `docs`. The test removes it. */
export async function anIndex(files: Readonly<Record<string, string>>): Promise<TestIndex> {
  const folder = testFolder();
  const index = makePort('sections', new SqliteReader(folder.file('index.sqlite'), embedderNamed('lsa')));
  const change = async (more: Readonly<Record<string, string>>): Promise<void> => {
    writeFiles(folder.file('docs'), more);
    await buildIndex(folder.file('docs'), folder.file('index.sqlite'));
  };
  await change(files);
  const bytes = (): number => statSync(folder.file('index.sqlite')).size;
  return { index, change, bytes, remove: async () => (await index.close(), folder.remove()) };
}
