import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Config, givenSettings } from '../../config/config.js';
import { noteSources, readIndexSources } from '../../config/index-sources.js';
import { ENCODER, isEncoderInstalled } from '../../config/installed-model.js';
import { databasePlace } from '../../config/ledger-place-of.js';
import { makeFolder } from '../../config/make-folder.js';
import { secretFileOf } from '../../config/server-secret.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { VERSION } from '../../core/package-facts.js';
import { fileDigest } from '../../ingest/file-digest.js';
import { copyMemory, memoryRows } from '../../sqlite/memory/copy-memory.js';
import { indexBusy, isBusy, isDamaged, withDamageExplained } from '../../sqlite/open-database.js';
import { APPLICATION_ID } from '../../sqlite/schema.js';
import {
  checkCopy,
  copyStores,
  inUse,
  type KeptStore,
  newer,
  releaseStore,
} from '../../sqlite/stores/kept-store.js';
import type { FeatureCommands } from '../command-parts.js';
import { type Common, type RestoreFlags, settingsFrom } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { print } from '../print.js';
import {
  BACKUP_VERSION,
  type BackupManifest,
  type BackupPart,
  checkFree,
  readBackup,
  writeBackup,
} from '../running/backup-archive.js';
import type { CommandEngines } from '../running/session.js';
import type { Servers } from './serve.command.js';

type Features = Pick<Servers, 'features'>;
type ListPart<T> = (feature: FeatureCommands) => Promise<readonly T[] | undefined>;
type Opened = Pick<Servers, 'features' | 'engines'>;

/** Memory is in the index file, and is copied in and out of it. */
const MEMORY = 'memory.sqlite';
/** The archive, until it is complete. */
const DRAFT = 'draft.tar.gz';
const MEMORY_KIND = { id: APPLICATION_ID, version: 0 };

async function ofAll<T>({ features }: Features, list: ListPart<T>): Promise<T[]> {
  return (await Promise.all(features.map(async (each) => (await list(each)) ?? []))).flat();
}

const listStores = (from: Features, config: Config, parts: readonly string[]): Promise<KeptStore[]> =>
  ofAll(from, async ({ stores }) => stores?.(config, parts));

/** The databases with further state, which have backups of their own. */
const elsewhere = ({ backends: { database, governanceDatabase } }: Config): string[] =>
  [...new Set([database, governanceDatabase])].filter((url) => url !== '').map(databasePlace);

const elsewhereLines = (places: readonly string[]): string[] =>
  places.map((place) => `Not in it: what is in ${place}. Use pg_dump --schema=pith.`);

function describeModels({ models }: Config): BackupManifest['models'] {
  return {
    embedder: models.embedder,
    embed_model: models.embedModel,
    reranker: models.reranker,
    installed: isEncoderInstalled(models) ? ENCODER.folder : null,
  };
}

async function describePart(folder: string, name: string): Promise<BackupPart> {
  const file = join(folder, name);
  return { name, bytes: statSync(file).size, sha256: await fileDigest(file) };
}

/** @returns false without memory. @throws BackendUnavailableError `index_incompatible`, `index_busy` */
function saveMemory(index: string, file: string): boolean {
  try {
    const isThere = memoryRows(index) > 0;
    if (isThere) copyMemory(index, file);
    return isThere;
  } catch (error) {
    throw isBusy(error) ? indexBusy(index, error) : withDamageExplained(index, error);
  }
}

/** Refuses a wrong path: a backup that has nothing would be noticed when it is needed. @throws InvalidArgumentError */
function checkSaved(config: Config, names: readonly string[]): void {
  const { file } = config.index;
  if (names.length > 0 || existsSync(file) || elsewhere(config).length > 0) return;
  throw new InvalidArgumentError(`There is nothing to save: neither an index nor a store is at ${file}.`, {
    reason: 'nothing_to_save',
    hint: 'Name the index file with --index, or index documents first.',
  });
}

/** `pith backup` */
export async function backUp(target: string, flags: Common, servers: Opened): Promise<void> {
  const config = loadConfig(settingsFrom(flags));
  const file = resolve(target);
  checkFree(file);
  const unsaved = await ofAll(servers, async (feature) => feature.unsaved?.(config));
  // On the disk of the archive, because it may need as much space.
  const folder = mkdtempSync(join(dirname(file), '.pith-backup-'));
  try {
    const copied = await copyStores(await listStores(servers, config, []), folder);
    const names = copied.map(({ name }) => name);
    const { changeIndex } = await servers.engines();
    const save = async (): Promise<boolean> => saveMemory(config.index.file, join(folder, MEMORY));
    // This machine may have no index file yet.
    if (await changeIndex(config, save)) names.push(MEMORY);
    checkSaved(config, names);
    const manifest: BackupManifest = {
      format: 'pith backup',
      version: BACKUP_VERSION,
      pith: VERSION,
      made_at: new Date().toISOString(),
      parts: await Promise.all(names.map((name) => describePart(folder, name))),
      elsewhere: elsewhere(config),
      sources: [...readIndexSources(config.index.file)],
      models: describeModels(config),
      ...givenSettings(),
    };
    await writeBackup({ file, draft: join(folder, DRAFT) }, manifest, ({ name }) => join(folder, name));
    print(
      `Saved ${file}:`,
      ...partLines(manifest),
      ...elsewhereLines(manifest.elsewhere),
      ...unsaved,
      secretLine(config),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const partLines = ({ parts }: BackupManifest): string[] =>
  parts.length === 0
    ? ['  nothing was stored yet']
    : parts.map(({ name, bytes }) => `  ${name}  ${bytes} bytes`);

/** Without the secret, the ledger can't be verified or continued. */
const secretLine = ({ server, index }: Config): string =>
  `Not in it: secrets. Keep ${server.secret === '' ? secretFileOf(index.file) : 'PITH_SECRET'} elsewhere; the ledger needs it.`;

/** A part on its way to its place. */
interface Arriving {
  readonly store: KeptStore;
  readonly draft: string;
}

const isMemory = ({ store }: Pick<Arriving, 'store'>): boolean => store.name === MEMORY;

function exists(what: string): InvalidArgumentError {
  return new InvalidArgumentError(`${what} exists already. Nothing was restored.`, {
    reason: 'store_exists',
    hint: 'Restore to another place with --index, or replace it with --replace.',
  });
}

function inDatabase(name: string): InvalidArgumentError {
  return new InvalidArgumentError(
    `This server keeps what is in ${name} in a database. Nothing was restored.`,
    {
      reason: 'store_in_database',
      hint: 'Restore it without PITH_DATABASE and PITH_GOVERNANCE_DATABASE, to another place with --index.',
    },
  );
}

/** The stores of a server. */
interface Places {
  /** Those in files. */
  readonly stores: readonly KeptStore[];
  /** Those in a database, with the files that they would have without it. */
  readonly databases: readonly KeptStore[];
}

/** The same configuration with everything in files. */
const withoutDatabases = (config: Config): Config => ({
  ...config,
  backends: { ...config.backends, database: '', governanceDatabase: '' },
});

/** Finds the place of each part. @throws InvalidArgumentError `store_exists`, `store_in_database`, `backup_newer` */
function placeParts(manifest: BackupManifest, places: Places, isReplaced: boolean): Arriving[] {
  const mark = randomBytes(4).toString('hex');
  return manifest.parts.map(({ name }) => {
    const store = places.stores.find((known) => known.name === name);
    if (!store && places.databases.some((known) => known.name === name)) throw inDatabase(name);
    if (!store) throw newer(`it has a part ${JSON.stringify(name)}`);
    const [isThere, what] = isMemory({ store })
      ? [hasMemory(store.file), `Memory in ${store.file}`]
      : [existsSync(store.file), store.file];
    if (isThere && !isReplaced) throw exists(what);
    makeFolder(dirname(store.file));
    return { store, draft: `${store.file}.restoring-${mark}` };
  });
}

/** True also for an index that can't be read, because it may have some. */
function hasMemory(file: string): boolean {
  try {
    return memoryRows(file) > 0;
  } catch (error) {
    if (isDamaged(error)) return true;
    throw error;
  }
}

/** Puts memory into its index; into a new one if that is damaged. @returns the name of what it replaced; null for nothing */
function putMemory({ store: { file }, draft }: Arriving, time: string): string | null {
  try {
    copyMemory(draft, file);
    return null;
  } catch (error) {
    if (!isDamaged(error)) throw isBusy(error) ? inUse(file, error) : error;
  }
  const fresh = `${draft}.new`;
  copyMemory(draft, fresh);
  return putInPlace(file, fresh, time);
}

/** Gives a file a second name, so that it exists until it is replaced: a server would make an empty one. */
function keep(file: string, kept: string): void {
  try {
    linkSync(file, kept);
  } catch {
    // The disk has no hard links.
    renameSync(file, kept);
  }
}

/** Puts a checked file in its place. @returns the name of what it replaced; null for nothing */
function putInPlace(file: string, draft: string, time: string): string | null {
  const kept = existsSync(file) ? `${file}.replaced-${time}` : null;
  if (kept !== null) keep(file, kept);
  // SQLite would add a log that was left here to the restored file. It belongs to the one that is replaced.
  if (kept !== null && existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${kept}-wal`);
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  renameSync(draft, file);
  return kept;
}

/** Puts all parts in their places. @returns the names of what they replaced */
async function putAll(
  arriving: readonly Arriving[],
  config: Config,
  { changeIndex }: Pick<CommandEngines, 'changeIndex'>,
): Promise<string[]> {
  const time = new Date().toISOString().replaceAll(/[-:.]/gu, '');
  // Memory first, because an index run may be using the index: then nothing has been replaced yet.
  const ordered = [...arriving].sort((a, b) => Number(isMemory(b)) - Number(isMemory(a)));
  const kept: string[] = [];
  for (const part of ordered) {
    const replaced = isMemory(part)
      ? await changeIndex(config, async () => putMemory(part, time))
      : putInPlace(part.store.file, part.draft, time);
    if (replaced !== null) kept.push(replaced);
  }
  return kept;
}

/** `pith restore` */
export async function restore(archive: string, flags: RestoreFlags, servers: Opened): Promise<void> {
  const config = loadConfig(settingsFrom(flags));
  const { file: index } = config.index;
  let arriving: readonly Arriving[] = [];
  try {
    const manifest = await readBackup(resolve(archive), async (found) => {
      const names = found.parts.map(({ name }) => name);
      const memory = { name: MEMORY, file: index, kind: MEMORY_KIND };
      const stores = [...(await listStores(servers, config, names)), memory];
      const databases = await listStores(servers, withoutDatabases(config), names);
      arriving = placeParts(found, { stores, databases }, flags.replace ?? false);
      return new Map(arriving.map(({ store, draft }) => [store.name, draft]));
    });
    for (const { store, draft } of arriving) {
      checkCopy(draft, store);
      await store.check?.(draft);
    }
    for (const part of arriving) if (!isMemory(part)) releaseStore(part.store.file);
    const kept = await putAll(arriving, config, await servers.engines());
    if (readIndexSources(index).length === 0) noteSources(index, manifest.sources);
    print(
      `Restored ${archive}, made by Pith ${manifest.pith} at ${manifest.made_at}:`,
      ...partLines(manifest),
      ...kept.map((name) => `Kept what was replaced: ${name}`),
      ...elsewhereLines(manifest.elsewhere),
      'Next: index the documents again if the index is gone, then start the servers. pith ledger verify checks the ledger.',
    );
  } finally {
    // A check has opened some.
    for (const { draft } of arriving)
      for (const end of ['', '-wal', '-shm', '.new']) rmSync(draft + end, { force: true });
  }
}
