import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { IndexMoved, type View } from './live-collection.js';
import { pointId } from './names.js';
import type { Point } from './points.js';
import type { BlobStamp } from './stamp.js';

/** Bytes of a part before encoding; a request with one part stays far below the limit of servers (32 MB). */
const PART_BYTES = 1_048_576;

function partId(digest: string, part: number): string {
  return pointId('blob', `${digest} ${part}`);
}

/** Packs bytes into points without vectors, and the stamp that finds them. */
export function packBlob(bytes: Uint8Array): { stamp: BlobStamp; points: readonly Point[] } {
  const packed = gzipSync(bytes);
  const digest = createHash('sha256').update(bytes).digest('base64url');
  const parts = Math.ceil(packed.length / PART_BYTES);
  const points = Array.from({ length: parts }, (_, part) => {
    const data = packed.subarray(part * PART_BYTES, (part + 1) * PART_BYTES).toString('base64');
    return { id: partId(digest, part), vector: {}, payload: { kind: 'blob', digest, part, data } };
  });
  return { stamp: { digest, parts }, points };
}

/** Reads blobs of the generation that a view sees; null for missing ones. */
export async function readBlobs(
  view: View,
  stamps: readonly (BlobStamp | undefined)[],
): Promise<(Buffer | null)[]> {
  const searches = stamps.map((stamp) => {
    const parts = Array.from({ length: stamp?.parts ?? 0 }, (_, part) => partId(stamp?.digest ?? '', part));
    return { filter: { must: [{ has_id: parts }] }, limit: Math.max(1, parts.length), with_payload: true };
  });
  const { found } = await view.batch(searches);
  return stamps.map((stamp, i) => {
    if (!stamp) return null;
    const parts = found[i] ?? [];
    // Parts are missing because the next generation is already being written to this collection.
    if (parts.length !== stamp.parts) throw new IndexMoved();
    const sorted = parts.toSorted((a, b) => Number(a.payload?.['part']) - Number(b.payload?.['part']));
    const data = sorted.map(({ payload }) => Buffer.from(String(payload?.['data']), 'base64'));
    return gunzipSync(Buffer.concat(data));
  });
}
