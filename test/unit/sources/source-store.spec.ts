import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InvalidArgumentError } from '../../../src/core/errors.js';
import { readAddress } from '../../../src/sources/read-address.js';
import { SiteUnreachableError } from '../../../src/sources/site/fetch-site.js';
import { WebFailure } from '../../../src/sources/site/web-client.js';
import {
  type FetchCopy,
  SourceStore,
  type SourceUpdate,
  type UpdateOptions,
} from '../../../src/sources/source-store.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';

const SOURCE = readAddress('https://git.example.com/handbook.git');
const NOON = Date.parse('2026-03-01T12:00:00Z');

let folder: TestFolder;
beforeEach(() => (folder = testFolder()));
afterEach(() => folder.remove());

/** A fetcher that gives these files. @param revision  default: made of the files */
const giving =
  (files: Readonly<Record<string, string>>, revision = JSON.stringify(files)): FetchCopy =>
  async ({ folder: target }) => {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(target, path), text);
    const copied = Object.keys(files).map((path) => ({ path, address: `https://x.example/${path}` }));
    return { files: copied, refused: [], revision };
  };

const failing =
  (message: string): FetchCopy =>
  async ({ folder: target }) => {
    writeFileSync(join(target, 'half.md'), 'half');
    throw new Error(message);
  };

const store = (fetch: FetchCopy, now = NOON): SourceStore => new SourceStore(folder.path, fetch, () => now);
const options = (more: Partial<UpdateOptions> = {}): UpdateOptions => ({
  signal: new AbortController().signal,
  report: () => undefined,
  ...more,
});
const update = (fetch: FetchCopy, more: Partial<UpdateOptions> = {}, now = NOON): Promise<SourceUpdate> =>
  store(fetch, now).update(SOURCE, options(more));

const place = (): string => join(folder.path, readdirSync(folder.path)[0] ?? '');
const files = ({ state }: SourceUpdate): string[] => readdirSync(state.copy?.folder ?? '').sort();

describe('SourceStore', () => {
  it('keeps the copy with its manifest, for later processes', async () => {
    const done = await update(giving({ 'a.md': 'a', 'b.png': 'b' }));
    expect(done).toMatchObject({ outcome: 'updated', draft: null });
    expect(store(failing('x')).read(SOURCE)).toMatchObject({
      checkedAt: '2026-03-01T12:00:00.000Z',
      failure: null,
      copy: {
        fetchedAt: '2026-03-01T12:00:00.000Z',
        files: [{ address: 'https://x.example/a.md' }, {}],
      },
    });
  });

  it('finds the files of a copy below the settings of their site', async () => {
    const below =
      (text: string): FetchCopy =>
      async (request) => {
        const inside = join(request.folder, 'docs');
        mkdirSync(inside);
        return { ...(await giving({ 'a.md': text })({ ...request, folder: inside }, '')), inside: 'docs' };
      };
    await update(below('a'));
    await update(below('b'));
    expect(readFileSync(join(store(failing('x')).read(SOURCE).copy?.folder ?? '', 'a.md'), 'utf8')).toBe('b');
  });

  it('keeps the copy itself if the revision is the same, and notes the time', async () => {
    const first = await update(giving({ 'a.md': 'a' }, '1'));
    const second = await update(giving({ 'a.md': 'other' }, '1'), {}, NOON + 60_000);
    expect(second).toMatchObject({ outcome: 'unchanged', state: { checkedAt: '2026-03-01T12:01:00.000Z' } });
    expect(second.state.copy).toEqual(first.state.copy);
    expect(readFileSync(join(second.state.copy?.folder ?? '', 'a.md'), 'utf8')).toBe('a');
  });

  it('keeps the last copy after a failure, and says why until the next success', async () => {
    await update(giving({ 'a.md': 'a' }));
    const failed = await update(failing('no route'), {}, NOON + 60_000);
    expect(failed).toMatchObject({
      outcome: 'failed',
      state: { failure: 'no route', checkedAt: '2026-03-01T12:00:00.000Z' },
    });
    expect(files(failed)).toEqual(['a.md']);
    expect((await update(giving({ 'a.md': 'a' }))).state.failure).toBeNull();
  });

  it('leaves nothing of a failed copy', async () => {
    const failed = await update(failing('no route'));
    expect(failed.state.copy).toBeNull();
    expect(readdirSync(place())).toEqual(['state.json']);
  });

  it('keeps the last copy if the process was killed while it made another one', async () => {
    await update(giving({ 'a.md': 'a' }));
    mkdirSync(join(place(), 'copy-0123'));
    writeFileSync(join(place(), 'copy.json.beef'), '{"version":1,"fol');
    writeFileSync(join(place(), 'lock'), 'another-machine 1');
    utimesSync(join(place(), 'lock'), new Date(NOON - 60_000), new Date(NOON - 60_000));
    expect(store(failing('x')).read(SOURCE).copy?.files).toHaveLength(1);
    const done = await update(giving({ 'a.md': 'a', 'b.md': 'b' }));
    expect(done.outcome).toBe('updated');
    expect(existsSync(join(place(), 'lock'))).toBe(false);
  });

  it.each(['not JSON', '{"version":2}', '{"version":1,"folder":"../../etc"}'])(
    'takes a manifest %s for none',
    async (text) => {
      await update(giving({ 'a.md': 'a' }));
      writeFileSync(join(place(), 'copy.json'), text);
      expect(store(failing('x')).read(SOURCE).copy).toBeNull();
    },
  );

  const gone = (reason: string): FetchCopy => {
    const error = new InvalidArgumentError('It is gone.', { reason, hint: 'Check the address.' });
    return () => Promise.reject(error);
  };
  const goneSite: FetchCopy = () =>
    Promise.reject(
      new SiteUnreachableError('https://x.example/', 'status 410', { cause: new WebFailure('410', true) }),
    );

  it.each([
    ['a repository or a file', gone('source_missing')],
    ['a branch', gone('branch_missing')],
    ['a site', goneSite],
  ])(
    'deletes the copy of %s that is gone if that is accepted, so that it never comes back',
    async (_, fetch) => {
      await update(giving({ 'a.md': 'a', 'b.md': 'b' }));
      expect((await update(fetch)).outcome).toBe('failed');
      const planned = await update(fetch, { acceptRemoval: true, isDryRun: true });
      expect(planned.state.copy?.files).toHaveLength(2);
      const removed = await update(fetch, { acceptRemoval: true });
      expect(removed).toMatchObject({ outcome: 'removed', state: { copy: null } });
      expect(readdirSync(place())).toEqual(['state.json']);
    },
  );

  it.each([
    ['a timeout', gone('source_timeout')],
    ['an unset variable', gone('configuration')],
    ['a system error', failing('getaddrinfo ENOTFOUND x.example')],
    ['a site that is down', gone('site_unreachable')],
  ])('keeps the copy after %s, also if removal is accepted', async (_, fetch) => {
    await update(giving({ 'a.md': 'a' }));
    const kept = await update(fetch, { acceptRemoval: true });
    expect(kept).toMatchObject({ outcome: 'failed', state: { copy: { files: [{ path: 'a.md' }] } } });
  });

  it('makes a draft in a dry run, and changes nothing else', async () => {
    await update(giving({ 'a.md': 'a' }));
    const before = readdirSync(place()).sort();
    const planned = await update(giving({ 'a.md': 'a', 'b.md': 'b' }), { isDryRun: true });
    expect([planned.outcome, planned.draft, files(planned)]).toEqual([
      'updated',
      planned.state.copy?.folder,
      ['a.md', 'b.md'],
    ]);
    rmSync(planned.draft ?? '', { recursive: true });
    expect((await update(failing('x'), { isDryRun: true })).state.failure).toBe('x');
    expect(readdirSync(place()).sort()).toEqual(before);
    expect(store(failing('x')).read(SOURCE)).toMatchObject({ failure: null, copy: { files: [{}] } });
  });

  it('sweeps what processes that were killed have left, and no draft that another one uses', async () => {
    await update(giving({ 'a.md': 'a' }));
    const planned = await update(giving({ 'b.md': 'b' }), { isDryRun: true });
    const draft = planned.draft ?? '';
    const madeAt = (ms: number): void => utimesSync(draft, new Date(ms), new Date(ms));
    madeAt(NOON - 23 * 3_600_000);
    for (const name of [`draft-${process.ppid}-01`, `draft-${process.pid}-02`, 'draft-03'])
      mkdirSync(join(place(), name));
    await update(giving({ 'c.md': 'c' }));
    const drafts = (): string[] => readdirSync(place()).filter((name) => !/^(?:copy|state)/.test(name));
    expect(drafts()).toEqual([basename(draft)]);
    expect(files(planned)).toEqual(['b.md']);
    madeAt(NOON - 25 * 3_600_000);
    await update(giving({ 'd.md': 'd' }));
    expect(drafts()).toEqual([]);
  });

  it('says in a dry run what a real one would, whatever the last run noted', async () => {
    await update(failing('no route'));
    expect((await update(giving({ 'a.md': 'a' }), { isDryRun: true })).state.failure).toBeNull();
  });

  it('lets one process at a time make a copy', async () => {
    const order: string[] = [];
    const slow =
      (name: string): FetchCopy =>
      async (request, cache) => {
        order.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 50));
        order.push(`${name} ends`);
        return giving({ 'a.md': name })(request, cache);
      };
    await Promise.all([update(slow('one'), {}, Date.now()), update(slow('two'), {}, Date.now())]);
    expect(order.map((line) => line.split(' ')[1])).toEqual(['begins', 'ends', 'begins', 'ends']);
  });

  it('keeps the copy before the last one for processes that still index it, and no older one', async () => {
    for (const text of ['1', '2', '3', '4']) await update(giving({ 'a.md': text }));
    expect(readdirSync(place()).filter((name) => name.startsWith('copy-'))).toHaveLength(2);
  });

  it('waits for a process that makes a copy before it forgets it', async () => {
    let isMade = false;
    const slow: FetchCopy = async (request, cache) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      isMade = true;
      return giving({ 'a.md': 'a' })(request, cache);
    };
    const updating = update(slow, {}, Date.now());
    await store(failing('x'), Date.now()).remove(SOURCE);
    expect([isMade, (await updating).outcome]).toEqual([true, 'updated']);
    expect(readdirSync(place())).toEqual([]);
  });

  it('forgets a source, and keeps those of other branches', async () => {
    await update(giving({ 'a.md': 'a' }));
    const branch = readAddress('https://git.example.com/handbook.git#dev');
    await store(giving({ 'b.md': 'b' })).update(branch, options());
    await store(failing('x')).remove(SOURCE);
    expect(store(failing('x')).read(SOURCE).copy).toBeNull();
    expect(store(failing('x')).read(branch).copy?.files).toHaveLength(1);
    rmSync(folder.path, { recursive: true });
  });
});
