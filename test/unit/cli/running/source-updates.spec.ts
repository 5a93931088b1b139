import { SourceUpdates } from '../../../../src/cli/running/source-updates.js';
import type { IndexProcessTask, IndexRunEnd } from '../../../../src/ingest/runs/index-process.js';
import { readAddress } from '../../../../src/sources/read-address.js';
import { listedSource } from '../../../../src/sources/source-list.js';

const sourceNamed = (name: string, every?: string) =>
  listedSource(readAddress(`https://git.example.com/${name}.git`), every === undefined ? {} : { every });

const DONE = { report: { sources: [] } } as unknown as IndexRunEnd;
const BUSY: IndexRunEnd = {
  error: { code: 'BACKEND_UNAVAILABLE', reason: 'index_busy', message: 'busy', hint: 'wait' },
};

/** Processes that end when the test says so. */
function startedProcesses() {
  const commands: string[] = [];
  const ends: ((end: IndexRunEnd) => void)[] = [];
  let stopped = 0;
  const start = ({ command = [] }: IndexProcessTask) => {
    commands.push(command.join(' '));
    return { ended: new Promise<IndexRunEnd>((resolve) => ends.push(resolve)), stop: () => void stopped++ };
  };
  const end = async (how: IndexRunEnd = DONE): Promise<void> => {
    ends.shift()?.(how);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { commands, start, end, stopped: () => stopped };
}

const updatesOf = (start: ReturnType<typeof startedProcesses>['start']): SourceUpdates =>
  new SourceUpdates(
    {
      folder: '/list',
      file: '/i.sqlite',
      sources: [sourceNamed('a', '15m'), sourceNamed('b')],
      secrets: new Map([['b', 's3cret']]),
    },
    start,
  );

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('SourceUpdates', () => {
  it('waits for the first index run, then makes one update at a time', async () => {
    const { commands, start, end } = startedProcesses();
    const updates = updatesOf(start);
    updates.update('a');
    updates.update('b');
    expect(commands).toEqual([]);
    updates.begin();
    expect(commands).toEqual(['sync a --folder /list']);
    expect(updates.isRunning).toBe(true);
    await end();
    expect(commands).toEqual(['sync a --folder /list', 'sync b --folder /list']);
    await end();
    expect(updates.isRunning).toBe(false);
  });

  it('keeps one update of a source waiting, however many messages come', async () => {
    const { commands, start, end } = startedProcesses();
    const updates = updatesOf(start);
    updates.begin();
    for (let i = 0; i < 1_000; i++) updates.update('a');
    await end();
    await end();
    await end();
    expect(commands).toHaveLength(2);
  });

  it('updates a source on its schedule', async () => {
    const { commands, start } = startedProcesses();
    updatesOf(start).begin();
    jest.advanceTimersByTime(15 * 60_000 - 1);
    expect(commands).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(commands).toEqual(['sync a --folder /list']);
  });

  it('tries again while another process writes the index', async () => {
    const { commands, start, end } = startedProcesses();
    const updates = updatesOf(start);
    updates.begin();
    updates.update('a');
    await end(BUSY);
    expect(commands).toHaveLength(1);
    jest.advanceTimersByTime(2_000);
    expect(commands).toHaveLength(2);
  });

  it('ends its process and starts no other one after it is stopped', async () => {
    const { commands, start, end, stopped } = startedProcesses();
    const updates = updatesOf(start);
    updates.begin();
    updates.update('a');
    updates.update('b');
    updates.stop();
    await end();
    jest.advanceTimersByTime(3_600_000);
    expect([commands.length, stopped()]).toEqual([1, 1]);
  });

  it('knows the secrets of webhooks', () => {
    const updates = updatesOf(startedProcesses().start);
    expect([updates.secretFor('a'), updates.secretFor('b')]).toEqual([null, 's3cret']);
  });
});
