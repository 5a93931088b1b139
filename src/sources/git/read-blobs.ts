import { type GitPlace, runGit, startGit } from './git-program.js';

/** Transfers what is named, and nothing else. */
export const FETCH = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];

/** The sizes of blobs, by their ids. Those that are not here yet are transferred in one go. */
export async function presentBlobs(
  oids: readonly string[],
  place: GitPlace,
): Promise<ReadonlyMap<string, number>> {
  const found = await blobSizes(oids, place);
  const missing = oids.filter((oid) => !found.has(oid));
  const isPartial = missing.length > 0 && missing.length === oids.length;
  if (!isPartial) return found;
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

/** Reads blobs one after the other, as git gives them. */
export async function* readBlobs(
  oids: readonly string[],
  place: GitPlace,
): AsyncGenerator<{ readonly oid: string; readonly bytes: Buffer }> {
  if (oids.length === 0) return;
  const child = startGit(['cat-file', '--batch', '--buffer'], place);
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  failed.catch(() => undefined);
  child.stdin.on('error', () => undefined);
  child.stderr.resume();
  child.stdin.end(`${oids.join('\n')}\n`);
  let held: Buffer = Buffer.alloc(0);
  for await (const data of child.stdout) {
    held = held.length === 0 ? Buffer.from(data as Buffer) : Buffer.concat([held, data as Buffer]);
    for (let blob = firstBlob(held); blob !== null; blob = firstBlob(held)) {
      yield blob;
      held = held.subarray(blob.end);
    }
  }
  place.signal.throwIfAborted();
}

/** The blob at the start of the output of `cat-file --batch`; null if it is not whole yet. */
function firstBlob(held: Buffer): { oid: string; bytes: Buffer; end: number } | null {
  const line = held.indexOf(0x0a);
  if (line < 0) return null;
  const [oid = '', , size] = held.subarray(0, line).toString().split(' ');
  const end = line + 1 + Number(size) + 1;
  return held.length < end ? null : { oid, bytes: held.subarray(line + 1, end - 1), end };
}
