import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeFolder } from '../../config/make-folder.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { isDocument } from '../../ingest/conversion/formats.js';
import { COPY_LIMITS, CopyFiles, type CopyLimits, CopyTooLargeError } from '../copy-files.js';
import { shownAddress } from '../read-address.js';
import type { CopiedFile, FetchedCopy, FetchRequest, FileSource } from '../source.js';
import { authorization, sourceSecret } from '../source-secret.js';
import { download } from './download.js';
import { readArchive } from './read-archive.js';

/** A file of this machine with the facts that citations and later runs need. */
interface LocalFile {
  readonly path: string;
  /** Its name, with its ending. */
  readonly name: string;
  readonly modifiedAt: string | undefined;
  readonly etag?: string | undefined;
}

/** Brings a file, or the files of an archive, into a folder. @param cache  for downloads */
export async function fetchFile(
  request: FetchRequest<FileSource>,
  cache: string,
  limits: CopyLimits = COPY_LIMITS,
): Promise<FetchedCopy> {
  const { source, previous, folder } = request;
  try {
    const file = await localFile(request, cache, limits);
    if (file === null && previous) return previous.copy;
    if (file === null) throw new Error('not modified, but nothing was copied before');
    const revision = `sha256:${await digest(file.path)}`;
    if (revision === previous?.copy.revision) return previous.copy;
    const copy = new CopyFiles(folder, limits);
    await copyFile(source, file, { copy, limits });
    const etag = file.etag === undefined ? {} : { etag: file.etag };
    const files = copy.files.map((copied) => ({ ...copied, ...etag }));
    return { files, refused: copy.refused, revision };
  } catch (error) {
    if (!(error instanceof CopyTooLargeError)) throw error;
    throw new InvalidArgumentError(`${shownAddress(source)} is too large: ${error.message}.`, {
      reason: 'source_too_large',
      hint: 'Unpack it, and give the folder with the documents.',
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
  { bytes }: CopyLimits,
): Promise<LocalFile | null> {
  if (!isWeb(source)) {
    const found = statSync(source.address, { throwIfNoEntry: false });
    if (!found?.isFile()) throw missing(source.address);
    return { path: source.address, name: basename(source.address), modifiedAt: found.mtime.toISOString() };
  }
  makeFolder(cache, 0o700);
  const path = join(cache, 'download');
  const etag = previous?.copy.files[0]?.etag;
  const answer = await download(new URL(source.address), path, {
    ...{ signal, etag, maxBytes: bytes },
    authorization: authorization(sourceSecret(source)),
    allowedHosts: source.allowedHosts,
  });
  if (answer === null) return null;
  return { path, name: decodeURIComponent(basename(new URL(source.address).pathname)), ...answer };
}

const missing = (address: string): InvalidArgumentError =>
  new InvalidArgumentError(`The file ${address} does not exist.`, {
    reason: 'source_missing',
    hint: 'Give a file, an archive or a folder that exists.',
  });

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const data of createReadStream(path)) hash.update(data as Buffer);
  return hash.digest('hex');
}

async function copyFile(
  source: FileSource,
  { path, name, modifiedAt }: LocalFile,
  { copy, limits }: { readonly copy: CopyFiles; readonly limits: CopyLimits },
): Promise<void> {
  const dated = modifiedAt === undefined ? {} : { modifiedAt };
  // A place of this machine means nothing to whoever reads a citation.
  const address = isWeb(source) ? shownAddress(source) : '';
  if (source.kind === 'file') {
    if (!isDocument(name)) throw notADocument(name);
    copy.write({ path: name, address, ...dated }, readFileSync(path));
    return;
  }
  const describe = (inside: string): CopiedFile => ({
    path: inside,
    address: address === '' ? '' : `${address}#${inside.split('/').map(encodeURIComponent).join('/')}`,
    ...dated,
  });
  await readArchive({ path, name }, copy, { describe, limits });
}

const notADocument = (name: string): InvalidArgumentError =>
  new InvalidArgumentError(`${name} has a format that is not read.`, {
    reason: 'source_invalid',
    hint: 'Give a document, such as .md, .html, .pdf or .docx.',
  });
