import fc from 'fast-check';
import type {
  ImportedRow,
  MemoryAnswer,
  MemoryQuery,
  MemoryStore,
} from '../../src/core/ports/memory-store.port.js';
import { aMemoryQuery, aRow, inEveryTable, otherRows } from '../support/memory-rows.js';

/** A memory of one adapter that a test can fill, damage and read. */
export interface MemoryStoreSubject {
  /** Reads it; stays open until the subject is disposed. */
  readonly store: MemoryStore;
  /** Imports rows as another process would, by default with the source `test`. */
  readonly bring: (rows: readonly ImportedRow[], source?: string) => Promise<unknown>;
  readonly reembed: () => Promise<unknown>;
  /** Creates the file without memory. */
  readonly makeEmpty: () => Promise<void>;
  readonly putGarbage: () => void;
  /** Changes the space's version to an unknown one. */
  readonly ageSpace: () => void;
  /** Changes the memory's version to a later one. */
  readonly ageSchema: () => void;
  /** A store whose questions another embedder embeds. */
  readonly openWithOtherProvider: () => MemoryStore;
  readonly remove: () => void;
  readonly dispose: () => Promise<void>;
}

const idsOf = ({ candidates }: MemoryAnswer): string[] =>
  [...candidates.thoughts, ...candidates.kg_entities, ...candidates.kg_observations].map(({ row }) => row.id);

const DAY_MS = 86_400_000;

/** The behaviour of every `MemoryStore`, on any engine. */
export function memoryStoreContract(name: string, make: () => Promise<MemoryStoreSubject>): void {
  describe(`${name} is a MemoryStore`, () => {
    let subject: MemoryStoreSubject;
    const ask = (text: string, parts: Partial<MemoryQuery> = {}): Promise<MemoryAnswer> =>
      subject.store.candidates(aMemoryQuery(text, parts));
    const found = async (text: string, parts: Partial<MemoryQuery> = {}): Promise<string[]> =>
      idsOf(await ask(text, parts));

    beforeEach(async () => {
      subject = await make();
    });

    afterEach(() => subject.dispose());

    describe('when empty', () => {
      it('answers with empty lists and the name of the space', async () => {
        await subject.makeEmpty();
        expect(await ask('kestrel')).toEqual({
          generation: '',
          provider: 'pith',
          model: expect.stringMatching(/\S/),
          dim: expect.any(Number),
          candidates: { thoughts: [], kg_entities: [], kg_observations: [] },
          matched: { thoughts: 0, kg_entities: 0, kg_observations: 0 },
          incomparable: 0,
        });
      });

      it('finds rows that another process imports later', async () => {
        await subject.makeEmpty();
        await ask('kestrel');
        await subject.bring([aRow({ id: 'a', text: 'The kestrel hovers.' })]);
        expect(await found('kestrel')).toEqual(['t:a']);
      });
    });

    describe('rows', () => {
      it('are returned as they were imported, by table', async () => {
        const row = { text: 'Kestrel: eats voles.', origin: 'tool', tags: ['birds', 'food'] };
        await subject.bring(inEveryTable({ ...row, id: 'a', createdAt: '2025-06-01T12:00:00.000Z' }));
        const { candidates } = await ask('voles');
        const expected = { ...row, isPrivate: false, createdAt: '2025-06-01T12:00:00.000Z' };
        expect(candidates.thoughts[0]?.row).toEqual({ ...expected, id: 't:a', table: 'thoughts' });
        expect(candidates.kg_entities[0]?.row).toEqual({ ...expected, id: 'e:a', table: 'kg_entities' });
        expect(candidates.kg_observations[0]?.row).toEqual({
          ...expected,
          id: 'o:a',
          table: 'kg_observations',
        });
      });

      it('have no origin if they were imported without one', async () => {
        await subject.bring([aRow({ text: 'The kestrel hovers.' })]);
        expect((await ask('kestrel')).candidates.thoughts[0]?.row.origin).toBeNull();
      });

      it('keep every character of their text', async () => {
        const text = '  “Zürich”, 東京 👩‍🚀\r\n\t\\n \'"; DROP TABLE memory_thoughts; --\u2028';
        await subject.bring([aRow({ text })]);
        expect((await ask('Zürich')).candidates.thoughts[0]?.row.text).toBe(text);
      });
    });

    describe('ranked rows', () => {
      it('are all compared, so that the best one is found at any position', async () => {
        const best = aRow({ id: 'zz', text: 'The kestrel hovers over the verge.' });
        await subject.bring([...otherRows(400), best, ...otherRows(400, 'kg_entities')]);
        expect(await found('kestrel verge', { perTable: 1 })).toEqual(['t:zz', 'e:00000']);
      });

      it('are ordered by similarity in each table', async () => {
        await subject.bring([
          aRow({ id: 'a', text: 'The kestrel nests in the tower of the old mill.' }),
          aRow({ id: 'b', text: 'The kestrel hovers over the verge.' }),
          aRow({ id: 'c', text: 'The mill grinds corn.' }),
        ]);
        const { thoughts } = (await ask('kestrel verge')).candidates;
        expect(thoughts.map(({ row }) => row.id)).toEqual(['t:b', 't:a', 't:c']);
        expect(thoughts[0]?.score).toBeGreaterThan(thoughts[1]?.score ?? 1);
        expect(thoughts[2]?.score).toBe(0);
      });

      it('are ordered by id if their scores are equal', async () => {
        const texts = { text: 'The kestrel hovers.' };
        await subject.bring([aRow({ id: 'c', ...texts }), aRow({ id: 'a', ...texts })]);
        await subject.bring([aRow({ id: 'b', ...texts })]);
        expect(await found('kestrel')).toEqual(['t:a', 't:b', 't:c']);
      });

      it('are limited per table, and all are counted', async () => {
        await subject.bring([...otherRows(60), ...otherRows(3, 'kg_observations')]);
        const { candidates, matched } = await ask('entry', { perTable: 7 });
        expect([candidates.thoughts.length, candidates.kg_observations.length]).toEqual([7, 3]);
        expect(matched).toEqual({ thoughts: 60, kg_entities: 0, kg_observations: 3 });
      });

      it('score nearly 1 for a row equal to the question, and 0 for one without any of its words', async () => {
        await subject.bring([aRow({ id: 'a', text: 'kestrel verge' }), aRow({ id: 'b', text: 'corn mill' })]);
        const { thoughts } = (await ask('kestrel verge')).candidates;
        expect(thoughts.map(({ score }) => Number(score.toFixed(3)))).toEqual([1, 0]);
      });

      it('score lower if no row has all words', async () => {
        await subject.bring([aRow({ text: 'kestrel verge' })]);
        const scoreOf = async (text: string) => (await ask(text)).candidates.thoughts[0]?.score ?? 0;
        expect(await scoreOf('kestrel zeppelin xylophone')).toBeLessThan(await scoreOf('kestrel'));
      });

      it('score 0 if no row has any word', async () => {
        await subject.bring([aRow({ id: 'a' }), aRow({ id: 'b' })]);
        const { candidates, matched } = await ask('zeppelin');
        expect(candidates.thoughts.map(({ score }) => score)).toEqual([0, 0]);
        expect(matched.thoughts).toBe(2);
      });

      it('are found by a word that is only in a single one of many rows', async () => {
        await subject.bring([...otherRows(300), aRow({ id: 'zz', text: 'Bought a zeppelin.' })]);
        expect((await found('zeppelin', { perTable: 1 }))[0]).toBe('t:zz');
      });

      it('are found by a word of the last import, also in older rows', async () => {
        await subject.bring(otherRows(300), 'first');
        await ask('zeppelin');
        await subject.bring([aRow({ id: 'zz', text: 'Bought a zeppelin.' })], 'second');
        expect((await found('zeppelin', { perTable: 1 }))[0]).toBe('t:zz');
      });

      it('are found by a word they do not contain, if their words co-occur with it in enough rows', async () => {
        const company = 'cargo diesel axle trailer freight highway depot clutch';
        const rows = ['lorry', 'truck', 'lorry', 'truck'].map((vehicle, i) =>
          aRow({ id: `v${i}`, text: `${vehicle} ${company} part${i}` }),
        );
        await subject.bring([...otherRows(200), ...rows]);
        expect((await found('lorry', { perTable: 4 })).sort()).toEqual(['t:v0', 't:v1', 't:v2', 't:v3']);
      });

      it('give the same answer for any order of imports', async () => {
        const rows = otherRows(40);
        await subject.bring(rows);
        const before = await ask('w3 x7 y11');
        const other = await make();
        for (const row of rows.toReversed()) await other.bring([row]);
        const after = await other.store.candidates(aMemoryQuery('w3 x7 y11'));
        await other.dispose();
        expect({ ...after, generation: '' }).toEqual({ ...before, generation: '' });
      });
    });

    describe('recency', () => {
      beforeEach(() =>
        subject.bring([
          aRow({ id: 'new', text: 'The kestrel hovers.', createdAt: '2026-01-01T00:00:00.000Z' }),
          aRow({ id: 'old', text: 'The kestrel hovers.', createdAt: '2025-12-18T00:00:00.000Z' }),
        ]),
      );

      it('has no effect unless it is requested', async () => {
        const { thoughts } = (await ask('kestrel')).candidates;
        expect(thoughts[0]?.score).toBe(thoughts[1]?.score);
      });

      it('halves a score with every half-life', async () => {
        const { thoughts } = (await ask('kestrel', { halfLifeDays: 14 })).candidates;
        expect(thoughts.map(({ row }) => row.id)).toEqual(['t:new', 't:old']);
        expect(thoughts[1]?.score).toBeCloseTo((thoughts[0]?.score ?? 0) / 2, 6);
      });

      it('does not raise scores of rows in the future', async () => {
        const [today, before] = [
          await ask('kestrel', { halfLifeDays: 14 }),
          await ask('kestrel', { halfLifeDays: 14, now: Date.UTC(2026, 0, 1) - 7 * DAY_MS }),
        ];
        expect(before.candidates.thoughts[0]?.score).toBe(today.candidates.thoughts[0]?.score);
      });
    });

    describe('private rows', () => {
      beforeEach(() =>
        subject.bring([
          ...inEveryTable({ id: 'open', text: 'The kestrel hovers.' }),
          ...inEveryTable({ id: 'secret', text: 'The kestrel is mine.', isPrivate: true }),
        ]),
      );

      it('are hidden, in every table', async () => {
        const { matched } = await ask('kestrel mine');
        expect(await found('kestrel mine')).toEqual(['t:open', 'e:open', 'o:open']);
        expect(matched).toEqual({ thoughts: 1, kg_entities: 1, kg_observations: 1 });
      });

      it('are returned if requested, marked as private', async () => {
        const { candidates } = await ask('kestrel mine', { includePrivate: true });
        expect(candidates.thoughts[0]?.row).toMatchObject({ id: 't:secret', isPrivate: true });
        expect(candidates.thoughts[1]?.row).toMatchObject({ id: 't:open', isPrivate: false });
      });

      it('do not change any answer from which they are excluded', async () => {
        await subject.bring(otherRows(80));
        const before = await ask('entry w3 x7 mine');
        const secrets = otherRows(60, 'kg_entities').map((row) => ({ ...row, isPrivate: true }));
        await subject.bring([...secrets, aRow({ id: 'more', text: 'Entry mine w3.', isPrivate: true })]);
        expect({ ...(await ask('entry w3 x7 mine')), generation: '' }).toEqual({ ...before, generation: '' });
      });

      it('are hidden as soon as an import makes them private', async () => {
        await subject.bring([aRow({ id: 'open', text: 'The kestrel hovers.', isPrivate: true })]);
        expect((await ask('kestrel')).candidates.thoughts).toEqual([]);
      });
    });

    it('never returns private rows unless they are requested, for any question', async () => {
      const texts = ['kestrel', 'kestrel verge', 'corn mill', 'mill'];
      const [texts_, tags] = [fc.constantFrom(...texts), fc.subarray(['a', 'b'])];
      const row = fc.record({ text: texts_, tags, isPrivate: fc.boolean() });
      const rows = fc.array(row, { minLength: 1, maxLength: 12 });
      const query = fc.record({
        includeTags: tags,
        excludeTags: tags,
        perTable: fc.integer({ min: 1, max: 12 }),
        halfLifeDays: fc.constantFrom(null, 14),
      });
      await fc.assert(
        fc.asyncProperty(rows, texts_, query, async (parts, text, filters) => {
          const named = parts.flatMap((each, i) => inEveryTable({ ...each, id: `r${i}` }));
          await subject.bring(named);
          const open = new Set(named.filter(({ isPrivate }) => !isPrivate).map(({ id }) => id));
          const ids = await found(text, filters);
          // Rows of earlier rounds remain; this round replaces them, or they have a higher number.
          const own = ids.filter((id) => Number(id.slice(3)) < parts.length);
          expect(own.filter((id) => !open.has(id))).toEqual([]);
        }),
        { numRuns: 20 },
      );
    });

    describe('tags', () => {
      beforeEach(() =>
        subject.bring([
          ...inEveryTable({ id: 'b', text: 'The kestrel hovers.', tags: ['birds'] }),
          ...inEveryTable({ id: 'bw', text: 'The kestrel hovers.', tags: ['birds', 'work'] }),
          ...inEveryTable({ id: 'n', text: 'The kestrel hovers.' }),
          ...inEveryTable({ id: 'w', text: 'The kestrel hovers.', tags: ['work'] }),
        ]),
      );

      it.each<[string, Partial<MemoryQuery>, string[]]>([
        ['let rows with any of them in', { includeTags: ['birds', 'food'] }, ['b', 'bw']],
        ['let rows in that have either', { includeTags: ['birds', 'work'] }, ['b', 'bw', 'w']],
        ['keep rows with any of them out', { excludeTags: ['work', 'food'] }, ['b', 'n']],
        ['keep out what they would let in', { includeTags: ['birds', 'work'], excludeTags: ['work'] }, ['b']],
        ['that no row has let nothing in', { includeTags: ['food'] }, []],
        ['of an empty list let nothing in', { includeTags: [] }, []],
        ['that no row has keep nothing out', { excludeTags: ['food'] }, ['b', 'bw', 'n', 'w']],
        ['of an owner let only these rows in', { ownTag: 'birds' }, ['b', 'bw']],
        ['of an owner are needed in addition', { ownTag: 'birds', includeTags: ['work'] }, ['bw']],
        ['of an owner that no row has let nothing in', { ownTag: 'food' }, []],
        ['are told apart by case', { includeTags: ['Birds'] }, []],
        ['are whole', { includeTags: ['bird'] }, []],
      ])('%s, in every table', async (_, parts, ids) => {
        const expected = ['t', 'e', 'o'].flatMap((letter) => ids.map((id) => `${letter}:${id}`));
        expect(await found('kestrel', parts)).toEqual(expected);
      });

      it('are matched literally, not as a query language', async () => {
        expect(await found('kestrel', { includeTags: ["birds' OR '1'='1", '%', '*'] })).toEqual([]);
      });
    });

    describe('dates', () => {
      beforeEach(() =>
        subject.bring([
          aRow({ id: 'a', text: 'The kestrel.', createdAt: '2025-03-01T00:00:00.000Z' }),
          aRow({ id: 'b', text: 'The kestrel.', createdAt: '2025-03-01T23:59:59.500Z' }),
          aRow({ id: 'c', text: 'The kestrel.', createdAt: '2025-03-02T00:00:00.000Z' }),
        ]),
      );

      it.each<[string, string | null, string | null, string[]]>([
        ['both open', null, null, ['t:a', 't:b', 't:c']],
        ['from a day on', '2025-03-02', null, ['t:c']],
        ['to a day, all of it', null, '2025-03-01', ['t:a', 't:b']],
        ['from and to the same moment', '2025-03-02T00:00:00Z', '2025-03-02T00:00:00Z', ['t:c']],
        ['a time of another zone', '2025-03-02T01:00:00+01:00', null, ['t:c']],
        ['a time without a zone is UTC', '2025-03-02T00:00:00', null, ['t:c']],
        ['to before from', '2025-03-03', '2025-03-01', []],
      ])('%s', async (_, createdFrom, createdTo, ids) => {
        expect(await found('kestrel', { createdFrom, createdTo })).toEqual(ids);
      });
    });

    describe('rows with an embedding of another model', () => {
      const foreign = { model: 'other-model', vector: Float32Array.of(1, 0, 0) };
      const sameLength = { model: 'tf-idf-1', vector: new Float32Array(100).fill(0.1) };

      beforeEach(() =>
        subject.bring([
          aRow({ id: 'own', text: 'The kestrel hovers.' }),
          aRow({ id: 'foreign', text: 'The kestrel hovers.', embedding: foreign }),
          aRow({ id: 'same', text: 'The kestrel hovers.', embedding: sameLength }),
          aRow({ id: 'secret', text: 'The kestrel.', embedding: foreign, isPrivate: true, tags: ['x'] }),
        ]),
      );

      it('are not compared, whatever model they name', async () => {
        expect(await found('kestrel')).toEqual(['t:own']);
      });

      it('are counted if they pass the filters', async () => {
        const counts = async (parts: Partial<MemoryQuery>): Promise<[number, number]> => {
          const { matched, incomparable } = await ask('kestrel', parts);
          return [matched.thoughts, incomparable];
        };
        expect(await counts({})).toEqual([1, 2]);
        expect(await counts({ includePrivate: true })).toEqual([1, 3]);
        expect(await counts({ includePrivate: true, includeTags: ['x'] })).toEqual([0, 1]);
      });

      it('are compared after they are embedded again', async () => {
        await ask('kestrel');
        await subject.reembed();
        expect(await found('kestrel')).toEqual(['t:foreign', 't:own', 't:same']);
        expect((await ask('kestrel')).incomparable).toBe(0);
      });

      it('are compared after an import without the embedding', async () => {
        await subject.bring([aRow({ id: 'foreign', text: 'The kestrel hovers.' })]);
        expect(await found('kestrel')).toEqual(['t:foreign', 't:own']);
      });
    });

    describe('generations', () => {
      it('change only with imports', async () => {
        const rows = otherRows(3);
        await subject.bring(rows);
        const first = (await ask('entry')).generation;
        await subject.bring(rows);
        const second = (await ask('entry')).generation;
        await subject.bring([aRow({ id: 'more' })]);
        const third = (await ask('entry')).generation;
        expect(first).toMatch(/\S/);
        expect([second === first, third === first]).toEqual([true, false]);
      });

      it('are noticed without a restart', async () => {
        await subject.bring([aRow({ id: 'a', text: 'The kestrel hovers.' })]);
        expect(await found('kestrel')).toEqual(['t:a']);
        await subject.bring([aRow({ id: 'a', text: 'The owl sleeps.' })]);
        expect((await ask('owl')).candidates.thoughts[0]?.row.text).toBe('The owl sleeps.');
      });
    });

    describe('failures', () => {
      it('are db_error while the file does not exist', async () => {
        const expected = { code: 'BACKEND_UNAVAILABLE', reason: 'db_error', hint: /pith memory import/ };
        await expect(ask('kestrel')).rejects.toMatchObject({
          ...expected,
          hint: expect.stringMatching(expected.hint),
        });
        await subject.bring([aRow({ text: 'The kestrel.' })]);
        expect(await found('kestrel')).toHaveLength(1);
        subject.remove();
        await expect(ask('kestrel')).rejects.toMatchObject({ reason: 'db_error' });
      });

      it('are db_error for a file of another program', async () => {
        subject.putGarbage();
        await expect(ask('kestrel')).rejects.toMatchObject({
          code: 'BACKEND_UNAVAILABLE',
          reason: 'db_error',
        });
      });

      it('are db_error for the memory of a later version', async () => {
        await subject.bring([aRow()]);
        subject.ageSchema();
        await expect(ask('text')).rejects.toMatchObject({
          reason: 'db_error',
          details: { store: 'memory_incompatible' },
        });
      });

      it('are embedder_unavailable for a missing embedder, without a fallback', async () => {
        await subject.bring([aRow({ text: 'The kestrel.' })]);
        const store = subject.openWithOtherProvider();
        const expected = { code: 'BACKEND_UNAVAILABLE', reason: 'embedder_unavailable' };
        await expect(store.candidates(aMemoryQuery('kestrel'))).rejects.toMatchObject(expected);
        await store.close();
      });
    });

    it("does not compare rows of another version's space until an import embeds them again", async () => {
      await subject.bring([aRow({ id: 'a', text: 'The kestrel hovers.' })]);
      subject.ageSpace();
      const aged = await ask('kestrel');
      expect([aged.incomparable, idsOf(aged)]).toEqual([1, []]);
      await subject.bring([aRow({ id: 'b', text: 'The kestrel sleeps.' })]);
      expect((await found('kestrel')).sort()).toEqual(['t:a', 't:b']);
    });
  });
}
