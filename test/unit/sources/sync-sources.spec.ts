import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackendUnavailableError, InvalidArgumentError, type PithError } from '../../../src/core/errors.js';
import { readAddress } from '../../../src/sources/read-address.js';
import { type ListedSource, listedSource } from '../../../src/sources/source-list.js';
import { type FetchCopy, SourceStore } from '../../../src/sources/source-store.js';
import {
  indexedFacts,
  notedFacts,
  type Synced,
  type SyncOptions,
  syncSources,
  withLosses,
} from '../../../src/sources/sync-sources.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const HANDBOOK = listedSource(readAddress('https://git.example.com/handbook.git'), { version: '2' });
const GUIDE = listedSource(readAddress('https://git.example.com/guide.git'));

let folder: TestFolder;
let failures: Record<string, PithError>;
let revision: string;
beforeEach(() => {
  folder = testFolder();
  failures = {};
  revision = '1';
});
afterEach(() => folder.remove());

/** Each source has one page, or the failure that the test sets. */
const fetchPage: FetchCopy = async ({ source, folder: target }) => {
  const failure = failures[source.name];
  if (failure) throw failure;
  writeFileSync(join(target, 'a.md'), source.name);
  return { files: [{ path: 'a.md', address: `${source.address}#main:a.md` }], refused: [], revision };
};
const fails = (name: string, reason: string): void => {
  failures[name] = new BackendUnavailableError('It failed.', { reason, hint: 'Check it.' });
};
const sync = (sources: readonly ListedSource[], options: Partial<SyncOptions> = {}): Promise<Synced> =>
  syncSources(new SourceStore(folder.file('copies'), fetchPage, () => NOON), sources, {
    signal: new AbortController().signal,
    report: () => undefined,
    ...options,
  });
const states = ({ facts }: Synced): string[] => facts.map(({ name, state }) => `${name} ${state}`);
const names = ({ copies }: Synced): string[] => copies.map(({ name }) => name);

describe('syncSources', () => {
  it('gives the copy of each source with what the list says, and the addresses of pages', async () => {
    const { copies, facts, error } = await sync([HANDBOOK]);
    expect(copies).toMatchObject([
      {
        name: 'handbook',
        root: 'https://git.example.com/handbook.git',
        docTag: 'handbook',
        isTrusted: false,
        metadata: { version: '2' },
        addresses: new Map([['a.md', 'https://git.example.com/handbook.git#main:a.md']]),
        usesIgnoreFiles: false,
      },
    ]);
    expect(facts).toMatchObject([{ state: 'updated', pages: 1, changes: null, problem: null }]);
    expect(error).toBeNull();
  });

  it('gives the revision that a dry run found', async () => {
    await sync([HANDBOOK]);
    revision = '2';
    expect((await sync([HANDBOOK], { isDryRun: true })).facts).toMatchObject([{ revision: '2' }]);
    revision = '1';
    expect((await sync([HANDBOOK], { isDryRun: true })).facts).toMatchObject([{ revision: '1' }]);
  });

  it('asks only the named source; the others keep their copies', async () => {
    await sync([HANDBOOK, GUIDE]);
    fails('guide', 'source_timeout');
    const synced = await sync([HANDBOOK, GUIDE], { only: 'handbook' });
    expect(states(synced)).toEqual(['handbook unchanged', 'guide ready']);
    expect(synced.copies.map((copy) => copy.folder)).toEqual([
      expect.any(String) as string,
      expect.any(String) as string,
    ]);
  });

  it('asks no source for the name ""', async () => {
    fails('handbook', 'source_timeout');
    expect(states(await sync([HANDBOOK], { only: '' }))).toEqual(['handbook new']);
  });

  it('brings the others up to date if one fails, and says what to do', async () => {
    fails('handbook', 'source_timeout');
    const { facts, copies, error } = await sync([HANDBOOK, GUIDE]);
    expect(facts).toMatchObject([
      { state: 'failed', problem: 'It failed.', hint: 'Check it.' },
      { state: 'updated', problem: null },
    ]);
    // Without a folder, its documents stay in the index as they are.
    expect(copies[0]?.folder).toBeNull();
    expect(error).toBe(failures['handbook']);
  });

  it('takes any failure for an error if copies must be new, also with an old copy', async () => {
    await sync([HANDBOOK]);
    fails('handbook', 'source_timeout');
    expect((await sync([HANDBOOK])).error).toBeNull();
    expect((await sync([HANDBOOK], { needsSuccess: true })).error).toBe(failures['handbook']);
  });

  it('leaves out a source that is gone if that is accepted, also later', async () => {
    await sync([HANDBOOK, GUIDE]);
    failures['handbook'] = new InvalidArgumentError('Gone.', { reason: 'source_missing', hint: 'Check it.' });
    const kept = await sync([HANDBOOK, GUIDE]);
    expect(names(kept)).toEqual(['handbook', 'guide']);
    expect(kept.facts[0]?.hint).toBe(
      'Check it. If it is gone for good, remove its pages: pith sync handbook --accept-removal',
    );
    const accepted = await sync([HANDBOOK, GUIDE], { acceptRemoval: true });
    expect(states(accepted)).toEqual(['handbook removed', 'guide unchanged']);
    expect(names(accepted)).toEqual(['guide']);
    expect(accepted.facts[0]).toMatchObject({
      problem: 'Gone.',
      hint: 'Take it out of the list: pith remove handbook',
    });
    expect((await sync([HANDBOOK, GUIDE])).copies[0]?.folder).toBeNull();
  });

  it('keeps a source that can not be reached, also if removal is accepted', async () => {
    await sync([HANDBOOK]);
    fails('handbook', 'source_unavailable');
    const synced = await sync([HANDBOOK], { acceptRemoval: true });
    expect(states(synced)).toEqual(['handbook failed']);
    expect(synced.copies[0]?.folder).toEqual(expect.any(String));
  });

  it('reads a folder where it is, and leaves it out if it is gone and that is accepted', async () => {
    const docs = listedSource(readAddress(folder.file('docs')));
    mkdirSync(folder.file('docs'));
    expect((await sync([docs])).copies).toMatchObject([
      { folder: folder.file('docs'), isTrusted: true, usesIgnoreFiles: true },
    ]);
    const missing = listedSource(readAddress(folder.file('none')));
    const kept = await sync([missing]);
    expect(states(kept)).toEqual(['none failed']);
    expect(kept.facts[0]?.hint).toContain('pith sync none --accept-removal');
    expect(names(await sync([missing]))).toEqual(['none']);
    const accepted = await sync([missing], { acceptRemoval: true });
    expect([names(accepted), states(accepted)]).toEqual([[], ['none removed']]);
    expect(accepted.facts[0]?.hint).toBe('Take it out of the list: pith remove none');
    expect(names(await sync([missing], { acceptRemoval: true, only: 'other' }))).toEqual(['none']);
  });
});

describe('the facts of a source after an index run', () => {
  const CHANGES = { added: 0, updated: 0, removed: 0, unchanged: 4 };
  const LATER = '2026-03-01T13:00:00Z';
  const facts = async () => {
    const [found] = (await sync([HANDBOOK])).facts;
    if (!found) throw new Error('no facts');
    return found;
  };

  it('count its documents, not its files', async () => {
    const changes = { ...CHANGES, added: 3 };
    const found = indexedFacts(
      await facts(),
      { name: 'handbook', pages: 7, changes, heldPages: null },
      LATER,
    );
    expect(found).toMatchObject({ state: 'updated', pages: 7, changes, problem: null });
    const other = await facts();
    expect(notedFacts(other, { ...found, state: 'updated' })).toMatchObject({
      ...{ state: 'unchanged', pages: 7, problem: null },
      checked_at: '2026-03-01T12:00:00.000Z',
    });
  });

  it('say that its old pages stay, also later', async () => {
    const held = { name: 'handbook', pages: 4, changes: CHANGES, heldPages: 1 };
    const found = indexedFacts(await facts(), held, LATER);
    const problem = 'it has 1 page now instead of 4, so its old pages stay';
    expect(found).toMatchObject({ state: 'held', pages: 4, problem });
    const noted = { ...found, revision: '0', fetched_at: '2026-02-01T12:00:00Z' };
    const { revision, fetched_at } = noted;
    const later = notedFacts(await facts(), noted);
    expect(later).toMatchObject({ state: 'held', pages: 4, problem, revision, fetched_at });
  });

  it('say that it failed if all its files were refused, also later', async () => {
    const refused = [{ address: 'a.md', reason: '9 bytes exceed the limit of 8' }];
    const empty = { name: 'handbook', pages: 0, changes: { ...CHANGES, unchanged: 0 }, heldPages: null };
    const found = indexedFacts({ ...(await facts()), refused }, empty, LATER);
    const failed = { state: 'failed', pages: 0, problem: 'none of its files could be read' };
    expect(found).toMatchObject(failed);
    expect(notedFacts({ ...(await facts()), refused }, found)).toMatchObject(failed);
  });

  it('ask to take a folder out of the list whose pages were removed', async () => {
    const [gone] = (await sync([listedSource(readAddress(folder.file('none')))])).facts;
    if (!gone) throw new Error('no facts');
    const noted = { ...gone, pages: 0, state: 'removed' };
    expect(notedFacts(gone, noted).hint).toBe('Take it out of the list: pith remove none');
    expect(notedFacts(gone, { ...noted, pages: 2 }).hint).toContain('pith sync none --accept-removal');
  });

  it('know from earlier runs when a source was checked, on a machine without its copy', async () => {
    const [facts] = (await sync([HANDBOOK])).facts;
    if (!facts) throw new Error('no facts');
    const noted = { ...facts, pages: 2, checked_at: '2026-01-01T00:00:00.000Z' };
    expect(notedFacts({ ...facts, checked_at: null }, noted).checked_at).toBe(noted.checked_at);
    expect(notedFacts(facts, noted).checked_at).toBe(facts.checked_at);
  });
});

describe('withLosses', () => {
  it('keeps the first five files with a reason, problems first, so that a later command shows them', async () => {
    const [facts] = (await sync([HANDBOOK])).facts;
    const skipped = ['1.md', '2.md', '3.md', '4.md', '5.md', '6.pdf'].map((path) => {
      return { kind: 'skipped' as const, path, reason: 'why', isProblem: path === '6.pdf' };
    });
    const unread = [{ extension: '.xml', files: 2, advice: null }];
    const found = facts && withLosses(facts, { name: 'handbook', skipped, unread });
    expect(found?.left_out).toEqual({
      skipped: 6,
      examples: ['6.pdf', '1.md', '2.md', '3.md', '4.md'].map((path) => ({ path, reason: 'why' })),
      unread,
    });
    expect(facts && notedFacts(facts, found)).toEqual(found);
  });
});

describe('notedFacts', () => {
  it('leaves out what was noted of another branch with the name, such as that of another list', async () => {
    const [facts] = (await sync([listedSource(readAddress('https://git.example.com/handbook.git#v2'))]))
      .facts;
    const before = { name: 'handbook', address: HANDBOOK.source.address, repository: '', checked_at: null };
    const noted = { ...before, pages: 9, state: 'held', problem: 'it has 1 page' };
    expect(facts && notedFacts(facts, noted)).toEqual(facts);
  });

  it('names the source in the advice on a folder that is held', async () => {
    mkdirSync(folder.file('docs'));
    const [facts] = (await sync([listedSource(readAddress(folder.file('docs')))])).facts;
    const noted = { name: 'docs', repository: 'docs', checked_at: null, problem: 'it has 1 page', pages: 4 };
    expect(facts && notedFacts(facts, { ...noted, state: 'held' }).hint).toBe(
      'If this is what you want, run: pith sync docs --accept-removal',
    );
  });
});
