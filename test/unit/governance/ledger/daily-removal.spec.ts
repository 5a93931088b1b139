import { DailyRemoval } from '../../../../src/governance/ledger/daily-removal.js';
import { Ledger } from '../../../../src/governance/ledger/ledger.js';
import { LocalLedgerStore } from '../../../../src/governance/ledger/store/local-ledger-store.js';
import { openLedgerToWrite } from '../../../../src/governance/ledger/store/open-ledger-file.js';
import { KEYS, startsOf } from '../../../support/a-ledger.js';
import { testFolder } from '../../../support/test-folder.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const START = Date.parse('2026-03-01T00:00:00.000Z');
const settled = (): Promise<void> => new Promise(setImmediate);

/** Removal after 30 days, with a clock that moves when told. */
function aRemoval(remove: (beforeMs: number) => Promise<number>, days = 30) {
  const clock = { at: START, waits: [] as number[], work: (): void => undefined };
  const failures: unknown[] = [];
  const removal = new DailyRemoval({
    remove,
    days,
    clock: {
      now: () => clock.at,
      after: (ms, work) => {
        clock.waits.push(ms);
        clock.work = work;
        return () => (clock.work = () => undefined);
      },
    },
    onFailure: (error) => failures.push(error),
  });
  const pass = async (ms: number): Promise<void> => {
    clock.at += ms;
    clock.work();
    await settled();
  };
  return { removal, clock, failures, pass };
}

describe('DailyRemoval', () => {
  it('removes what is old at the start, and then once a day', async () => {
    const times: string[] = [];
    const { removal, clock, pass } = aRemoval(async (ms) => times.push(new Date(ms).toISOString()));
    removal.start();
    await settled();
    await pass(DAY);
    await pass(DAY);
    expect(times).toEqual([
      '2026-01-30T00:00:00.000Z',
      '2026-01-31T00:00:00.000Z',
      '2026-02-01T00:00:00.000Z',
    ]);
    expect(clock.waits).toEqual([DAY, DAY, DAY]);
  });

  it('reports a failure and tries again after an hour', async () => {
    const answers = [Promise.reject(new Error('locked')), Promise.resolve(1)];
    answers[0]?.catch(() => undefined);
    const { removal, clock, failures, pass } = aRemoval(() => answers.shift() ?? Promise.resolve(0));
    removal.start();
    await settled();
    await pass(HOUR);
    expect(failures).toEqual([new Error('locked')]);
    expect(clock.waits).toEqual([HOUR, DAY]);
  });

  it('removes nothing after it was stopped', async () => {
    const times: string[] = [];
    const { removal, pass } = aRemoval(async (ms) => times.push(new Date(ms).toISOString()));
    removal.start();
    await settled();
    removal.stop();
    await pass(DAY);
    expect(times).toHaveLength(1);
  });

  it('does not report the closed store of a server that stops', async () => {
    const { removal, clock, failures } = aRemoval(async () => {
      removal.stop();
      throw new Error('closed');
    });
    removal.start();
    await settled();
    expect([failures, clock.waits]).toEqual([[], []]);
  });

  it('keeps everything with 0 days', async () => {
    const times: string[] = [];
    aRemoval(async (ms) => times.push(new Date(ms).toISOString()), 0).removal.start();
    await settled();
    expect(times).toEqual([]);
  });
});

describe('DailyRemoval of several processes on one ledger', () => {
  const folder = testFolder();
  const now = { at: START };
  const open = (): Ledger => {
    const place = { file: folder.file('ledger.sqlite'), keys: KEYS, open: openLedgerToWrite };
    return new Ledger(new LocalLedgerStore(place), { now: () => now.at, onFailure: () => undefined });
  };
  afterAll(() => folder.remove());

  it('removes each line once, with one checkpoint, and leaves a chain that verifies', async () => {
    const ledgers = [open(), open(), open()];
    await ledgers[0]?.append(startsOf(40), { durable: true });
    now.at += 40 * DAY;
    const failures: unknown[] = [];
    const clock = { now: () => now.at, after: () => () => undefined };
    for (const ledger of ledgers)
      new DailyRemoval({
        remove: (ms) => ledger.removeBefore(new Date(ms).toISOString()),
        days: 30,
        clock,
        onFailure: (e) => failures.push(e),
      }).start();
    await settled();
    await settled();
    expect(failures).toEqual([]);
    expect(await ledgers[1]?.lines({ from: 'oldest', limit: 10 })).toMatchObject([
      { seq: 41, event: { type: 'checkpoint' } },
    ]);
    expect(await ledgers[2]?.verify()).toMatchObject({ isIntact: true, lines: 1 });
    for (const ledger of ledgers) await ledger.close();
  });
});
