import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { sourcesPlace } from '../../../src/config/index-sources.js';
import type { FileVersion, PostgresIndexFiles } from '../../../src/engines/postgres/postgres-index-files.js';
import { SharedIndex } from '../../../src/engines/shared-index.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';

const NONE: FileVersion = { version: 0, size: 0, sha256: '' };
const NAME = { projectId: 'a', environment: 'b', name: 'index 1' };
const OLD = '{"sources":[]}';
const NEW = '{"sources":[],"new":true}';

let folder: TestFolder;
beforeEach(() => (folder = testFolder()));
afterEach(() => folder.remove());

const index = (): string => folder.file('i.sqlite');

/** A database that stores the old list of sources, and no index. */
function aDatabase(load = async (path: string): Promise<void> => writeFileSync(path, OLD)) {
  const kept: string[] = [];
  const stored: Pick<PostgresIndexFiles, 'version' | 'earlier' | 'load' | 'store'> = {
    version: async ({ name }) => (name === NAME.name ? NONE : { version: 1, size: 1, sha256: 'x' }),
    earlier: async () => null,
    load: async (_, { path }) => {
      await load(path);
      return NONE;
    },
    store: async (_, { path }) => {
      kept.push(readFileSync(path, 'utf8'));
      return NONE;
    },
  };
  return { shared: new SharedIndex(index(), NAME, stored as PostgresIndexFiles), kept };
}

describe('the list of sources', () => {
  it('of a run is not replaced by the stored one before the run has stored it', async () => {
    const { shared, kept } = aDatabase();
    await shared.change(async () => {
      writeFileSync(sourcesPlace(index()), NEW);
      await shared.fetch();
    });
    expect(kept).toEqual([NEW]);
    await shared.fetch();
    expect(readFileSync(sourcesPlace(index()), 'utf8')).toBe(OLD);
  });

  it('leaves no draft behind if the database fails', async () => {
    const { shared } = aDatabase(() => Promise.reject(new Error('The connection was lost.')));
    await expect(shared.fetch()).rejects.toThrow('lost');
    expect(existsSync(sourcesPlace(index()))).toBe(false);
    expect(readdirSync(folder.path).filter((name) => /sources|draft/.test(name))).toEqual([]);
  });
});
