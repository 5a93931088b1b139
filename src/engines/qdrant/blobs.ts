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

/** The ids of the points of a blob. */
export function blobIds({ digest, parts }: BlobStamp): string[] {
  return Array.from({ length: parts }, (_, part) => partId(digest, part));
}

function digestOfBlob(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

function unzipped(packed: Buffer): Buffer | null {
  try {
    return gunzipSync(packed);
  } catch {
    return null;
  }
}

/** Packs bytes into points without vectors, and the stamp that finds them. */
export function packBlob(bytes: Uint8Array): { stamp: BlobStamp; points: readonly Point[] } {
  const packed = gzipSync(bytes);
  const digest = digestOfBlob(bytes);
  const parts = Math.ceil(packed.length / PART_BYTES);
  const points = Array.from({ length: parts }, (_, part) => {
    const data = packed.subarray(part * PART_BYTES, (part + 1) * PART_BYTES).toString('base64');
    return { id: partId(digest, part), vector: {}, payload: { kind: 'blob', digest, part, data } };
  });
  return { stamp: { digest, parts }, points };
}

/** Unpacks the points of a blob, in any order; null if some are missing or damaged. */
export function unpackBlob(
  { digest, parts }: BlobStamp,
  points: readonly { readonly payload?: Record<string, unknown> | null }[],
): Buffer | null {
  if (points.length !== parts) return null;
  const sorted = points.toSorted((a, b) => Number(a.payload?.['part']) - Number(b.payload?.['part']));
  const packed = sorted.map(({ payload }) => Buffer.from(String(payload?.['data']), 'base64'));
  const bytes = unzipped(Buffer.concat(packed));
  return bytes && digestOfBlob(bytes) === digest ? bytes : null;
}

/** Reads blobs of the generation that a view sees; null for missing ones. */
export async function readBlobs(
  view: View,
  stamps: readonly (BlobStamp | undefined)[],
): Promise<(Buffer | null)[]> {
  const searches = stamps.map((stamp) => {
    const ids = stamp ? blobIds(stamp) : [];
    return { filter: { must: [{ has_id: ids }] }, limit: Math.max(1, ids.length), with_payload: true };
  });
  const { found } = await view.batch(searches);
  return stamps.map((stamp, i) => {
    if (!stamp) return null;
    const bytes = unpackBlob(stamp, found[i] ?? []);
    // Parts are missing because the next generation is already being written to this collection.
    if (!bytes) throw new IndexMoved();
    return bytes;
  });
}
