import { SourceUpdates, sourceUpdates } from '../../../../src/cli/running/source-updates.js';
import type { IndexProcessTask, IndexRunEnd } from '../../../../src/ingest/runs/index-process.js';
import { readAddress } from '../../../../src/sources/read-address.js';
import { listedSource } from '../../../../src/sources/source-list.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

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

  it('waits longer each time, up to 5 minutes, because each try asks the source', async () => {
    const { commands, start, end } = startedProcesses();
    const updates = updatesOf(start);
    updates.begin();
    updates.update('b');
    const nextStartAfter = async (ms: number): Promise<void> => {
      const before = commands.length;
      await end(BUSY);
      jest.advanceTimersByTime(ms - 1);
      updates.update('b');
      expect(commands).toHaveLength(before);
      jest.advanceTimersByTime(1);
      expect(commands).toHaveLength(before + 1);
    };
    await nextStartAfter(2_000);
    await nextStartAfter(4_000);
    for (let tries = 0; tries < 6; tries++) {
      await end(BUSY);
      jest.advanceTimersByTime(300_000);
    }
    await nextStartAfter(300_000);
    await end();
    await nextStartAfter(2_000);
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

describe('sourceUpdates', () => {
  let folder: TestFolder;
  let told: jest.SpyInstance;
  beforeEach(() => {
    folder = testFolder();
    told = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterEach(() => {
    told.mockRestore();
    folder.remove();
  });

  const list = (text: string, hasHooks: boolean): Promise<SourceUpdates | null> => {
    writeFiles(folder.path, { '.pith.yaml': text });
    return sourceUpdates({ folder: folder.path, file: folder.file('i.sqlite') }, hasHooks);
  };
  const HOOKED = 'sources: [{ address: "https://git.example.com/a.git", hook_secret: PITH_TEST_NOT_SET }]\n';
  const lines = (): string => told.mock.calls.flat().join('');

  it('goes on without the webhook of a source whose secret is not set, and says so', async () => {
    const updates = await list(HOOKED, true);
    expect(updates?.secretFor('a')).toBeNull();
    expect(lines()).toContain('source a has no webhook');
    expect(lines()).toContain('PITH_TEST_NOT_SET is not set');
  });

  it('reads no secrets for a server that receives no messages', async () => {
    expect(await list(HOOKED, false)).not.toBeNull();
    expect(lines()).toBe('');
  });

  it('leaves a broken list to the index run', async () => {
    expect(await list('sources: [', true)).toBeNull();
  });

  it('is null without sources', async () => {
    expect(await list('project: a\n', true)).toBeNull();
  });
});
