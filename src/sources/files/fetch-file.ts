import { readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeFolder } from '../../config/make-folder.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { steadyNow } from '../../core/turns/clock.js';
import { formatToConvert, isDocument } from '../../ingest/conversion/formats.js';
import { fileDigest } from '../../ingest/file-digest.js';
import { decodePercent, encodeParts } from '../../text/percent-encoding.js';
import { COPY_LIMITS, CopyFiles, type CopyLimits, CopyTooLargeError } from '../copy-files.js';
import { shownAddress } from '../read-address.js';
import type { CopiedFile, FetchedCopy, FetchRequest, FileSource } from '../source.js';
import { authorization, sourceSecret } from '../source-secret.js';
import { download } from './download.js';
import { readArchive, type Reading } from './read-archive.js';

/** A file of this machine with the facts that citations and later runs need. */
interface LocalFile {
  readonly path: string;
  /** Its name, with its ending. */
  readonly name: string;
  readonly modifiedAt: string | undefined;
  readonly etag?: string | undefined;
}

/** The limits of a copy, and of the time to unpack it. */
interface FileLimits extends CopyLimits {
  readonly ms: number;
}

const LIMITS: FileLimits = { ...COPY_LIMITS, ms: 600_000 };

/** Brings a file, or the files of an archive, into a folder. @param cache  for downloads */
export async function fetchFile(
  request: FetchRequest<FileSource>,
  cache: string,
  limits: FileLimits = LIMITS,
): Promise<FetchedCopy> {
  const { source, previous, folder } = request;
  try {
    const file = await localFile(request, cache, limits);
    if (file === null && previous) return previous.copy;
    if (file === null) throw new Error('not modified, but nothing was copied before');
    const revision = `sha256:${await fileDigest(file.path)}`;
    if (revision === previous?.copy.revision) return previous.copy;
    const copy = new CopyFiles(folder, limits);
    const endsAt = steadyNow() + limits.ms;
    const checkTime = (): void => {
      request.signal.throwIfAborted();
      if (steadyNow() > endsAt) throw new CopyTooLargeError('it takes too long to unpack');
    };
    await copyFile(source, file, { copy, limits, checkTime });
    const etag = file.etag === undefined ? {} : { etag: file.etag };
    const files = copy.files.map((copied) => ({ ...copied, ...etag }));
    return { files, refused: copy.refused, revision };
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof CopyTooLargeError)) throw error;
    throw new InvalidArgumentError(`${shownAddress(source)} is too large: ${error.message}.`, {
      reason: 'source_too_large',
      hint:
        source.kind === 'file'
          ? 'Divide it into smaller documents.'
          : 'Unpack it, and give the folder with the documents.',
    });
  } finally {
    if (isWeb(source)) rmSync(cache, { recursive: true, force: true });
  }
}

const isWeb = ({ address }: FileSource): boolean => /^https?:/i.test(address);

/** The file itself, or its download; null if it has not changed since the last copy. */
async function localFile(
  { source, previous, signal }: FetchRequest<FileSource>,
  cache: string,
  limits: FileLimits,
): Promise<LocalFile | null> {
  const maxBytes = source.kind === 'file' ? limits.fileBytes : Infinity;
  if (!isWeb(source)) {
    const found = statSync(source.address, { throwIfNoEntry: false });
    if (!found?.isFile()) throw missing(source.address);
    if (found.size > maxBytes) throw new CopyTooLargeError(`it has more than ${maxBytes} bytes`);
    return { path: source.address, name: basename(source.address), modifiedAt: found.mtime.toISOString() };
  }
  makeFolder(cache, 0o700);
  const path = join(cache, 'download');
  const etag = previous?.copy.files[0]?.etag;
  const answer = await download(new URL(source.address), path, {
    ...{ signal, etag, maxBytes: Math.min(maxBytes, limits.bytes) },
    authorization: authorization(sourceSecret(source)),
    allowedHosts: source.allowedHosts,
  });
  if (answer === null) return null;
  return { path, name: decodePercent(basename(new URL(source.address).pathname)), ...answer };
}

const missing = (address: string): InvalidArgumentError =>
  new InvalidArgumentError(`The file ${address} does not exist.`, {
    reason: 'source_missing',
    hint: 'Give a file, an archive or a folder that exists.',
  });

async function copyFile(
  source: FileSource,
  { path, name, modifiedAt }: LocalFile,
  { copy, ...reading }: Omit<Reading, 'describe'> & { readonly copy: CopyFiles },
): Promise<void> {
  const dated = modifiedAt === undefined ? {} : { modifiedAt };
  // A path on this machine means nothing to the reader of a citation.
  const address = isWeb(source) ? shownAddress(source) : '';
  if (source.kind === 'file') {
    const bytes = readFileSync(path);
    if (!isDocument(name) && formatToConvert(name, bytes) === null) throw notADocument(name);
    copy.write({ path: name, address, ...dated }, bytes);
    return;
  }
  const describe = (inside: string): CopiedFile => ({
    path: inside,
    address: address === '' ? '' : `${address}#${encodeParts(inside)}`,
    ...dated,
  });
  await readArchive({ path, name }, copy, { describe, ...reading });
}

const notADocument = (name: string): InvalidArgumentError =>
  new InvalidArgumentError(`${name} has a format that is not read.`, {
    reason: 'source_invalid',
    hint: 'Give a document, such as .md, .html, .pdf or .docx.',
  });
