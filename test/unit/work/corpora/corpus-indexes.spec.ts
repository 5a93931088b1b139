import { existsSync, utimesSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { parseConfig } from '../../../../src/config/config.js';
import { IndexProcesses } from '../../../../src/ingest/runs/index-processes.js';
import { ReaderThreads } from '../../../../src/sqlite/reader-threads.js';
import { CorpusIndexes } from '../../../../src/work/corpora/corpus-indexes.js';
import { testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

const ID = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';
const folder = testFolder();
const config = parseConfig({
  PITH_INDEX: folder.file('index.sqlite'),
  PITH_WORK_FILE: folder.file('work.sqlite'),
});
const corpora = (of = config): CorpusIndexes => new CorpusIndexes(of, { model: null, reranker: null });
const request = { folder: folder.path, origin: null, project: 'docs', environment: 'prod' };
const watch = { signal: new AbortController().signal, onProgress: () => undefined };

afterEach(() => jest.restoreAllMocks());
afterAll(() => folder.remove());

it('starts one of two builds that are asked for at once', async () => {
  let isRunning = false;
  jest.spyOn(IndexProcesses.prototype, 'isRunning', 'get').mockImplementation(() => isRunning);
  const run = jest.spyOn(IndexProcesses.prototype, 'run').mockImplementation(() => {
    isRunning = true;
    return Promise.reject(new Error('ended'));
  });
  const indexes = corpora();
  const ends = await Promise.allSettled([ID, OTHER].map((id) => indexes.build(id, request, watch)));
  expect(ends).toMatchObject([{ reason: { message: 'ended' } }, { reason: { reason: 'index_busy' } }]);
  expect(run).toHaveBeenCalledTimes(1);
});

it('knows no index of a server without a database when it has one, so it removes none', async () => {
  const old = new Date(0);
  writeFiles(folder.path, { [`work.sqlite.corpora/${OTHER}.sqlite`]: '' });
  utimesSync(folder.file(`work.sqlite.corpora/${OTHER}.sqlite`), old, old);
  const database = 'postgres://db.example.org/pith';
  const shared = { ...config, backends: { ...config.backends, database } };
  expect(await corpora().writtenBefore(1)).toEqual([OTHER]);
  expect(await corpora(shared).writtenBefore(1)).toEqual([]);
});

it('closes and removes an index when the last call that reads it has ended', async () => {
  const file = folder.file(`work.sqlite.corpora/${ID}.sqlite`);
  writeFiles(folder.path, { [`work.sqlite.corpora/${ID}.sqlite`]: '' });
  const close = jest.spyOn(ReaderThreads.prototype, 'close').mockResolvedValue();
  const indexes = corpora();
  const ends: (() => void)[] = [];
  const read = (): Promise<void> => indexes.use(ID, () => new Promise((resolve) => ends.push(resolve)));
  const reads = [read(), read()];
  const removing = indexes.remove(ID);
  ends[0]?.();
  await setImmediate();
  expect([close.mock.calls.length, existsSync(file)]).toEqual([0, true]);
  ends[1]?.();
  await Promise.all([...reads, removing]);
  expect([close.mock.calls.length, existsSync(file)]).toEqual([1, false]);
});

it('shares nothing without a database', async () => {
  const space = { projectId: 'docs', environment: 'prod' };
  await expect(corpora().share(space, ID)).resolves.toBeUndefined();
  expect(await corpora().fetch(space, ID)).toBe(false);
});
