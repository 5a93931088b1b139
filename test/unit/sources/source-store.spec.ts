import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
    expect(done).toMatchObject({ outcome: 'updated', changes: { added: 2, updated: 0, removed: 0 } });
    expect(store(failing('x')).read(SOURCE)).toMatchObject({
      checkedAt: '2026-03-01T12:00:00.000Z',
      failure: null,
      copy: {
        pages: 1,
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
    const done = await update(below('b'));
    expect(done).toMatchObject({ changes: { updated: 1 }, state: { copy: { pages: 1 } } });
    expect(readFileSync(join(store(failing('x')).read(SOURCE).copy?.folder ?? '', 'a.md'), 'utf8')).toBe('b');
  });

  it('counts what was added, updated and removed', async () => {
    await update(giving({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c', 'd.md': 'd' }));
    const done = await update(giving({ 'a.md': 'a', 'b.md': 'other', 'c.md': 'c', 'e.md': 'e' }));
    expect(done.changes).toEqual({ added: 1, updated: 1, removed: 1, unchanged: 2 });
  });

  it('counts pages of formats that only their content tells, and updates them', async () => {
    const api = (title: string): FetchCopy =>
      giving({
        'openapi.yaml': `openapi: 3.1.0\ninfo: { title: ${title} }\n`,
        'package.json': '{"name": "x"}',
      });
    expect((await update(api('Old'))).state.copy?.pages).toBe(1);
    const done = await update(api('New'));
    expect(done).toMatchObject({ outcome: 'updated', changes: { updated: 1 }, state: { heldPages: null } });
  });

  it('updates a source that had no page', async () => {
    await update(giving({ 'values.yaml': 'a: 1' }));
    expect((await update(giving({ 'values.yaml': 'a: 2' }))).outcome).toBe('updated');
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
    expect(store(failing('x')).read(SOURCE).copy?.pages).toBe(1);
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

  it.each([
    ['half of the pages are gone', { 'a.md': 'a', 'b.md': 'b' }],
    ['all are gone', {}],
    ['only pictures are left', { 'a.png': 'a', 'b.png': 'b', 'c.png': 'c', 'd.png': 'd' }],
  ])('keeps the last copy if %s, until that is accepted', async (_, left) => {
    await update(giving({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c', 'd.md': 'd' }));
    const held = await update(giving(left));
    expect(held.outcome).toBe('held');
    expect(files(held)).toHaveLength(4);
    expect((await update(giving(left), { acceptRemoval: true })).outcome).toBe('updated');
  });

  it('says in a dry run what a real one would, whatever the last run noted', async () => {
    const isDryRun = true;
    await update(giving({ 'a.md': 'a', 'b.md': 'b' }));
    expect(await update(giving({ 'a.md': 'a' }), { isDryRun })).toMatchObject({
      outcome: 'held',
      state: { heldPages: 1 },
    });
    expect((await update(failing('no route'), { isDryRun })).state.failure).toBe('no route');
    await update(giving({ 'a.md': 'a' }));
    expect(await update(giving({ 'a.md': 'a' }), { isDryRun, acceptRemoval: true })).toMatchObject({
      outcome: 'updated',
      state: { heldPages: null },
    });
  });

  it('uses a copy that has lost fewer', async () => {
    await update(giving({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' }));
    expect((await update(giving({ 'a.md': 'a', 'b.md': 'b' }))).outcome).toBe('updated');
  });

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
      expect((await update(fetch, { acceptRemoval: true, isDryRun: true })).state.copy?.pages).toBe(2);
      const removed = await update(fetch, { acceptRemoval: true });
      expect(removed).toMatchObject({ outcome: 'removed', changes: { removed: 2 }, state: { copy: null } });
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
    expect(kept).toMatchObject({ outcome: 'failed', state: { copy: { pages: 1 } } });
  });

  it('changes nothing in a dry run', async () => {
    await update(giving({ 'a.md': 'a' }));
    const before = readdirSync(place()).sort();
    const planned = await update(giving({ 'a.md': 'a', 'b.md': 'b' }), { isDryRun: true });
    expect(planned).toMatchObject({ outcome: 'updated', changes: { added: 1 } });
    await update(failing('x'), { isDryRun: true });
    expect(readdirSync(place()).sort()).toEqual(before);
    expect(store(failing('x')).read(SOURCE)).toMatchObject({ failure: null, copy: { pages: 1 } });
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
    expect(store(failing('x')).read(branch).copy?.pages).toBe(1);
    rmSync(folder.path, { recursive: true });
  });
});
