import { rmSync } from 'node:fs';
import { BackendUnavailableError } from '../../core/errors.js';
import { ByteQueue } from '../byte-queue.js';
import { type CopyFiles, type CopyLimits, CopyTooLargeError } from '../copy-files.js';
import type { CopiedFile } from '../source.js';
import { ended, FETCH, type GitPlace, runGit, startGit } from './git-program.js';

/** The sizes of blobs, by their ids. @param isPartial  true to transfer those that are not here yet, in one go */
async function presentBlobs(
  oids: readonly string[],
  place: GitPlace,
  isPartial: boolean,
): Promise<ReadonlyMap<string, number>> {
  const found = await blobSizes(oids, place);
  const missing = oids.filter((oid) => !found.has(oid));
  if (!isPartial || missing.length === 0) return found;
  const noHaves = {
    ...place,
    settings: [...place.settings, ['fetch.negotiationAlgorithm', 'noop'] as const],
  };
  await runGit([...FETCH, '--filter=blob:none', '--stdin', 'origin'], noHaves, `${missing.join('\n')}\n`);
  return blobSizes(oids, place);
}

/** Objects are listed, since git would ask the remote for one that is missing. */
async function blobSizes(oids: readonly string[], place: GitPlace): Promise<ReadonlyMap<string, number>> {
  if (oids.length === 0) return new Map();
  const wanted = new Set(oids);
  const all = ['cat-file', '--batch-check', '--batch-all-objects', '--unordered'];
  const sizes = (await runGit(all, place)).toString().matchAll(/^([\da-f]+) blob (\d+)$/gm);
  const pairs = [...sizes].map(([, oid = '', size]) => [oid, Number(size)] as const);
  return new Map(pairs.filter(([oid]) => wanted.has(oid)));
}

/** Reads blobs that are present one after the other, as git gives them. @throws BackendUnavailableError if one can't be read */
async function* readBlobs(
  oids: readonly string[],
  place: GitPlace,
): AsyncGenerator<{ readonly oid: string; readonly bytes: Buffer }> {
  if (oids.length === 0) return;
  const child = startGit(['cat-file', '--batch', '--buffer'], place);
  const end = ended(child, place.signal);
  end.catch(() => undefined);
  child.stdin.on('error', () => undefined);
  child.stderr.resume();
  child.stdin.end(`${oids.join('\n')}\n`);
  const queue = new ByteQueue();
  let [next, count]: [BlobHeader | null, number] = [null, 0];
  for await (const data of child.stdout) {
    queue.push(data as Buffer);
    for (next ??= blobHeader(queue); next && queue.length > next.size; next = blobHeader(queue)) {
      yield { oid: next.oid, bytes: queue.take(next.size) };
      // A newline follows.
      queue.take(1);
      count++;
    }
  }
  const code = await end;
  if (code !== 0 || count !== oids.length) throw damaged(place);
}

/** The line before a blob in the output of `cat-file --batch`. */
interface BlobHeader {
  readonly oid: string;
  readonly size: number;
}

/** @returns null if it is not whole yet */
function blobHeader(queue: ByteQueue): BlobHeader | null {
  const line = queue.takeLine();
  if (line === null) return null;
  const [, oid, size] = /^([\da-f]+) blob (\d+)$/.exec(line) ?? [];
  if (oid === undefined) throw new Error(`cat-file answers: ${line}`);
  return { oid, size: Number(size) };
}

/** Removes a transfer that can't be read: no later run could read it either. */
function damaged({ repository }: GitPlace): BackendUnavailableError {
  rmSync(repository, { recursive: true, force: true });
  return new BackendUnavailableError('Git can not read the files that it has transferred.', {
    reason: 'source_damaged',
    hint: 'Try again: the next run transfers them anew.',
  });
}

interface Writing {
  readonly place: GitPlace;
  readonly limits: CopyLimits;
  /** True if the blobs of the commit are transferred only when they are needed. */
  readonly isPartial: boolean;
}

/** Writes files of a commit into a copy. @param wanted  the files, by the ids of their blobs @throws CopyTooLargeError */
export async function writeBlobs(
  wanted: ReadonlyMap<string, readonly CopiedFile[]>,
  copy: CopyFiles,
  { place, limits, isPartial }: Writing,
): Promise<void> {
  if (wanted.size > limits.files) throw new CopyTooLargeError(`it has more than ${limits.files} files`);
  const sizes = await presentBlobs([...wanted.keys()], place, isPartial);
  const small: string[] = [];
  for (const [oid, files] of wanted) {
    const size = sizes.get(oid);
    // A transfer of whole commits leaves out nothing but large blobs.
    const isMissing = size === undefined && isPartial;
    const reason = isMissing ? 'git did not transfer it' : `it is larger than ${limits.fileBytes} bytes`;
    if (size !== undefined && size <= limits.fileBytes) small.push(oid);
    else for (const { path } of files) copy.refuse(path, reason);
  }
  for await (const { oid, bytes } of readBlobs(small, place))
    for (const file of wanted.get(oid) ?? []) copy.write(file, bytes);
}
