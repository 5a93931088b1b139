import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { ImportedRow, ImportReport, MemoryStore } from '../../src/core/ports/memory-store.port.js';
import type { SectionIndex } from '../../src/core/ports/section-index.port.js';
import type { MemoryWriter } from '../../src/sqlite/memory/memory-writer.js';
import { anIndexedDocument, aQuery } from '../support/indexed-documents.js';
import { aMemoryQuery, aRow, otherRows } from '../support/memory-rows.js';

/** A location for memory next to an index, with the adapter's writers and readers. */
export interface MemoryWriterSubject {
  /** A separate writer, as another process would have it. */
  readonly openWriter: () => MemoryWriter;
  readonly store: MemoryStore;
  readonly index: SectionIndex;
  /** Publishes exactly these documents into the same file. */
  readonly publish: (documents: readonly IndexedDocument[], rebuild?: boolean) => Promise<unknown>;
  /** Changes the index's version to an unknown one. */
  readonly ageIdentity: () => void;
  readonly dispose: () => Promise<void>;
}

const NEVER = (): void => undefined;
const MADE = '2026-02-03T04:05:06.000Z';

/** The behaviour of every `MemoryWriter`, on any engine. */
export function memoryWriterContract(name: string, make: () => Promise<MemoryWriterSubject>): void {
  describe(`${name} is a MemoryWriter`, () => {
    let subject: MemoryWriterSubject;
    let writer: MemoryWriter;
    const bring = async (
      rows: readonly ImportedRow[],
      { source = 'test', removeMissing = false, onProgress = NEVER } = {},
    ): Promise<ImportReport> => {
      await writer.begin(source);
      await writer.put(rows);
      return writer.finish({ removeMissing, createdAt: MADE }, onProgress);
    };
    const texts = async (text: string): Promise<string[]> => {
      const { candidates } = await subject.store.candidates(aMemoryQuery(text));
      return candidates.thoughts.map(({ row }) => row.text).sort();
    };
    const counts = (parts: Partial<ImportReport>): ImportReport => ({
      added: 0,
      updated: 0,
      unchanged: 0,
      removed: 0,
      repeated: 0,
      ...parts,
    });

    beforeEach(async () => {
      subject = await make();
      writer = subject.openWriter();
    });

    afterEach(async () => {
      await writer.close();
      await subject.dispose();
    });

    describe('an import', () => {
      it('adds rows, updates changed ones and keeps unchanged ones', async () => {
        const rows = [aRow({ id: 'a' }), aRow({ id: 'b' }), aRow({ id: 'c', table: 'kg_entities' })];
        expect(await bring(rows)).toEqual(counts({ added: 3 }));
        expect(await bring(rows)).toEqual(counts({ unchanged: 3 }));
        const changed = [aRow({ id: 'a', text: 'Other.' }), aRow({ id: 'b' }), aRow({ id: 'd' })];
        expect(await bring(changed)).toEqual(counts({ added: 1, updated: 1, unchanged: 1 }));
      });

      it.each<[string, Partial<ImportedRow>]>([
        ['text', { text: 'Other.' }],
        ['origin', { origin: 'tool' }],
        ['tags', { tags: ['x'] }],
        ['privacy', { isPrivate: true }],
        ['date', { createdAt: '2020-01-01T00:00:00.000Z' }],
        ['embedding', { embedding: { model: 'm', vector: Float32Array.of(1) } }],
      ])('updates a row whose %s has changed', async (_, parts) => {
        await bring([aRow()]);
        expect(await bring([aRow(parts)])).toEqual(counts({ updated: 1 }));
      });

      it('uses the last of several rows with the same id', async () => {
        const rows = [aRow({ text: 'The first kestrel.' }), aRow({ text: 'The second kestrel.' })];
        expect(await bring(rows)).toEqual(counts({ added: 1, repeated: 1 }));
        expect(await texts('kestrel')).toEqual(['The second kestrel.']);
      });

      it('dates rows without a date, and keeps that date', async () => {
        const dateOf = async (): Promise<string | undefined> =>
          (await subject.store.candidates(aMemoryQuery('text'))).candidates.thoughts[0]?.row.createdAt;
        await bring([aRow({ createdAt: null })]);
        expect(await dateOf()).toBe(MADE);
        await writer.begin('test');
        await writer.put([aRow({ createdAt: null, text: 'Other text.' })]);
        await writer.finish({ removeMissing: false, createdAt: '2027-01-01T00:00:00.000Z' }, NEVER);
        expect(await dateOf()).toBe(MADE);
      });

      it('is invisible to readers until it ends', async () => {
        await bring([aRow({ id: 'a', text: 'The kestrel.' })]);
        await writer.begin('test');
        await writer.put([aRow({ id: 'b', text: 'Another kestrel.' })]);
        expect(await texts('kestrel')).toEqual(['The kestrel.']);
      });

      it('changes nothing if it is closed before its end', async () => {
        await bring([aRow({ id: 'a', text: 'The kestrel.' })]);
        await writer.begin('test');
        await writer.put([aRow({ id: 'b', text: 'Another kestrel.' })]);
        await writer.close();
        expect(await bring([])).toEqual(counts({}));
        expect(await texts('kestrel')).toEqual(['The kestrel.']);
      });

      it('keeps the old state if it fails', async () => {
        await bring([aRow({ id: 'a', text: 'The kestrel.' })]);
        const failing = { onProgress: () => { throw new Error('the terminal has gone'); } }; // prettier-ignore
        await expect(bring(otherRows(600), failing)).rejects.toThrow('the terminal has gone');
        expect(await texts('entry kestrel')).toEqual(['The kestrel.']);
      });

      it('reports its progress', async () => {
        const seen: number[] = [];
        await writer.begin('test');
        await writer.put(otherRows(1_200));
        await writer.finish({ removeMissing: false, createdAt: MADE }, ({ done, total }) => {
          seen.push(done / total);
        });
        expect(seen.length).toBeGreaterThan(3);
        expect(Math.max(...seen)).toBe(1);
      });
    });

    describe('sources', () => {
      beforeEach(async () => {
        await bring([aRow({ id: 'a' }), aRow({ id: 'b' })], { source: 'one' });
        await bring([aRow({ id: 'c' })], { source: 'two' });
      });

      it('keep rows that are missing in a later import, by default', async () => {
        expect(await bring([aRow({ id: 'a' })], { source: 'one' })).toEqual(counts({ unchanged: 1 }));
        expect((await writer.status()).rows.thoughts).toBe(3);
      });

      it('lose rows that are missing in an import with removeMissing; other sources keep theirs', async () => {
        const report = await bring([aRow({ id: 'a' })], { source: 'one', removeMissing: true });
        expect(report).toEqual(counts({ unchanged: 1, removed: 1 }));
        expect((await writer.status()).sources).toEqual([
          { source: 'one', rows: 1 },
          { source: 'two', rows: 1 },
        ]);
      });

      it('take over rows that another source imported before', async () => {
        await bring([aRow({ id: 'c' })], { source: 'one' });
        expect((await writer.status()).sources).toEqual([{ source: 'one', rows: 3 }]);
      });

      it('are forgotten completely', async () => {
        expect(await writer.forget('one')).toBe(2);
        expect(await writer.forget('none')).toBe(0);
        expect((await writer.status()).sources).toEqual([{ source: 'two', rows: 1 }]);
      });
    });

    describe('status', () => {
      it('counts rows by table, privacy and embedder, without their texts', async () => {
        const embedding = { model: 'm', vector: Float32Array.of(1, 2) };
        await bring([
          aRow({ id: 'a', isPrivate: true, text: 'Swordfish.' }),
          aRow({ id: 'b', table: 'kg_entities', embedding }),
          aRow({ id: 'c', table: 'kg_observations' }),
        ]);
        const status = await writer.status();
        expect(status).toMatchObject({
          rows: { thoughts: 1, kg_entities: 1, kg_observations: 1 },
          privateRows: 1,
          incomparable: 1,
          embedded: [{ ...status.space, rows: 2 }, { provider: 'import', model: 'm', dim: 2, rows: 1 }], // prettier-ignore
        });
        expect(JSON.stringify(status)).not.toContain('Swordfish');
      });

      it('is empty if nothing was imported', async () => {
        await expect(writer.status()).rejects.toMatchObject({ reason: 'memory_missing' });
        await expect(writer.reembed(NEVER)).rejects.toMatchObject({ reason: 'memory_missing' });
        await expect(writer.forget('one')).rejects.toMatchObject({ reason: 'memory_missing' });
      });

      it('reports a larger space if there are many rows, with all rows in the current space', async () => {
        await bring(otherRows(20));
        const few = await writer.status();
        await bring(otherRows(120));
        const many = await writer.status();
        expect(many.space.model).not.toBe(few.space.model);
        expect(many.embedded).toEqual([{ ...many.space, rows: 120 }]);
        expect(many.space.dim).toBeGreaterThan(few.space.dim);
      });
    });

    describe('embedding again', () => {
      it('embeds every row in one space and reports the number of rows that could not be compared before', async () => {
        const embedding = { model: 'm', vector: Float32Array.of(1, 2) };
        await bring([...otherRows(60), aRow({ id: 'f', embedding }), aRow({ id: 'g', embedding })]);
        const report = await writer.reembed(NEVER);
        expect(report).toMatchObject({ rows: 62, recovered: 2 });
        expect(await writer.status()).toMatchObject({ incomparable: 0, embedded: [{ rows: 62 }] });
      });

      it('does not happen if the same rows are imported again', async () => {
        const embedding = { model: 'm', vector: Float32Array.of(1, 2) };
        await bring([aRow({ id: 'f', embedding })]);
        await writer.reembed(NEVER);
        expect(await bring([aRow({ id: 'f', embedding })])).toEqual(counts({ unchanged: 1 }));
        expect((await writer.status()).incomparable).toBe(0);
      });

      it('happens automatically if the number of rows grows by a fifth', async () => {
        await bring(otherRows(100));
        const rowsDone = async (rows: ImportedRow[]): Promise<number> => {
          let most = 0;
          await bring(rows, { onProgress: ({ total }: { total: number }) => (most = total) } as never);
          return most;
        };
        const few = Array.from({ length: 10 }, (_, i) => aRow({ id: `m${i}`, text: `More w${i}.` }));
        const many = Array.from({ length: 30 }, (_, i) => aRow({ id: `n${i}`, text: `Most w${i}.` }));
        expect(await rowsDone(few)).toBe(10);
        expect(await rowsDone(many)).toBe(140);
      });
    });

    describe('next to an index', () => {
      const one = anIndexedDocument({ path: 'one.md', texts: ['The owl sleeps.'], hash: 'one-1' });
      const two = anIndexedDocument({ path: 'two.md', texts: ['The owl wakes.'], hash: 'two-1' });
      const sections = async (): Promise<string[]> => {
        const { candidates } = await subject.index.search(aQuery('owl'));
        return candidates.map(({ section }) => section.id).sort();
      };
      const remember = () => bring([aRow({ text: 'The kestrel.' })]);

      it('survives further publishes', async () => {
        await subject.publish([one]);
        await remember();
        await subject.publish([one, two]);
        await subject.publish([two]);
        expect([await texts('kestrel'), await sections()]).toEqual([['The kestrel.'], ['two.md']]);
      });

      it('survives a rebuild of the index', async () => {
        await subject.publish([one]);
        await remember();
        await subject.publish([two], true);
        expect([await texts('kestrel'), await sections()]).toEqual([['The kestrel.'], ['two.md']]);
      });

      it('survives an index of another version, and answers before the documents are indexed again', async () => {
        await subject.publish([one]);
        await remember();
        subject.ageIdentity();
        await expect(subject.index.stamp()).rejects.toMatchObject({ reason: 'index_incompatible' });
        expect(await texts('kestrel')).toEqual(['The kestrel.']);
        await subject.publish([two]);
        expect([await texts('kestrel'), await sections()]).toEqual([['The kestrel.'], ['two.md']]);
      });

      it('works without an index: documents are index_missing, and the first publish keeps memory', async () => {
        await remember();
        await expect(subject.index.stamp()).rejects.toMatchObject({ reason: 'index_missing' });
        expect(await texts('kestrel')).toEqual(['The kestrel.']);
        await subject.publish([one]);
        expect([await texts('kestrel'), await sections()]).toEqual([['The kestrel.'], ['one.md']]);
      });

      it('does not change the generation of the index; a publish does not change that of memory', async () => {
        await subject.publish([one]);
        const { generation } = await subject.index.stamp();
        await remember();
        expect((await subject.index.stamp()).generation).toBe(generation);
        const before = (await writer.status()).generation;
        await subject.publish([one, two]);
        expect((await writer.status()).generation).toBe(before);
      });
    });
  });
}
