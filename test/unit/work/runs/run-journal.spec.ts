import type { RecordedEvent } from '../../../../src/governance/ledger/ledger-event.js';
import type { LedgerLine, LedgerQuery } from '../../../../src/governance/ledger/ledger-line.js';
import type { SqlDatabase } from '../../../../src/sqlite/stores/sql-database.port.js';
import { RunJournal } from '../../../../src/work/runs/run-journal.js';
import { RunStore } from '../../../../src/work/runs/run-store.js';
import { openWorkFile } from '../../../../src/work/work-databases.js';
import { aStart, TIME } from '../../../support/a-ledger.js';
import { aRun, aRunEvent, aRunKey } from '../../../support/a-run.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
let database: SqlDatabase;
let store: RunStore;
let events: RecordedEvent[];
let failure: Error | null;
let files = 0;

const ledger = {
  append: async (added: readonly RecordedEvent[]): Promise<void> => {
    if (failure) throw failure;
    events.push(...added);
  },
  lines: async ({ before = Infinity, limit }: LedgerQuery): Promise<LedgerLine[]> =>
    events
      .map((event, i) => ({ seq: i + 1, time: TIME, event, previous: '', hash: '' }))
      .filter(({ seq }) => seq < before)
      .slice(-limit),
};
const numbers = (): number[] => events.flatMap((event) => ('number' in event ? event.number : []));
const journal = (): RunJournal => new RunJournal({ store, ledger });
const step = (): Promise<unknown> =>
  store.change(aRunKey(), (run) => ({
    run: { ...run, events: run.events + 1 },
    event: aRunEvent(run.events + 1),
  }));

beforeEach(async () => {
  database = openWorkFile(folder.file(`${++files}.sqlite`));
  store = new RunStore(database);
  [events, failure] = [[], null];
  await store.create(aRun(), aRunEvent(1));
});
afterEach(() => database.close());
afterAll(() => folder.remove());

describe('RunJournal', () => {
  it('records the events of a run in order, once', async () => {
    await step();
    await journal().settle('run_1');
    await journal().settle('run_1');
    expect(numbers()).toEqual([1, 2]);
  });

  it('records each event once when several calls change a run', async () => {
    await Promise.all([1, 2, 3, 4].map(() => step().then(() => journal().settle('run_1'))));
    expect(numbers()).toEqual([1, 2, 3, 4, 5]);
  });

  it('does not record again what a killed process has recorded', async () => {
    await step();
    events = [aRunEvent(1), ...Array.from({ length: 120 }, () => aStart({ run_id: 'run_1' }))];
    await journal().settle('run_1');
    expect(numbers()).toEqual([1, 2]);
  });

  it('takes over from a process that was killed', async () => {
    await store.lease('run_1', 'killed', 50);
    await journal().repair({ projectId: 'docs', environment: 'prod' });
    expect(numbers()).toEqual([1]);
    expect(await store.waiting({ projectId: 'docs', environment: 'prod' })).toEqual([]);
  });

  it('keeps events that the ledger does not take, for the next time', async () => {
    failure = new Error('full');
    await expect(journal().settle('run_1')).rejects.toBe(failure);
    failure = null;
    await journal().settle('run_1');
    expect(numbers()).toEqual([1]);
  });
});
