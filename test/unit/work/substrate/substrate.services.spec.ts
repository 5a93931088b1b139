import { SubstrateConfig } from '../../../../src/config/settings/substrate.config.js';
import { ArtifactService } from '../../../../src/work/substrate/artifacts/artifact.service.js';
import { ArtifactStore } from '../../../../src/work/substrate/artifacts/artifact-store.js';
import { ManifestService } from '../../../../src/work/substrate/manifests/manifest.service.js';
import { ManifestFilesService } from '../../../../src/work/substrate/manifests/manifest-files.service.js';
import { ManifestStore } from '../../../../src/work/substrate/manifests/manifest-store.js';
import { PointerService } from '../../../../src/work/substrate/pointers/pointer.service.js';
import { PointerStore } from '../../../../src/work/substrate/pointers/pointer-store.js';
import { joined, sha256Of, SPACE, UNKNOWN_SHA256 } from '../../../support/a-substrate.js';
import { aCall, NOW, SECRET } from '../../../support/builders.js';
import { testFolder } from '../../../support/test-folder.js';
import { boundedWork } from '../../../support/work-stores.js';

const folder = testFolder();
const place = boundedWork(folder.file('work.sqlite'), { now: () => NOW });
const artifactStore = new ArtifactStore(place);
const manifestStore = new ManifestStore(place);
const pointerStore = new PointerStore(place);
const signing = { secret: SECRET, isLasting: true };
const files = new ManifestFilesService(artifactStore, manifestStore);
const artifacts = new ArtifactService(artifactStore, new SubstrateConfig());
const manifests = new ManifestService(artifactStore, manifestStore, files, signing);
const pointers = new PointerService(pointerStore, files, signing);

const failingWith = (reason: string) => expect.objectContaining({ reason });
const call = aCall();
const upload = async (text: string) => (await artifacts.upload(call, { text })).output.sha256;
const entryOf = async (path: string, text: string) => ({ path, artifact_sha256: await upload(text) });
const makes = async (more: Partial<Parameters<ManifestService['create']>[1]>) =>
  (await manifests.create(call, { entries: [], remove: [], message: '', ...more })).output;

afterAll(async () => {
  await place.database.close();
  folder.remove();
});

describe('whose documents they are', () => {
  it('refuses calls before the project is known, since what they store could not be found later', async () => {
    const early = aCall({ scope: { projectId: '' } });
    await expect(artifacts.upload(early, { text: 'x' })).rejects.toEqual(failingWith('project_unknown'));
  });

  it('refuses callers that may see only some of the documents', async () => {
    const limited = aCall({ scope: { docTags: ['guides'] } });
    await expect(artifacts.info(limited, UNKNOWN_SHA256)).rejects.toEqual(failingWith('documents_limited'));
  });

  it('answers the same for what another project has and for what nobody has', async () => {
    const sha256 = await upload('secret');
    const other = aCall({ scope: { projectId: 'other' } });
    for (const each of [sha256, UNKNOWN_SHA256])
      await expect(artifacts.info(other, each)).rejects.toMatchObject({
        reason: 'artifact_not_found',
        message: `There is no artifact ${each}.`,
        details: {},
      });
  });
});

describe('manifests', () => {
  it('are at the SHA-256 of their canonical JSON, the same for everybody', async () => {
    const entry = await entryOf('a.md', 'A');
    const made = await makes({ entries: [entry], message: 'first' });
    const json = `{"entries":[{"artifact_sha256":"${sha256Of('A')}","path":"a.md"}],"message":"first"}`;
    expect(made).toEqual({
      sha256: sha256Of(json),
      parent_sha256: null,
      message: 'first',
      entry_count: 1,
      created_by: 'local',
      created_at: '2026-01-01T00:00:00.000Z',
    });
    expect(await makes({ entries: [entry], message: 'first' })).toEqual(made);
    expect(
      (await artifacts.get(call, { sha256: made.sha256, format: 'text', offset: 0, max_bytes: 9_999 })).output
        .text,
    ).toBe(json);
  });

  it('need artifacts, a base and a parent of this project', async () => {
    const entries = [{ path: 'x', artifact_sha256: UNKNOWN_SHA256 }];
    await expect(makes({ entries })).rejects.toMatchObject({
      reason: 'artifacts_missing',
      details: { missing: [UNKNOWN_SHA256], count: 1 },
    });
    await expect(makes({ base: UNKNOWN_SHA256 })).rejects.toEqual(failingWith('manifest_not_found'));
    await expect(makes({ parent_sha256: sha256Of('A') })).rejects.toEqual(failingWith('manifest_not_found'));
  });

  it('are listed in pages, which together have every file once', async () => {
    const entries = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((path) => entryOf(path, path)));
    const { sha256: manifest_sha256 } = await makes({ entries });
    const paths: string[] = [];
    let cursor: string | null = null;
    do {
      const { output } = await manifests.checkout(call, { manifest_sha256, limit: 2, cursor });
      paths.push(...output.entries.map(({ path }) => path));
      cursor = output.next_cursor;
    } while (cursor !== null);
    expect(paths).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('refuse a cursor of another list', async () => {
    const entries = [await entryOf('a', 'a'), await entryOf('b', 'b')];
    const one = await makes({ entries, message: 'one' });
    const two = await makes({ entries, message: 'two' });
    const { output } = await manifests.checkout(call, { manifest_sha256: one.sha256, limit: 1 });
    const other = { manifest_sha256: two.sha256, limit: 1, cursor: output.next_cursor };
    await expect(manifests.checkout(call, other)).rejects.toEqual(failingWith('cursor_invalid'));
  });

  it('have a history of parents and a difference', async () => {
    const first = await makes({ entries: [await entryOf('a', '1'), await entryOf('b', '1')], message: 'h' });
    const second = await makes({ base: first.sha256, entries: [await entryOf('a', '2')], remove: ['b'] });
    const history = await manifests.history(call, { manifest_sha256: second.sha256, limit: 1 });
    expect(history.output).toMatchObject({ manifests: [second], partial: true });
    const rest = { manifest_sha256: second.sha256, limit: 1, cursor: history.output.next_cursor };
    expect((await manifests.history(call, rest)).output).toMatchObject({
      manifests: [first],
      next_cursor: null,
    });
    const diff = await manifests.diff(call, {
      old_sha256: first.sha256,
      new_sha256: second.sha256,
      limit: 9,
    });
    expect(diff.output).toMatchObject({ added: 0, removed: 1, changed: 1, partial: false });
  });

  it('give their files with checked bytes, one by one', async () => {
    const { sha256 } = await makes({ entries: [await entryOf('b', 'B'), await entryOf('a', 'Ä')] });
    const read: string[] = [];
    for (const entry of await files.entries(SPACE, sha256)) {
      const { path, parts, sizeBytes, publishedAt } = await files.file(SPACE, entry);
      read.push(`${path}=${(await joined(parts)).toString()} ${sizeBytes} ${publishedAt}`);
    }
    expect(read).toEqual([`a=Ä 2 ${NOW}`, `b=B 1 ${NOW}`]);
  });
});

describe('pointers', () => {
  it('name manifests only, not other artifacts', async () => {
    const pointer = { namespace: 'default', name: 'p', type: 'bundle', description: '' } as const;
    const creating = pointers.create(call, { ...pointer, manifest_sha256: await upload('A') });
    await expect(creating).rejects.toEqual(failingWith('manifest_not_found'));
  });

  it('show where they are and were, latest first', async () => {
    const one = (await makes({ entries: [await entryOf('a', 'one')] })).sha256;
    const two = (await makes({ entries: [await entryOf('a', 'two')] })).sha256;
    const name = { namespace: 'default', name: 'q' };
    await pointers.create(call, { ...name, type: 'corpus', description: '', manifest_sha256: one });
    await pointers.advance(call, { ...name, expected_sha256: one, manifest_sha256: two, reason: 'newer' });
    const { output } = await pointers.resolve(call, { ...name, max_moves: 1 });
    expect(output).toMatchObject({ manifest_sha256: two, version: 2, partial: true });
    expect(output.history).toEqual([
      {
        version: 2,
        old_sha256: one,
        new_sha256: two,
        by: 'local',
        reason: 'newer',
        at: '2026-01-01T00:00:00.000Z',
      },
    ]);
    const earlier = await pointers.resolve(call, { ...name, max_moves: 1, before_version: 2 });
    expect(earlier.output).toMatchObject({ history: [{ version: 1, reason: 'created' }], partial: false });
  });
});
