import type { ByteParts } from '../../src/work/substrate/artifacts/artifact-rows.js';
import { ArtifactStore } from '../../src/work/substrate/artifacts/artifact-store.js';
import {
  aNewArtifact,
  joined,
  OTHER_SPACES,
  sha256Of,
  someBytes,
  SPACE,
  UNKNOWN_SHA256,
} from '../support/a-substrate.js';
import type { MakeWork, WorkSubject } from '../support/work-subjects.js';

const failingWith = (reason: string) => expect.objectContaining({ reason });
const MEGABYTE = 1_048_576;

/** Parts that break off. */
async function* brokenAfter(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
  throw new Error('the sender has left');
}

/** What is stored, of unfinished uploads too, and what is counted for the limit. */
const SUMS = `SELECT coalesce((SELECT sum(bytes) FROM substrate_usage), 0) AS counted,
  coalesce((SELECT sum(octet_length(bytes)) FROM substrate_chunk), 0) AS stored,
  coalesce((SELECT sum(384 + octet_length(project || environment || sha256 || media_type || principal))
    FROM substrate_artifact), 0) AS facts`;

/** Bytes that are stored. What is counted for the limit is what is stored. */
async function storedBytes({ sql }: WorkSubject): Promise<number> {
  const [row] = await sql(SUMS);
  const stored = Number(row?.['stored']);
  expect(Number(row?.['counted'])).toBe(stored + Number(row?.['facts']));
  return stored;
}

/** Changes one byte of every chunk. */
async function damage({ sql }: WorkSubject): Promise<void> {
  const chunks = await sql('SELECT content, number, bytes FROM substrate_chunk');
  for (const { content, number, bytes: stored } of chunks) {
    const bytes = Buffer.from(stored as Uint8Array);
    bytes.writeUInt8(bytes.readUInt8(4) ^ 0xff, 4);
    await sql('UPDATE substrate_chunk SET bytes = :bytes WHERE content = :content AND number = :number', {
      ...{ bytes, content: Number(content), number: Number(number) },
    });
  }
}

/** The behaviour of the store of artifacts on every database. */
export const artifactStoreContract = (make: MakeWork): void =>
  describe('ArtifactStore', () => {
    let subject: WorkSubject;
    let store: ArtifactStore;
    let at: number;
    const open = (maxBytes = 1e9): ArtifactStore =>
      new ArtifactStore({ database: subject.open(), maxBytes, now: () => at });
    const save = (parts: ByteParts, artifact: Parameters<typeof aNewArtifact>[0] = {}) =>
      store.save(aNewArtifact(artifact), parts);
    beforeEach(async () => {
      subject = await make();
      at = 1_000;
      store = open();
    });
    afterEach(() => subject.remove());

    describe('saving', () => {
      it.each([[0], [1], [262_143], [262_144], [262_145], [3 * MEGABYTE + 7]])(
        'keeps %d bytes unchanged',
        async (length) => {
          const bytes = someBytes(length);
          const saved = await save([
            bytes.subarray(0, 100),
            bytes.subarray(100, 500_000),
            bytes.subarray(500_000),
          ]);
          expect(saved).toEqual({
            sha256: sha256Of(bytes),
            sizeBytes: length,
            mediaType: 'text/plain',
            publishedBy: 'ann',
            publishedAt: 1_000,
          });
          expect((await joined(open().read(SPACE, saved.sha256))).equals(bytes)).toBe(true);
          expect(await open().find(SPACE, saved.sha256)).toEqual(saved);
        },
      );

      it('lets other work go on between the chunks, also if all bytes are at hand', async () => {
        let turns = 0;
        const count = setInterval(() => turns++, 0);
        const { sha256 } = await save([someBytes(4 * MEGABYTE)]);
        clearInterval(count);
        expect(turns).toBeGreaterThan(4);
        expect(await store.find(SPACE, sha256)).not.toBeNull();
      });

      it('stores equal bytes once, with the facts of the first time', async () => {
        const first = await save([someBytes(MEGABYTE)]);
        at = 2_000;
        const again = await save([someBytes(MEGABYTE)], { publishedBy: 'bob', mediaType: 'text/html' });
        expect(again).toEqual(first);
        expect(await storedBytes(subject)).toBe(MEGABYTE);
      });

      it('keeps both of two saves of equal bytes at a time in two processes', async () => {
        const other = open();
        const both = await Promise.all([
          save([someBytes(MEGABYTE)]),
          other.save(aNewArtifact({ publishedBy: 'bob' }), [someBytes(MEGABYTE)]),
        ]);
        expect(both[0]).toEqual(both[1]);
        expect(await storedBytes(subject)).toBe(MEGABYTE);
      });

      it.each([[10], [MEGABYTE]])(
        'leaves nothing of %d bytes with another SHA-256 than expected',
        async (length) => {
          const saving = save([someBytes(length)], { expectedSha256: UNKNOWN_SHA256 });
          await expect(saving).rejects.toEqual(failingWith('sha256_mismatch'));
          expect(await store.find(SPACE, sha256Of(someBytes(length)))).toBeNull();
          expect(await storedBytes(subject)).toBe(0);
        },
      );

      it('leaves nothing of bytes that break off', async () => {
        await expect(save(brokenAfter(someBytes(MEGABYTE)))).rejects.toThrow('the sender has left');
        expect(await storedBytes(subject)).toBe(0);
      });

      it('accepts as many bytes as allowed and not one more', async () => {
        await save([someBytes(MEGABYTE)], { maxBytes: MEGABYTE });
        const saving = save([someBytes(MEGABYTE + 1)], { maxBytes: MEGABYTE });
        await expect(saving).rejects.toEqual(failingWith('artifact_too_large'));
        expect(await storedBytes(subject)).toBe(MEGABYTE);
      });

      it('limits the bytes of a space, and leaves nothing of those that exceed it', async () => {
        store = open(MEGABYTE);
        await save([someBytes(600_000, 1)]);
        await expect(save([someBytes(600_000, 2)])).rejects.toEqual(failingWith('substrate_full'));
        expect(await storedBytes(subject)).toBe(600_000);
        await save([someBytes(MEGABYTE - 601_000, 3)]);
        await save([someBytes(600_000, 2)], { space: OTHER_SPACES[0] ?? SPACE });
      });

      it('forgets an upload that stood still for ten minutes, as its process has ended', async () => {
        let go: () => void = () => undefined;
        const gate = new Promise<void>((resolve) => (go = resolve));
        const parts = async function* () {
          yield someBytes(2 * MEGABYTE);
          await gate;
          yield someBytes(10);
        };
        const still = expect(save(parts())).rejects.toThrow('stood still');
        // All chunks but the last, which is held back.
        while ((await storedBytes(subject)) < 2 * MEGABYTE - 262_144)
          await new Promise((resolve) => setTimeout(resolve, 1));
        at = 1_000 + 600_001;
        await open().save(aNewArtifact(), [someBytes(MEGABYTE, 9)]);
        go();
        await still;
        expect(await storedBytes(subject)).toBe(MEGABYTE);
      });
    });

    describe('reading a part', () => {
      it.each([
        [0, 0],
        [0, 10],
        [262_140, 262_150],
        [262_144, 524_288],
        [100, 700_000],
        [699_999, 700_000],
        [700_000, 700_000],
      ])('gives the bytes from %d to %d', async (start, end) => {
        const bytes = someBytes(700_000);
        const { sha256 } = await save([bytes]);
        for (const reader of [store, store, open()]) {
          const part = Buffer.from(await reader.slice(SPACE, sha256, { start, end }));
          expect(part.equals(bytes.subarray(start, end))).toBe(true);
        }
      });

      it('finds no damage in a part that it reads while others read their first part', async () => {
        const bytes = someBytes(3 * MEGABYTE);
        const texts = Array.from({ length: 63 }, (_, i) => Buffer.from(`text ${i}`));
        for (const each of [bytes, ...texts])
          await store.slice(SPACE, (await save([each])).sha256, { start: 0, end: 1 });
        const { sha256 } = await save([]);
        const [part] = await Promise.all([
          store.slice(SPACE, sha256Of(bytes), { start: 0, end: bytes.length }),
          store.slice(SPACE, sha256, { start: 0, end: 0 }),
        ]);
        expect(Buffer.from(part).equals(bytes)).toBe(true);
      });

      it('knows nothing of another space', async () => {
        const { sha256 } = await save([someBytes(10)]);
        for (const space of OTHER_SPACES)
          await expect(store.slice(space, sha256, { start: 0, end: 1 })).rejects.toEqual(
            failingWith('artifact_not_found'),
          );
      });

      it('finds damage, also after the same part was read well', async () => {
        const { sha256 } = await save([someBytes(MEGABYTE)]);
        const range = { start: 300_000, end: 300_010 };
        await store.slice(SPACE, sha256, range);
        await damage(subject);
        for (const reader of [store, open()])
          await expect(reader.slice(SPACE, sha256, range)).rejects.toEqual(failingWith('artifact_damaged'));
      });
    });

    describe('spaces', () => {
      it('shows nothing of another project or environment', async () => {
        const { sha256 } = await save([someBytes(10)]);
        for (const space of OTHER_SPACES) {
          expect(await store.find(space, sha256)).toBeNull();
          expect(await store.missing(space, [sha256])).toEqual([sha256]);
          await expect(joined(store.read(space, sha256))).rejects.toEqual(failingWith('artifact_not_found'));
        }
      });

      it('stores bytes that another space has as if they were new', async () => {
        await save([someBytes(MEGABYTE)]);
        for (const space of OTHER_SPACES) {
          const own = await save([someBytes(MEGABYTE)], {
            space,
            publishedBy: 'bob',
            mediaType: 'text/html',
          });
          expect(own).toMatchObject({ publishedBy: 'bob', mediaType: 'text/html' });
        }
        expect(await storedBytes(subject)).toBe(3 * MEGABYTE);
      });

      it('names those that are missing, each once, in their order', async () => {
        const { sha256 } = await save([someBytes(10)]);
        const [one, two] = ['f'.repeat(64), 'a'.repeat(64)];
        expect(await store.missing(SPACE, [one, sha256, two, one])).toEqual([one, two]);
        expect(await store.missing(SPACE, [])).toEqual([]);
      });
    });

    describe('damage', () => {
      it.each([[10], [MEGABYTE]])('is found before the last of %d bytes is read', async (length) => {
        const { sha256 } = await save([someBytes(length)]);
        await damage(subject);
        let read = 0;
        const reading = async () => {
          for await (const part of store.read(SPACE, sha256)) read += part.length;
        };
        await expect(reading()).rejects.toEqual(failingWith('artifact_damaged'));
        expect(read).toBeLessThan(length);
      });
    });

    it('reads one chunk for a further page, however long the artifact is', async () => {
      const database = subject.open();
      const paged = new ArtifactStore({ database, maxBytes: 1e9, now: () => at });
      const { sha256 } = await paged.save(aNewArtifact(), [someBytes(8_388_608)]);
      const page = (start: number) => paged.slice(SPACE, sha256, { start, end: start + 16_384 });
      await page(0);
      const reads = jest.spyOn(database, 'read');
      await page(16_384);
      await page(8_000_000);
      // The facts and a chunk for each page.
      expect(reads).toHaveBeenCalledTimes(4);
      reads.mockRestore();
    });
  });
