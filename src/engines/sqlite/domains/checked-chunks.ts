import { createHash } from 'node:crypto';

/** Artifacts whose chunks are known; the largest one has 1,024 chunks. */
const MAX_ARTIFACTS = 64;

const digestOf = (chunk: Uint8Array): string => createHash('sha256').update(chunk).digest('base64url');

/**
 * Checks single chunks of artifacts that were read as a whole before. The SHA-256 of an artifact decides what its chunks
 * are, so the hashes of chunks are valid for every store that has it.
 */
export class CheckedChunks {
  /** By the SHA-256 of the artifact; the latest last. */
  private readonly known = new Map<string, readonly string[]>();

  has(sha256: string): boolean {
    return this.known.has(sha256);
  }

  /** Notes an artifact. @param chunks  all of them; their hash was checked */
  async learn(sha256: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const digests: string[] = [];
    for await (const chunk of chunks) digests.push(digestOf(chunk));
    this.known.set(sha256, digests);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_ARTIFACTS && oldest !== undefined) this.known.delete(oldest);
  }

  /** True if a chunk is what it was when the artifact was checked. */
  isIntact(sha256: string, number: number, chunk: Uint8Array): boolean {
    return this.known.get(sha256)?.[number] === digestOf(chunk);
  }
}
