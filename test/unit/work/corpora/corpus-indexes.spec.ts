import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { parseConfig } from '../../../../src/config/config.js';
import { IndexProcesses } from '../../../../src/ingest/runs/index-processes.js';
import { ReaderThreads } from '../../../../src/sqlite/reader-threads.js';
import { CorpusIndexes } from '../../../../src/work/corpora/corpus-indexes.js';
import { CorpusStore } from '../../../../src/work/corpora/corpus-store.js';
import { testFolder } from '../../../support/test-folder.js';
import { workFile } from '../../../support/work-stores.js';
import { writeFiles } from '../../../support/write-files.js';

const ID = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';
const folder = testFolder();
const config = parseConfig({
  PITH_INDEX: folder.file('index.sqlite'),
  PITH_WORK_FILE: folder.file('work.sqlite'),
});
const store = new CorpusStore(workFile(folder.file('work.sqlite')));
const corpora = (of = config): CorpusIndexes => new CorpusIndexes(of, { model: null, reranker: null }, store);
const request = { folder: folder.path, origin: null, project: 'docs', environment: 'prod' };
const watch = { signal: new AbortController().signal, onProgress: () => undefined };

afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await store.close();
  folder.remove();
});

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

it('shares an index in parts, which other servers fetch once', async () => {
  const backends = { ...config.backends, database: 'postgres://db.example.org/pith' };
  const at = (name: string) => ({
    ...config,
    backends,
    domains: { ...config.domains, workFile: folder.file(name) },
  });
  const bytes = randomBytes(2_500_000);
  mkdirSync(folder.file('one.shared-corpora'));
  writeFileSync(folder.file(`one.shared-corpora/${ID}.sqlite`), bytes);
  await corpora(at('one')).share(ID, 0);
  expect(await store.countParts(ID)).toBe(3);
  const read = jest.spyOn(store, 'readPart');
  const other = corpora(at('two'));
  expect(await Promise.all([other.fetch(ID), other.fetch(ID)])).toEqual([true, true]);
  expect(read).toHaveBeenCalledTimes(3);
  expect(readdirSync(folder.file('two.shared-corpora'))).toEqual([`${ID}.sqlite`]);
  expect(readFileSync(folder.file(`two.shared-corpora/${ID}.sqlite`)).equals(bytes)).toBe(true);
});

it('fetches no index that nobody has stored, or that was replaced meanwhile', async () => {
  expect(await corpora().fetch(OTHER)).toBe(false);
  jest.spyOn(store, 'countParts').mockResolvedValue(2);
  expect(await corpora().fetch(OTHER)).toBe(false);
  expect(readdirSync(folder.file('work.sqlite.corpora')).filter((name) => name.endsWith('.part'))).toEqual(
    [],
  );
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
