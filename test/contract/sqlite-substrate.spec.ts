import { openDatabase } from '../../src/sqlite/driver.js';
import { StoreFile } from '../../src/sqlite/stores/store-file.js';
import { SqliteArtifactStore } from '../../src/work/substrate/artifacts/sqlite-artifact-store.js';
import { SqliteManifestStore } from '../../src/work/substrate/manifests/sqlite-manifest-store.js';
import { SqlitePointerStore } from '../../src/work/substrate/pointers/sqlite-pointer-store.js';
import { aNewArtifact, someBytes, SPACE } from '../support/a-substrate.js';
import { testFolder } from '../support/test-folder.js';
import { artifactStoreContract } from './artifact-store.contract.js';
import { pointerStoreContract } from './pointer-store.contract.js';

artifactStoreContract('SqliteArtifactStore', async () => {
  const folder = testFolder();
  const file = folder.file('index.work.sqlite');
  const clock = { at: 0 };
  const sql = async (query: string): Promise<unknown> => {
    const database = openDatabase(file, { timeout: 1_000 });
    try {
      return database.prepare(query).get()?.['n'];
    } finally {
      database.close();
    }
  };
  return {
    open: (maxBytes = 1e9) => new SqliteArtifactStore({ file, creates: true, maxBytes, now: () => clock.at }),
    setTime: (at) => {
      clock.at = at;
    },
    storedBytes: async () => {
      const hasTables = await sql("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'substrate_chunk'");
      if (hasTables === 0) return 0;
      const stored = Number(await sql('SELECT coalesce(sum(length(bytes)), 0) AS n FROM substrate_chunk'));
      const rows = await sql(
        `SELECT coalesce(sum(384 + octet_length(project || environment || sha256 || media_type || principal)), 0) AS n
         FROM substrate_artifact`,
      );
      // What is counted for the limit is what is stored.
      const counted = await sql('SELECT coalesce(sum(bytes), 0) AS n FROM substrate_usage');
      expect(Number(counted)).toBe(stored + Number(rows));
      return stored;
    },
    damage: async () => {
      await sql(
        "UPDATE substrate_chunk SET bytes = CAST(substr(bytes, 1, 4) || x'FF' || substr(bytes, 6) AS BLOB)",
      );
    },
    remove: async () => folder.remove(),
  };
});

describe('SqliteArtifactStore, page by page', () => {
  it('reads one chunk for a further page, however long the artifact is', async () => {
    const folder = testFolder();
    const place = { file: folder.file('index.work.sqlite'), creates: true, maxBytes: 1e9, now: () => 0 };
    const store = new SqliteArtifactStore(place);
    const { sha256 } = await store.save(aNewArtifact(), [someBytes(8_388_608)]);
    const page = (start: number) => store.slice(SPACE, sha256, { start, end: start + 16_384 });
    await page(0);
    const reads = jest.spyOn(StoreFile.prototype, 'read');
    await page(16_384);
    await page(8_000_000);
    // The facts and a chunk for each page.
    expect(reads).toHaveBeenCalledTimes(4);
    reads.mockRestore();
    await store.close();
    folder.remove();
  });
});

pointerStoreContract('SQLite', async () => {
  const folder = testFolder();
  const place = { file: folder.file('index.work.sqlite'), creates: true, maxBytes: 1e9, now: () => 5_000 };
  return {
    open: () => new SqlitePointerStore(place),
    openManifests: () => new SqliteManifestStore(place),
    remove: async () => folder.remove(),
  };
});
