import { createHash } from 'node:crypto';

/** Artifacts whose chunks are known; the largest one has 1,024 chunks. */
const MAX_ARTIFACTS = 64;

/** The hash of a chunk. */
export const chunkDigest = (chunk: Uint8Array): string =>
  createHash('sha256').update(chunk).digest('base64url');

/**
 * The hashes of the chunks of artifacts that were read as a whole before. Artifacts with the same SHA-256 have the same
 * chunks, so the hashes are valid for every project that has the artifact.
 */
export class CheckedChunks {
  /** By the SHA-256 of the artifact; the latest last. */
  private readonly known = new Map<string, readonly string[]>();

  /**
   * The hashes of all chunks of an artifact, in their order.
   * @param read  reads the chunks of an artifact that is not known, and checks their hash
   */
  async digestsOf(sha256: string, read: () => AsyncIterable<Uint8Array>): Promise<readonly string[]> {
    const known = this.known.get(sha256);
    if (known) return known;
    const digests: string[] = [];
    for await (const chunk of read()) digests.push(chunkDigest(chunk));
    this.known.set(sha256, digests);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_ARTIFACTS && oldest !== undefined) this.known.delete(oldest);
    return digests;
  }
}
