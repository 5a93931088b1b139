import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../config/make-folder.js';
import { InvalidArgumentError, PithError } from '../../core/errors.js';
import type { ManifestFile } from '../substrate/manifests/manifest-files.service.js';
import { pathProblem } from '../substrate/manifests/manifest-path.js';
import { notWritten } from './private-folder.js';

/** Errors of the file system that are about a name: too long, or taken where upper and lower case are the same. */
const NAME_ERRORS = ['ENAMETOOLONG', 'EEXIST', 'EISDIR', 'ENOTDIR', 'EINVAL'];

function unusablePath(path: string, cause?: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`The server can not have a file with the path ${path}.`, {
    reason: 'path_not_writable',
    hint: 'Shorten its names, and let paths differ in more than upper and lower case. Publish a new manifest.',
    details: { path },
    cause,
  });
}

function failureOf(path: string, error: unknown): unknown {
  const { syscall, code } = Object(error);
  if (error instanceof PithError || syscall === undefined) return error;
  if (NAME_ERRORS.includes(String(code))) return unusablePath(path, error);
  return notWritten(error);
}

/**
 * Writes a file of a manifest below a folder, part by part, with the time when its bytes were published.
 * @throws InvalidArgumentError `path_not_writable`; BackendUnavailableError `checkout_failed`; the reason of the signal
 */
export async function writeManifestFile(
  folder: string,
  { path, publishedAt, parts }: ManifestFile,
  signal: AbortSignal,
): Promise<void> {
  if (pathProblem(path) !== null) throw unusablePath(path);
  const target = join(folder, ...path.split('/'));
  try {
    makeFolder(dirname(target), 0o700);
    const file = await open(target, 'wx', 0o600);
    try {
      for await (const part of parts) {
        signal.throwIfAborted();
        await file.writeFile(part);
      }
      const time = new Date(publishedAt);
      await file.utimes(time, time);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw failureOf(path, error);
  }
}
