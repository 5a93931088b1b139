import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { notedSources } from '../../config/index-sources.js';
import { InvalidArgumentError, PithError } from '../../core/errors.js';
import { ByteQueue } from '../../sources/byte-queue.js';
import { checksum, padded, parseHeader, TAR_BLOCK } from '../../sources/files/tar-reader.js';
import { damaged, newer } from '../../sqlite/stores/kept-store.js';

/** Increment when the archive changes so that this version could not restore it. */
export const BACKUP_VERSION = 1;
const MANIFEST = 'manifest.json';
const MAX_MANIFEST_BYTES = 4_000_000;

const text = z.string().max(4096);
const manifestSchema = z.object({
  format: z.literal('pith backup'),
  version: z.number().int(),
  /** The version of Pith that made it. */
  pith: text,
  made_at: text,
  parts: z
    .array(z.object({ name: text, bytes: z.number().int(), sha256: z.string().regex(/^[\da-f]{64}$/) }))
    .refine((parts) => new Set(parts.map(({ name }) => name)).size === parts.length, 'a part is named twice'),
  /** Databases with further state, without user and password. */
  elsewhere: z.array(text),
  /** With their state; empty for an index of folders alone. */
  sources: notedSources,
  models: z.record(text, text.nullable()),
  settings: z.record(text, z.string()),
  /** Names of settings that were left out, because they are secret. */
  secrets: z.array(text),
});

/** The contents of an archive. */
export type BackupManifest = z.output<typeof manifestSchema>;
export type BackupPart = BackupManifest['parts'][number];

/** The header of a file in a tar archive (ustar). Sizes from 8 GB on are in the binary form of GNU. */
function tarHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(TAR_BLOCK);
  header.write(name, 0, 100);
  header.write('0000600\0' + '0000000\0'.repeat(2), 100);
  if (size < 8 ** 11) header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write('00000000000\0', 136);
  header.write('0ustar\0' + '00', 156);
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

async function* tarBytes(manifest: string, parts: readonly (BackupPart & { readonly file: string })[]) {
  const bytes = Buffer.from(manifest);
  yield* [tarHeader(MANIFEST, bytes.length), bytes, Buffer.alloc(padded(bytes.length) - bytes.length)];
  for (const { name, file, bytes: size } of parts) {
    yield tarHeader(name, size);
    for await (const piece of createReadStream(file)) yield piece as Buffer;
    yield Buffer.alloc(padded(size) - size);
  }
  yield Buffer.alloc(TAR_BLOCK * 2);
}

/**
 * Refuses to overwrite an archive, and to make its folder, which may be that of a disk that is not there now.
 * @throws InvalidArgumentError `file_exists`, `folder_missing`
 */
export function checkFree(file: string): void {
  if (!existsSync(dirname(file)))
    throw new InvalidArgumentError(`The folder ${dirname(file)} does not exist.`, {
      reason: 'folder_missing',
      hint: 'Make it, connect its disk, or name another folder.',
    });
  if (!existsSync(file)) return;
  throw new InvalidArgumentError(`${file} exists already.`, {
    reason: 'file_exists',
    hint: 'Name another file, or move this one away.',
  });
}

/**
 * Writes an archive (.tar.gz), which only this user can read, in one step.
 * @param draft  a file beside it that does not exist, in a folder of this user
 * @throws InvalidArgumentError `file_exists`
 */
export async function writeBackup(
  { file, draft }: { readonly file: string; readonly draft: string },
  manifest: BackupManifest,
  fileOf: (part: BackupPart) => string,
): Promise<void> {
  const parts = manifest.parts.map((part) => ({ ...part, file: fileOf(part) }));
  const bytes = Readable.from(tarBytes(JSON.stringify(manifest, null, 2), parts), { objectMode: false });
  await pipeline(bytes, createGzip(), createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true }));
  checkFree(file);
  renameSync(draft, file);
}

interface Entry {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

/** The files of an archive, piece by piece. The content of each is read before the next one is asked for. */
async function* entriesOf(file: string): AsyncGenerator<Entry> {
  const queue = new ByteQueue();
  const unpacked = createGunzip();
  // Its failure is that of the reading below.
  pipeline(createReadStream(file), unpacked).catch(() => undefined);
  const pieces = unpacked[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const fill = async (count: number): Promise<void> => {
    while (queue.length < count) {
      const { value, done = false } = await pieces.next();
      if (done) throw damaged(file, 'it is cut off');
      queue.push(value as Buffer);
    }
  };
  for (;;) {
    await fill(TAR_BLOCK);
    const block = queue.take(TAR_BLOCK);
    if (block.every((byte) => byte === 0)) return;
    const { path: name, type, size } = parseHeader(block);
    if (type !== '0') throw damaged(name, 'it is not a file');
    async function* content() {
      for (let left = size; left > 0;) {
        await fill(1);
        const piece = queue.take(Math.min(left, queue.length));
        left -= piece.length;
        yield piece;
      }
      await fill(padded(size) - size);
      queue.take(padded(size) - size);
    }
    yield { name, size, content: content() };
  }
}

async function readManifest({ name, size, content }: Entry): Promise<BackupManifest> {
  if (name !== MANIFEST || size > MAX_MANIFEST_BYTES) throw damaged(MANIFEST, 'it is not the first file');
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  const stored: unknown = JSON.parse(Buffer.concat(pieces).toString());
  const { version } = z.object({ version: z.number() }).parse(stored);
  if (version > BACKUP_VERSION) throw newer(`the archive has the version ${version}`);
  return manifestSchema.parse(stored);
}

/** Writes a part, and compares it with the manifest. @throws InvalidArgumentError `backup_damaged` */
async function unpackPart({ name, content }: Entry, part: BackupPart, file: string): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* hashed() {
    for await (const piece of content) {
      bytes += piece.length;
      if (bytes > part.bytes) throw damaged(name, 'it is longer than its manifest says');
      hash.update(piece);
      yield piece;
    }
  }
  await pipeline(hashed, createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true }));
  if (bytes !== part.bytes || hash.digest('hex') !== part.sha256)
    throw damaged(name, 'its SHA-256 is not the one of its manifest');
}

/**
 * Reads an archive. Nothing but its parts is written, each to the file that is chosen for it.
 * @param placeParts  called once, with the manifest; returns the file for each part, by its name
 * @throws InvalidArgumentError `backup_damaged`, `backup_newer`, and what `placeParts` throws
 */
export async function readBackup(
  file: string,
  placeParts: (manifest: BackupManifest) => Promise<ReadonlyMap<string, string>>,
): Promise<BackupManifest> {
  try {
    const entries = entriesOf(file);
    const first = await entries.next();
    if (first.done === true) throw damaged(MANIFEST, 'it is missing');
    const manifest = await readManifest(first.value);
    const places = await placeParts(manifest);
    const missing = new Map(manifest.parts.map((part) => [part.name, part]));
    for await (const entry of entries) {
      const [part, place] = [missing.get(entry.name), places.get(entry.name)];
      if (!part || place === undefined) throw damaged(entry.name, 'its manifest does not name it, or twice');
      missing.delete(entry.name);
      await unpackPart(entry, part, place);
    }
    const [lost] = missing.keys();
    if (lost !== undefined) throw damaged(lost, 'it is missing');
    return manifest;
  } catch (error) {
    throw error instanceof PithError || isOfFile(error) ? error : damaged('The archive', messageOf(error));
  }
}

/** True for failures of the disk or of a path, which say nothing about the archive. */
const isOfFile = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && typeof error.syscall === 'string';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
