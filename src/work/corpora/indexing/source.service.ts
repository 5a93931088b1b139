import { open, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { Injectable } from '@nestjs/common';
import { givenPath } from '../../../config/given-path.js';
import { makeFolder } from '../../../config/make-folder.js';
import { DomainsConfig } from '../../../config/settings/domains.config.js';
import { SubstrateConfig } from '../../../config/settings/substrate.config.js';
import type { Call } from '../../../core/call.js';
import { InvalidArgumentError, PithError, ScopeViolationError } from '../../../core/errors.js';
import type { IndexedManifest, IndexSource } from '../../../core/ports/index-source.js';
import { runUnderWay } from '../../../ingest/runs/index-failures.js';
import type { IndexRunWatch } from '../../../ingest/runs/index-processes.js';
import { pathProblem } from '../../substrate/manifests/manifest.schemas.js';
import { type ManifestFile, ManifestFilesService } from '../../substrate/manifests/manifest-files.service.js';
import {
  notWritten,
  type PrivateFolders,
  thisProcess,
  withPrivateFolder,
} from '../../substrate/manifests/private-folder.js';
import { PointerService } from '../../substrate/pointers/pointer.service.js';
import { pointerMoved } from '../../substrate/substrate-failures.js';
import { refuseLimited, spaceOf } from '../../work-space.js';
import { type DocumentsInput, RUN_MS } from './index.schemas.js';

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
async function writeManifestFile(
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

const isWithin = (folder: string, root: string): boolean =>
  folder === root || folder.startsWith(root.endsWith(sep) ? root : root + sep);

const GIVE_PATH = 'Give the absolute path of an allowed folder.';

/** One answer for folders outside, missing folders and files, so that nobody learns what exists. */
function notAllowed(): ScopeViolationError {
  return new ScopeViolationError('The folder does not exist within the folders that may be indexed.', {
    reason: 'folder_not_allowed',
    hint: `${GIVE_PATH} The operator allows folders with PITH_INGEST_ROOTS.`,
  });
}

const realOrNull = (path: string): Promise<string | null> => realpath(path).catch(() => null);

/**
 * Resolves a folder that may be indexed.
 * @param roots  absolute paths; they and all folders below them are allowed
 * @returns its real path, within the real path of a root
 * @throws ScopeViolationError `folder_not_allowed`; InvalidArgumentError `not_a_path`
 */
export async function allowedFolder(given: string, roots: readonly string[]): Promise<string> {
  const { path: folder, problem } = givenPath(given);
  if (problem !== null)
    throw new InvalidArgumentError(`${problem}.`, { reason: 'not_a_path', hint: GIVE_PATH });
  const wanted = resolve(folder);
  const found = await Promise.all(roots.map(realOrNull));
  const realRoots = found.filter((root) => root !== null);
  const named = [...roots.map((root) => resolve(root)), ...realRoots];
  // Nothing outside is looked up on the disk: the time to answer would tell if it exists.
  if (!isAbsolute(folder) || !named.some((root) => isWithin(wanted, root))) throw notAllowed();
  const real = await realOrNull(wanted);
  if (real === null || !realRoots.some((root) => isWithin(real, root))) throw notAllowed();
  const facts = await stat(real).catch(() => null);
  if (!facts?.isDirectory()) throw notAllowed();
  return real;
}

function tooLarge(maxBytes: number): InvalidArgumentError {
  return new InvalidArgumentError(`The files of the manifest have more than ${maxBytes} bytes in all.`, {
    reason: 'manifest_too_large',
    hint: 'Index a manifest with fewer files, or ask the operator to raise PITH_SUBSTRATE_MAX_BYTES.',
  });
}

/** A source to index, and the observer of its run. */
interface SourceTask {
  readonly source: IndexSource;
  readonly watch: IndexRunWatch;
  /** True if a run is under way that would make this one fail. */
  readonly isBusy: boolean;
}

/** Finds the documents that a call wants to index. */
@Injectable()
export class SourceService {
  private readonly checkouts: string;
  /** True while there is a copy of a manifest. There is one at a time, because it may fill the disk. */
  private isCheckedOut = false;

  constructor(
    private readonly domains: DomainsConfig,
    private readonly substrate: SubstrateConfig,
    private readonly files: ManifestFilesService,
    private readonly pointers: PointerService,
  ) {
    const { workFile } = domains;
    // Hidden, so that it is not indexed if the work file is in a folder of documents.
    this.checkouts = join(dirname(workFile), `.${basename(workFile)}.checkouts`);
  }

  /**
   * The folder, which may be indexed, or the manifest, which the caller may read. Callers that may see only some
   * documents are refused.
   * @throws ScopeViolationError `folder_not_allowed`, `documents_limited`; InvalidArgumentError `manifest_not_found`,
   *   `pointer_not_found`, or `conflict` if the pointer is not at the given manifest
   */
  async choose(
    call: Call,
    { folder, pointer, manifest_sha256: sha256 }: DocumentsInput,
  ): Promise<IndexSource> {
    if (folder !== undefined) {
      refuseLimited(call, 'an index run replaces all of them');
      return { kind: 'folder', path: await allowedFolder(folder, this.domains.ingestRoots) };
    }
    const space = spaceOf(call);
    if (pointer === undefined) {
      const manifestSha256 = sha256 ?? '';
      await this.files.find(space, manifestSha256);
      return { kind: 'manifest', manifestSha256, pointer: null };
    }
    const current = await this.pointers.find(space, pointer);
    const { namespace, name, version, manifestSha256 } = current;
    if (sha256 !== undefined && sha256 !== manifestSha256) throw pointerMoved(current);
    return { kind: 'manifest', manifestSha256, pointer: { namespace, name, version } };
  }

  /**
   * Calls a function with the folder of a source. The files of a manifest are in a private folder until it has ended.
   * @throws InvalidArgumentError `manifest_not_found`, `manifest_too_large`, `path_not_writable`; BackendUnavailableError
   *   `artifact_damaged`, `checkout_failed`, `index_busy`
   */
  async withFolder<T>(
    call: Call,
    { source, watch, isBusy }: SourceTask,
    use: (folder: string) => Promise<T>,
  ): Promise<T> {
    if (source.kind === 'folder') return use(source.path);
    if (isBusy || this.isCheckedOut) throw runUnderWay();
    this.isCheckedOut = true;
    try {
      return await withPrivateFolder(this.foldersFor(call), async (folder) => {
        await this.checkOut(call, { source, watch, folder });
        return use(folder);
      });
    } finally {
      this.isCheckedOut = false;
    }
  }

  /** Calls a function with a private file of this text, which is removed when it has ended. */
  withText<T>(call: Call, text: string, use: (file: string) => Promise<T>): Promise<T> {
    return withPrivateFolder(this.foldersFor(call), async (folder) => {
      const file = join(folder, 'settings.yaml');
      await writeFile(file, text, { mode: 0o600 });
      return use(file);
    });
  }

  private foldersFor(call: Call): PrivateFolders {
    return { parent: this.checkouts, maxAgeMs: RUN_MS, now: call.now(), owner: thisProcess() };
  }

  private async checkOut(
    call: Call,
    {
      source,
      watch,
      folder,
    }: { readonly source: IndexedManifest; readonly watch: IndexRunWatch; readonly folder: string },
  ): Promise<void> {
    const { maxBytes } = this.substrate;
    const space = spaceOf(call);
    const entries = await this.files.entries(space, source.manifestSha256);
    let bytes = 0;
    for (const [done, entry] of entries.entries()) {
      watch.signal.throwIfAborted();
      watch.onProgress({ verb: 'copying', noun: 'files', done, total: entries.length });
      const file = await this.files.file(space, entry);
      bytes += file.sizeBytes;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      await writeManifestFile(folder, file, watch.signal);
    }
  }
}
