import { setTimeout as sleep } from 'node:timers/promises';
import { KEPT_CHECKPOINTS, type StoredRun } from '../../src/work/runs/run.js';
import { RunStore } from '../../src/work/runs/run-store.js';
import { aRun, aRunEvent, aRunKey, CREATED_AT } from '../support/a-run.js';
import type { MakeWork, WorkSubject } from '../support/work-subjects.js';

const OTHERS = [{ projectId: 'other' }, { environment: 'other' }, { principal: 'other' }];
const PLACE = { projectId: 'docs', environment: 'prod' };
const ALL = { ...PLACE, principal: null, limit: 10 };
/** Longer than a test takes. */
const LONG_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Moves a run on by one event. */
const advanced =
  (overrides: Partial<StoredRun> = {}) =>
  (before: StoredRun) => {
    const run = { ...before, events: before.events + 1, ...overrides };
    return { run, event: aRunEvent(run.events) };
  };

const withState = (state: string) => (before: StoredRun) => {
  const run = { ...before, events: before.events + 1, checkpoint: before.checkpoint + 1 };
  return { run, event: aRunEvent(run.events), state };
};

/** The behaviour of the store of runs on every database. */
export const runStoreContract = (make: MakeWork): void =>
  describe('RunStore', () => {
    let subject: WorkSubject;
    let store: RunStore;
    const open = (): RunStore => new RunStore(subject.open());
    const create = (overrides: Partial<StoredRun> = {}): Promise<void> => {
      const run = aRun(overrides);
      return store.create(run, aRunEvent(1, { run_id: run.id }));
    };
    beforeEach(async () => {
      subject = await make();
      store = open();
    });
    afterEach(() => subject.remove());

    describe('runs', () => {
      it('keeps a run unchanged', async () => {
        const run = aRun({ name: 'Ä 😀', config: '{"a":"\\u0000"}' });
        await store.create(run, aRunEvent());
        expect(await open().get(aRunKey())).toEqual(run);
        expect(await open().get(aRunKey({ principal: null }))).toEqual(run);
      });

      it.each(OTHERS)('does not know a run of %j', async (other) => {
        await create();
        expect(await store.get(aRunKey(other))).toBeNull();
        expect(await store.change(aRunKey(other), advanced())).toBeNull();
        expect(await store.checkpoint(aRunKey(other), 0)).toBeNull();
        expect(await store.list({ ...ALL, ...other })).toEqual([]);
      });

      it('shows runs of others that were created within a scope', async () => {
        const within = (docTags: string[] | null) => ({ ...PLACE, docTags, repositories: null });
        await create({ id: 'guides', principal: 'ann', scope: within(['guides']) });
        await create({ id: 'all', principal: 'ann', scope: within(null) });
        await create({ id: 'old', principal: 'ann' });
        await create({ id: 'own', scope: within(null) });
        const reader = { principal: 'local', orWithin: within(['guides', 'faq']) };
        const listed = await store.list({ ...ALL, ...reader });
        expect(listed.map(({ run }) => run.id)).toEqual(['own', 'guides']);
        expect(await store.get(aRunKey({ id: 'guides', ...reader }))).toMatchObject({ id: 'guides' });
        expect(await store.get(aRunKey({ id: 'all', ...reader }))).toBeNull();
        expect(await store.get(aRunKey({ id: 'old', ...reader }))).toBeNull();
      });

      it('changes nothing if the change is refused, or has no event', async () => {
        await create();
        const refuse = (): never => {
          throw new RangeError('refused');
        };
        await expect(store.change(aRunKey(), refuse)).rejects.toThrow(RangeError);
        await store.change(aRunKey(), (run) => ({ run: { ...run, status: 'failed' }, event: null }));
        expect(await store.get(aRunKey())).toEqual(aRun());
        expect(await store.lease('run_1', 'a', LONG_MS)).toHaveLength(1);
      });

      it('makes one change after the other, also those of several processes', async () => {
        await create();
        const stores = [store, open(), open(), open()];
        await Promise.all(stores.map((each) => each.change(aRunKey(), advanced())));
        expect(await store.get(aRunKey())).toMatchObject({ events: 5 });
      });
    });

    describe('lists', () => {
      beforeEach(async () => {
        await create({ id: 'a' });
        await create({ id: 'b', type: 'other', principal: 'ann' });
        await create({ id: 'c', status: 'started' });
      });
      const idsOf = async (query: object): Promise<string[]> =>
        (await store.list({ ...ALL, ...query })).map(({ run }) => run.id);

      it.each([
        [{}, ['c', 'b', 'a']],
        [{ limit: 2 }, ['c', 'b']],
        [{ principal: 'local' }, ['c', 'a']],
        [{ type: 'other' }, ['b']],
        [{ status: 'started' }, ['c']],
        [{ status: 'created', type: 'index-update' }, ['a']],
      ])('lists the newest first: %j', async (query, expected) => {
        expect(await idsOf(query)).toEqual(expected);
      });

      it('lists also runs of others that were created within the scope of the reader', async () => {
        const scope = { ...PLACE, docTags: ['guides'], repositories: null };
        await create({ id: 'd', principal: 'ben', scope });
        await create({ id: 'e', principal: 'ben', scope: { ...scope, docTags: null } });
        const reader = { principal: 'ann', orWithin: { ...scope, docTags: ['guides', 'hr'] } };
        expect(await idsOf(reader)).toEqual(['d', 'b']);
        expect(await idsOf({ ...reader, limit: 1 })).toEqual(['d']);
        expect(await store.get(aRunKey({ ...reader, id: 'd' }))).not.toBeNull();
        expect(await store.get(aRunKey({ ...reader, id: 'e' }))).toBeNull();
      });

      it('goes on after a position, which no run of another project changes', async () => {
        await create({ id: 'd', projectId: 'other' });
        const [first] = await store.list({ ...ALL, limit: 1 });
        expect(first?.position).toBe(3);
        expect(await idsOf({ after: 3 })).toEqual(['b', 'a']);
      });
    });

    describe('checkpoints', () => {
      it('returns a version, the latest one, and none that was not stored', async () => {
        await create();
        expect(await store.checkpoint(aRunKey(), 0)).toBeNull();
        await store.change(aRunKey(), withState('{"step":1}'));
        await store.change(aRunKey(), withState('{"step":2}'));
        expect(await store.checkpoint(aRunKey(), 1)).toEqual({
          version: 1,
          state: '{"step":1}',
          at: CREATED_AT,
        });
        expect(await store.checkpoint(aRunKey(), 0)).toMatchObject({ version: 2, state: '{"step":2}' });
        expect(await store.checkpoint(aRunKey(), 3)).toBeNull();
      });

      it(`keeps the last ${KEPT_CHECKPOINTS}`, async () => {
        await create();
        for (let i = 0; i <= KEPT_CHECKPOINTS; i++) await store.change(aRunKey(), withState('{}'));
        expect(await store.checkpoint(aRunKey(), 1)).toBeNull();
        expect(await store.checkpoint(aRunKey(), 2)).toMatchObject({ version: 2 });
      });
    });

    describe('events', () => {
      const numbersIn = async (by: string, forMs = LONG_MS): Promise<unknown> =>
        (await store.lease('run_1', by, forMs))?.map(({ number }) => number) ?? null;

      it('wait in order until they are recorded', async () => {
        await create();
        await store.change(aRunKey(), advanced());
        expect(await open().lease('run_1', 'a', LONG_MS)).toEqual([aRunEvent(1), aRunEvent(2)]);
        await store.recorded('run_1', 1);
        expect(await numbersIn('a')).toEqual([2]);
        await store.recorded('run_1', 2);
        expect(await numbersIn('a')).toBeNull();
      });

      it('belong to one claim, until it ends or its time is over', async () => {
        await create();
        expect(await numbersIn('a')).toEqual([1]);
        await store.change(aRunKey(), advanced());
        expect(await numbersIn('b')).toEqual([]);
        expect(await numbersIn('a')).toEqual([1, 2]);
        await store.release('run_1', 'b');
        expect(await numbersIn('b')).toEqual([]);
        await store.release('run_1', 'a');
        expect(await numbersIn('b', 20)).toEqual([1, 2]);
        await sleep(30);
        expect(await numbersIn('c')).toEqual([1, 2]);
      });

      it('are not held by a claim from before the clock stepped back', async () => {
        await create();
        expect(await numbersIn('killed', HOUR_MS)).toEqual([1]);
        expect(await numbersIn('b')).toEqual([1]);
      });

      it('are found by project and environment', async () => {
        await create();
        expect(await store.waiting(PLACE)).toEqual(['run_1']);
        expect(await store.waiting({ projectId: 'other', environment: 'prod' })).toEqual([]);
        await store.recorded('run_1', 1);
        expect(await store.waiting(PLACE)).toEqual([]);
      });
    });

    describe('removal', () => {
      it('removes nothing of another project or environment', async () => {
        await create();
        await store.recorded('run_1', 1);
        for (const other of [{ projectId: 'other' }, { environment: 'dev' }])
          expect(await store.purge({ ...PLACE, ...other }, CREATED_AT + 1)).toBe(0);
        expect(await store.get(aRunKey())).not.toBeNull();
      });

      it('removes old runs with their checkpoints, but none whose events wait', async () => {
        await create();
        await store.change(aRunKey(), withState('{}'));
        expect(await store.purge(PLACE, CREATED_AT + 1)).toBe(0);
        await store.recorded('run_1', 2);
        await create({ id: 'run_2', changedAt: CREATED_AT + 1 });
        await store.recorded('run_2', 1);
        expect(await store.purge(PLACE, CREATED_AT + 1)).toBe(1);
        expect(await store.get(aRunKey())).toBeNull();
        expect(await store.get(aRunKey({ id: 'run_2' }))).not.toBeNull();
        await create();
        expect(await store.checkpoint(aRunKey(), 1)).toBeNull();
      });
    });
  });
