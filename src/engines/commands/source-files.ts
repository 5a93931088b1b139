import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { showProgress } from '../../cli/progress.js';
import { givenPath } from '../../config/given-path.js';
import { BackendUnavailableError, InvalidArgumentError } from '../../core/errors.js';

const ARCHIVES = ['.zip', '.whl', '.jar', '.tgz', '.gz'];
/** Larger archives are not read: that of the runtime has 33 MB, and unpacked 160 MB. */
const MAX_ARCHIVE_BYTES = 400_000_000;

type IsWanted = (bytes: number) => boolean;

/** A field of a header in a tar archive. */
const field = (header: Uint8Array, start: number, end: number): string =>
  Buffer.from(header.subarray(start, end)).toString('latin1').replace(/\0.*$/s, '').trim();

const TAR_BLOCK = 512;

/** The files of a tar archive that have a wanted size. @throws RangeError if the archive is damaged */
function filesOfTar(archive: Uint8Array, isWanted: IsWanted): Uint8Array[] {
  const files: Uint8Array[] = [];
  for (let at = 0; at + TAR_BLOCK <= archive.length;) {
    const size = Number.parseInt(field(archive, at + 124, at + 136), 8) || 0;
    if (size < 0) throw new RangeError('a file has a negative size');
    at += TAR_BLOCK;
    if (isWanted(size)) files.push(archive.subarray(at, at + size));
    at += Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
  return files;
}

const refused = (message: string, hint: string, cause?: unknown): InvalidArgumentError =>
  new InvalidArgumentError(message, { reason: 'model_not_found', hint, cause });

const GIVE = 'Give a file, a folder, an archive or the URL of one after --from.';

/** The bytes themselves, or if they are an archive, its files; each if it has a wanted size. @throws InvalidArgumentError */
function unpacked(bytes: Uint8Array, source: string, isWanted: IsWanted): Iterable<Uint8Array> {
  if (isWanted(bytes.length)) return [bytes];
  const signature = String.fromCharCode(...bytes.subarray(0, 2));
  try {
    if (signature === '\x1f\x8b')
      return filesOfTar(gunzipSync(bytes, { maxOutputLength: MAX_ARCHIVE_BYTES }), isWanted);
    if (signature === 'PK')
      return Object.values(unzipSync(bytes, { filter: ({ originalSize }) => isWanted(originalSize) }));
  } catch (cause) {
    throw refused(`${source} is damaged or too large.`, 'Download it again.', cause);
  }
  return [];
}

/** The message of the innermost cause: that of `fetch` says only that it failed. */
function causeIn(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  if (isNativeError(error.cause)) return causeIn(error.cause);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

/** Downloads a file, with progress on stderr. @throws BackendUnavailableError, InvalidArgumentError */
async function download(url: string): Promise<Uint8Array> {
  if (!URL.canParse(url)) throw refused(`${url} is not a URL.`, GIVE);
  const view = showProgress(process.stderr, { verb: `downloading ${new URL(url).host}`, noun: 'KB' });
  try {
    const response = await fetch(url);
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
    const total = Number(response.headers.get('content-length') ?? 0);
    const parts: Uint8Array[] = [];
    let done = 0;
    for await (const part of response.body) {
      parts.push(part);
      done += part.length;
      if (done > MAX_ARCHIVE_BYTES) throw new Error(`it is larger than ${MAX_ARCHIVE_BYTES} bytes`);
      view.update({ done: Math.ceil(done / 1000), total: Math.ceil(Math.max(total, done) / 1000) });
    }
    return Buffer.concat(parts);
  } catch (cause) {
    throw new BackendUnavailableError(`${url} can't be downloaded: ${causeIn(cause)}.`, {
      reason: 'model_download',
      hint: 'Try again, or download all files that docs/models.md names by other means, and give each to `pith model install` with --from.',
      cause,
    });
  } finally {
    view.stop();
  }
}

/** The files of a folder. Other archives in it may be damaged, too large or not readable. */
function* filesOfFolder(folder: string, names: readonly string[], isWanted: IsWanted): Generator<Uint8Array> {
  for (const name of names) {
    try {
      const path = join(folder, name);
      const found = statSync(path);
      const isArchive = ARCHIVES.includes(extname(name)) && found.size <= MAX_ARCHIVE_BYTES;
      if (found.isFile() && (isArchive || isWanted(found.size)))
        yield* unpacked(readFileSync(path), path, isWanted);
    } catch {
      continue;
    }
  }
}

/** @throws InvalidArgumentError */
function filesAt(path: string, isWanted: IsWanted): Iterable<Uint8Array> {
  try {
    if (!statSync(path).isDirectory()) return unpacked(readFileSync(path), path, isWanted);
    return filesOfFolder(path, readdirSync(path, { recursive: true, encoding: 'utf8' }), isWanted);
  } catch (cause) {
    if (cause instanceof InvalidArgumentError) throw cause;
    throw refused(`${path} can't be read: ${causeIn(cause)}.`, GIVE, cause);
  }
}

/**
 * The files of a source that have a wanted size, whatever their names are.
 * @param source  a file, a folder, an archive, or the URL of a file or archive
 * @throws InvalidArgumentError, BackendUnavailableError
 */
export async function* filesIn(source: string, isWanted: IsWanted): AsyncGenerator<Uint8Array> {
  if (/^https?:\/\//.test(source)) return yield* unpacked(await download(source), source, isWanted);
  const { path, problem } = givenPath(source);
  if (path === null) throw refused(`${problem}.`, GIVE);
  yield* filesAt(path, isWanted);
}
