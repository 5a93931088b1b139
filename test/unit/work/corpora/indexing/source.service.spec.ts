import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DomainsConfig } from '../../../../../src/config/settings/domains.config.js';
import { SubstrateConfig } from '../../../../../src/config/settings/substrate.config.js';
import type { IndexSource } from '../../../../../src/core/ports/index-source.js';
import type { IndexRunWatch } from '../../../../../src/ingest/runs/index-processes.js';
import { documentsSchema } from '../../../../../src/work/corpora/indexing/index.schemas.js';
import { SourceService } from '../../../../../src/work/corpora/indexing/source.service.js';
import { ArtifactStore } from '../../../../../src/work/substrate/artifacts/artifact-store.js';
import { ManifestService } from '../../../../../src/work/substrate/manifests/manifest.service.js';
import { ManifestFilesService } from '../../../../../src/work/substrate/manifests/manifest-files.service.js';
import { ManifestStore } from '../../../../../src/work/substrate/manifests/manifest-store.js';
import { PointerService } from '../../../../../src/work/substrate/pointers/pointer.service.js';
import { PointerStore } from '../../../../../src/work/substrate/pointers/pointer-store.js';
import {
  aNewArtifact,
  aNewPointer,
  someBytes,
  SPACE,
  UNKNOWN_SHA256,
} from '../../../../support/a-substrate.js';
import { aCall, NOW, SECRET } from '../../../../support/builders.js';
import { testFolder } from '../../../../support/test-folder.js';
import { boundedWork } from '../../../../support/work-stores.js';

const folder = testFolder();
const file = folder.file('work.sqlite');
const place = boundedWork(file, { now: () => NOW });
const artifacts = new ArtifactStore(place);
const manifestStore = new ManifestStore(place);
const pointerStore = new PointerStore(place);
const signing = { secret: SECRET, isLasting: true };
const files = new ManifestFilesService(artifacts, manifestStore);
const manifests = new ManifestService(artifacts, manifestStore, files, signing);
const domains = Object.assign(new DomainsConfig(), {
  workFile: file,
  ingestRoots: [folder.file('root')],
});
const substrate = Object.assign(new SubstrateConfig(), { maxBytes: 2_000_000 });
const sources = new SourceService(
  domains,
  substrate,
  files,
  new PointerService(pointerStore, files, signing),
);
const call = aCall();
const checkouts = folder.file('.work.sqlite.checkouts');

const store = async (bytes: Buffer): Promise<string> =>
  (await artifacts.save(aNewArtifact({ mediaType: 'text/markdown' }), [bytes])).sha256;
/** @returns the SHA-256 of a manifest with these files */
async function manifestOf(contents: Record<string, Buffer>): Promise<string> {
  const entries = [];
  for (const [path, bytes] of Object.entries(contents)) {
    entries.push({ path, artifact_sha256: await store(bytes) });
  }
  return (await manifests.create(call, { entries, remove: [], message: '' })).output.sha256;
}
const watched = () => {
  const cancel = new AbortController();
  const seen: number[] = [];
  return {
    cancel,
    seen,
    watch: { signal: cancel.signal, onProgress: ({ done }: { done: number }) => void seen.push(done) },
  };
};
const use = (
  manifestSha256: string,
  work: (folder: string) => Promise<unknown>,
  { watch, isBusy = false }: { watch: IndexRunWatch; isBusy?: boolean } = watched(),
) => {
  const source: IndexSource = { kind: 'manifest', manifestSha256, pointer: null };
  return sources.withFolder(call, { source, watch, isBusy }, work);
};
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

beforeAll(() => mkdirSync(folder.file('root')));
afterAll(async () => {
  await place.database.close();
  folder.remove();
});

describe('what a call may index', () => {
  it('is a folder below an allowed one', async () => {
    const path = folder.file('root');
    expect(await sources.choose(call, { folder: path })).toEqual({ kind: 'folder', path });
    const outside = sources.choose(call, { folder: folder.path });
    await expect(outside).rejects.toMatchObject({ reason: 'folder_not_allowed' });
  });

  it('is the manifest that a pointer is at, with the version of the pointer', async () => {
    const manifestSha256 = await manifestOf({ 'p.md': Buffer.from('P') });
    await pointerStore.create(SPACE, aNewPointer({ manifestSha256 }));
    const pointer = { namespace: 'default', name: 'handbook' };
    expect(await sources.choose(call, { pointer })).toEqual({
      kind: 'manifest',
      manifestSha256,
      pointer: { ...pointer, version: 1 },
    });
  });

  it('is the manifest that a pointer is at only if it is the given one, if one is given', async () => {
    const approved = await manifestOf({ 'a.md': Buffer.from('approved') });
    const name = { namespace: 'default', name: 'approved' };
    await pointerStore.create(SPACE, aNewPointer({ ...name, manifestSha256: approved }));
    const source = { pointer: name, manifest_sha256: approved };
    const pointer = { ...name, version: 1 };
    expect(await sources.choose(call, source)).toEqual({
      kind: 'manifest',
      manifestSha256: approved,
      pointer,
    });
    const newSha256 = await manifestOf({ 'a.md': Buffer.from('moved') });
    const move = { ...name, expectedSha256: approved, newSha256, by: 'bob', reason: 'later' };
    await pointerStore.advance(SPACE, move);
    await expect(sources.choose(call, source)).rejects.toMatchObject({
      reason: 'conflict',
      details: { current_sha256: newSha256, version: 2 },
    });
  });

  it.each<[boolean, object]>([
    [true, { folder: '/docs' }],
    [true, { manifest_sha256: UNKNOWN_SHA256 }],
    [true, { pointer: { name: 'a' } }],
    [true, { pointer: { name: 'a' }, manifest_sha256: UNKNOWN_SHA256 }],
    [false, {}],
    [false, { folder: '/docs', manifest_sha256: UNKNOWN_SHA256 }],
    [false, { folder: '/docs', pointer: { name: 'a' } }],
  ])('is accepted (%s) as %j', (isAccepted, source) => {
    expect(documentsSchema.safeParse(source).success).toBe(isAccepted);
  });

  it('is nothing of another project', async () => {
    const manifest = await manifestOf({ 'x.md': Buffer.from('X') });
    const other = aCall({ scope: { projectId: 'other' } });
    const pointer = { namespace: 'default', name: 'handbook' };
    await expect(sources.choose(other, { pointer })).rejects.toMatchObject({ reason: 'pointer_not_found' });
    const choosing = sources.choose(other, { manifest_sha256: manifest });
    await expect(choosing).rejects.toMatchObject({ reason: 'manifest_not_found' });
    const source: IndexSource = { kind: 'manifest', manifestSha256: manifest, pointer: null };
    const using = sources.withFolder(
      other,
      { source, watch: watched().watch, isBusy: false },
      async () => 'used',
    );
    await expect(using).rejects.toMatchObject({ reason: 'manifest_not_found' });
  });

  it.each([{ docTags: ['guides'] }, { repositories: ['fleet'] }])(
    'is neither a folder nor a manifest for a caller with the scope %j',
    async (scope) => {
      const limited = aCall({ scope });
      for (const source of [{ folder: folder.file('root') }, { manifest_sha256: UNKNOWN_SHA256 }])
        await expect(sources.choose(limited, source)).rejects.toMatchObject({ reason: 'documents_limited' });
    },
  );

  it('is a folder also for a server that does not know its project yet', async () => {
    const path = folder.file('root');
    const unowned = aCall({ scope: { projectId: '', environment: '' } });
    expect(await sources.choose(unowned, { folder: path })).toEqual({ kind: 'folder', path });
  });
});

describe('the folder of a manifest', () => {
  it('has its files, byte by byte, dated when they were published, and is private and gone afterwards', async () => {
    const large = someBytes(700_000);
    const manifest = await manifestOf({ 'a.md': Buffer.from('Ä\r\n'), 'b/c/large.md': large });
    const task = watched();
    const read = async (at: string): Promise<string> => {
      expect(readdirSync(at).sort()).toEqual(['a.md', 'b']);
      expect(readFileSync(join(at, 'a.md'), 'utf8')).toBe('Ä\r\n');
      expect(sha256(readFileSync(join(at, 'b/c/large.md')))).toBe(sha256(large));
      const facts = statSync(join(at, 'a.md'));
      expect([facts.mtimeMs, facts.mode & 0o777, statSync(at).mode & 0o777]).toEqual([NOW, 0o600, 0o700]);
      return at;
    };
    await use(manifest, read, task);
    expect(task.seen).toEqual([0, 1]);
    expect(readdirSync(checkouts)).toEqual([]);
  });

  it('is gone after a failure, a cancellation and a damaged artifact; then nothing was indexed', async () => {
    const manifest = await manifestOf({ 'd1.md': Buffer.from('D1'), 'd2.md': Buffer.from('D2') });
    await expect(use(manifest, () => Promise.reject(new Error('busy')))).rejects.toThrow('busy');
    const task = watched();
    task.cancel.abort(new Error('cancelled'));
    const used = jest.fn();
    await expect(use(manifest, used, task)).rejects.toThrow('cancelled');
    await expect(use(UNKNOWN_SHA256, used)).rejects.toMatchObject({ reason: 'manifest_not_found' });
    expect(used).not.toHaveBeenCalled();
    expect(readdirSync(checkouts)).toEqual([]);
  });

  it('is refused if its files are larger in all than a project may store, though each is stored once', async () => {
    const half = someBytes(900_000);
    const manifest = await manifestOf({ '1.md': half, '2.md': half, '3.md': half });
    await expect(use(manifest, async () => undefined)).rejects.toMatchObject({
      reason: 'manifest_too_large',
    });
    expect(readdirSync(checkouts)).toEqual([]);
  });

  it('is one at a time, and none is copied while a run is under way', async () => {
    const manifest = await manifestOf({ 'one.md': Buffer.from('One') });
    const used = jest.fn();
    await use(manifest, async () => {
      await expect(use(manifest, used)).rejects.toMatchObject({ reason: 'index_busy' });
      expect(readdirSync(checkouts)).toHaveLength(1);
    });
    const { watch } = watched();
    await expect(use(manifest, used, { watch, isBusy: true })).rejects.toMatchObject({
      reason: 'index_busy',
    });
    expect(used).not.toHaveBeenCalled();
    await use(manifest, async () => undefined);
  });

  it('is refused for a name that is too long for a file, and names the path', async () => {
    const path = `a/${'ü'.repeat(200)}.md`;
    const manifest = await manifestOf({ [path]: Buffer.from('long') });
    await expect(use(manifest, async () => undefined)).rejects.toMatchObject({
      reason: 'path_not_writable',
      details: { path },
    });
  });
});
