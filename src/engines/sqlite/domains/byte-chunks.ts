import type { ByteParts } from '../../../core/ports/work/artifact-store.port.js';

/** Size of one stored chunk: writing one blocks the event loop for a few milliseconds. */
export const CHUNK_BYTES = 262_144;

/** Joins and cuts parts into chunks of `CHUNK_BYTES`; only the last one may be shorter. @returns nothing for no bytes */
export async function* byteChunks(parts: ByteParts): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    let rest = part;
    while (size + rest.length >= CHUNK_BYTES) {
      const cut = CHUNK_BYTES - size;
      yield Buffer.concat([...held, rest.subarray(0, cut)]);
      [held, size, rest] = [[], 0, rest.subarray(cut)];
    }
    if (rest.length > 0) held.push(rest);
    size += rest.length;
  }
  if (size > 0) yield Buffer.concat(held);
}
