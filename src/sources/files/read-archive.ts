import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { unzipSync } from 'fflate';
import { InvalidArgumentError } from '../../core/errors.js';
import { type CopyFiles, type CopyLimits, CopyTooLargeError } from '../copy-files.js';
import type { CopiedFile } from '../source.js';
import { TarReader } from './tar-reader.js';

/** A larger ZIP archive is not read, because it has to be in memory. */
const MAX_ZIP_BYTES = 500_000_000;
/** Files of an archive are unpacked together up to this size. */
const BATCH_BYTES = 32_000_000;
/** Entries of an archive, with folders and files that are not read. */
const MAX_ENTRIES = 200_000;
/** Max expansion of an archive that expands to more than MIN_BOMB_BYTES, as a multiple of its size. */
const MAX_RATIO = 200;
const MIN_BOMB_BYTES = 50_000_000;

/** An entry of an archive. */
interface Entry {
  readonly path: string;
  readonly size: number;
}

interface Archive {
  /** Where its bytes are. */
  readonly path: string;
  /** Its ending tells the format. */
  readonly name: string;
}

/** How an archive is read. */
export interface Reading {
  /** Makes the facts of a file by its path in the archive. */
  readonly describe: (path: string) => CopiedFile;
  readonly limits: CopyLimits;
  /** Throws when the time is over. */
  readonly checkTime: () => void;
}

/** Unpacks an archive into a copy: regular files only, within the limits. @throws InvalidArgumentError; CopyTooLargeError */
export async function readArchive(archive: Archive, copy: CopyFiles, reading: Reading): Promise<void> {
  try {
    if (/\.zip$/i.test(archive.name)) readZip(archive, copy, reading);
    else await readTar(archive, copy, reading);
  } catch (error) {
    if (error instanceof CopyTooLargeError || error instanceof InvalidArgumentError) throw error;
    throw damaged(error);
  }
}

const damaged = (cause: unknown): InvalidArgumentError =>
  new InvalidArgumentError('The archive is damaged, or it is not what its ending says.', {
    reason: 'archive_damaged',
    hint: 'Make it again as .zip, .tar.gz or .tar.',
    cause,
  });

const encrypted = (): InvalidArgumentError =>
  new InvalidArgumentError('The archive needs a password, so it is not read.', {
    reason: 'archive_encrypted',
    hint: 'Make it again without a password, or unpack it and give the folder with its files.',
  });

function readZip(
  { path: archive }: Archive,
  copy: CopyFiles,
  { describe, limits, checkTime }: Reading,
): void {
  const { size } = statSync(archive);
  if (size > MAX_ZIP_BYTES) throw new CopyTooLargeError(`it has more than ${MAX_ZIP_BYTES} bytes`);
  const bytes = readFileSync(archive);
  const refusals = zipRefusals(bytes);
  const listed = listZip(bytes);
  if (listed.length > 0 && listed.every(({ path }) => refusals.get(path) === ENCRYPTED)) throw encrypted();
  const wanted = listed.filter(({ path, size: stated }) => {
    const refusal = refusals.get(path);
    if (refusal !== undefined) copy.refuse(path, refusal);
    else if (stated > limits.fileBytes) copy.refuse(path, `it is larger than ${limits.fileBytes} bytes`);
    else return !copy.leavesOut(path);
    return false;
  });
  const total = wanted.reduce((sum, entry) => sum + entry.size, 0);
  refuseBomb(total, size, limits);
  const top = commonTop(listed.map(({ path }) => path));
  for (const batch of batches(wanted)) {
    checkTime();
    const names = new Set(batch.map(({ path }) => path));
    const files = Object.entries(unzipSync(bytes, { filter: ({ name }) => names.has(name) }));
    for (const [name, content] of files) copy.write(describe(name.slice(top.length)), content);
  }
}

function listZip(bytes: Uint8Array): Entry[] {
  const found = new Map<string, Entry>();
  let entries = 0;
  unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (++entries > MAX_ENTRIES) throw new CopyTooLargeError(`it has more than ${MAX_ENTRIES} entries`);
      if (!name.endsWith('/')) found.set(name, { path: name, size: originalSize });
      return false;
    },
  });
  return [...found.values()];
}

const CENTRAL_ENTRY = 0x02014b50;
const CENTRAL_BYTES = 46;
const KIND = 0o170000;
const LINK = 0o120000;

const ENCRYPTED = 'it needs a password';

/**
 * Why entries are not read: links, by the mode of Unix in the upper half of the external attributes, and encrypted ones,
 * by the first of the flags (APPNOTE.TXT 4.4.4).
 */
function zipRefusals(bytes: Buffer): ReadonlyMap<string, string> {
  const refusals = new Map<string, string>();
  const signature = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
  for (let at = bytes.indexOf(signature); at >= 0; at = bytes.indexOf(signature, at + 4)) {
    if (at + CENTRAL_BYTES > bytes.length || bytes.readUInt32LE(at) !== CENTRAL_ENTRY) continue;
    const name = bytes.toString('utf8', at + CENTRAL_BYTES, at + CENTRAL_BYTES + bytes.readUInt16LE(at + 28));
    if ((bytes.readUInt16LE(at + 8) & 1) === 1) refusals.set(name, ENCRYPTED);
    else if (((bytes.readUInt32LE(at + 38) >>> 16) & KIND) === LINK) refusals.set(name, 'a symbolic link');
  }
  return refusals;
}

function refuseBomb(total: number, size: number, { bytes }: CopyLimits): void {
  if (total > bytes) throw new CopyTooLargeError(`it unpacks to more than ${bytes} bytes`);
  if (total > MIN_BOMB_BYTES && total > size * MAX_RATIO)
    throw new CopyTooLargeError(`it unpacks to more than ${MAX_RATIO} times its size`);
}

function* batches(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let batch: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (bytes + entry.size > BATCH_BYTES && batch.length > 0) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(entry);
    bytes += entry.size;
  }
  if (batch.length > 0) yield batch;
}

/** The one folder that all files are in, with a slash: its name often has a version, which would change all paths. */
function commonTop(paths: readonly string[]): string {
  const [first = ''] = paths;
  const top = first.slice(0, first.indexOf('/') + 1);
  return top !== '' && paths.every((path) => path.startsWith(top)) ? top : '';
}

async function readTar(archive: Archive, copy: CopyFiles, reading: Reading): Promise<void> {
  const { describe, limits } = reading;
  const { size } = statSync(archive.path);
  // The first pass finds the common folder, and refuses what is too large before anything is written.
  const paths: string[] = [];
  let total = 0;
  for await (const entry of tarEntries(archive, reading, false)) {
    if (paths.length >= MAX_ENTRIES) throw new CopyTooLargeError(`it has more than ${MAX_ENTRIES} entries`);
    total += entry.size;
    refuseBomb(total, size, limits);
    paths.push(entry.path);
  }
  const top = commonTop(paths);
  for await (const { path, kind, size: stated, bytes } of tarEntries(archive, reading, true)) {
    if (kind !== 'file') copy.refuse(path, kind === 'link' ? 'a link' : 'not a regular file');
    else if (bytes === null) copy.refuse(path, `${stated} bytes exceed the limit of ${limits.fileBytes}`);
    else if (!copy.leavesOut(path)) copy.write(describe(path.slice(top.length)), bytes);
  }
}

async function* tarEntries(archive: Archive, { limits, checkTime }: Reading, needsBytes: boolean) {
  const reader = new TarReader(needsBytes ? limits.fileBytes : 0);
  const file = createReadStream(archive.path);
  const isPlain = /\.tar$/i.test(archive.name);
  const unpacked = isPlain ? file : file.pipe(createGunzip());
  file.on('error', (error) => unpacked.destroy(error));
  try {
    for await (const data of unpacked) {
      checkTime();
      yield* reader.push(data as Buffer);
    }
    reader.end();
  } finally {
    file.destroy();
    unpacked.destroy();
  }
}
