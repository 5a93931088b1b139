import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesOrNull } from '../../../sqlite/driver.js';
import { isOneOf, type SqlRow } from '../../../sqlite/stores/sql-database.port.js';
import { type BoundedWork, IN_SPACE, spaceValues } from '../../work-rows.js';
import type { WorkSpace } from '../../work-space.js';
import { artifactDamaged, artifactTooLarge, unknownArtifact, wrongSha256 } from '../substrate-failures.js';
import {
  artifactOf,
  artifactRow,
  type ByteParts,
  type ByteRange,
  type NewArtifact,
  publishUpload,
  removeOldUploads,
  removeUpload,
  stageChunk,
  type StagedContent,
  type StoredArtifact,
} from './artifact-rows.js';

/** Artifacts whose chunks are known; the largest one has 1,024 chunks. */
const MAX_ARTIFACTS = 64;

/** The hash of a chunk. */
const chunkDigest = (chunk: Uint8Array): string => createHash('sha256').update(chunk).digest('base64url');

/**
 * The hashes of the chunks of artifacts that were read as a whole before. Artifacts with the same SHA-256 have the same
 * chunks, so the hashes are valid for every project that has the artifact.
 */
class CheckedChunks {
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

/** Size of one stored chunk: writing one blocks the event loop for a few milliseconds. */
const CHUNK_BYTES = 262_144;

/** Joins and cuts parts into chunks of `CHUNK_BYTES`; only the last one may be shorter. @returns nothing for no bytes */
async function* byteChunks(parts: ByteParts): AsyncGenerator<Uint8Array> {
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

/** An upload without a new chunk for this time belongs to a process that has ended: no call takes longer (ms). */
const ABANDONED_MS = 600_000;

/**
 * Stores bytes under their SHA-256. Stored bytes are never changed or removed. Several processes may share one store.
 * Equal bytes of two spaces are stored twice, so nobody can tell what another space has. All methods throw
 * BackendUnavailableError if the store can't be used.
 */
export class ArtifactStore {
  private readonly checked = new CheckedChunks();

  constructor(private readonly work: BoundedWork) {}

  /**
   * Stores bytes while they arrive. They exist when the promise resolves, and are on the disk then. If anything fails,
   * nothing is kept. Bytes that are stored already stay as they are.
   * @returns the facts of the first save
   * @throws InvalidArgumentError `artifact_too_large`, `sha256_mismatch`; BudgetExceededError `substrate_full` if the
   *   space would hold more than its limit; the error of the parts
   */
  async save(artifact: NewArtifact, parts: ByteParts): Promise<StoredArtifact> {
    const hash = createHash('sha256');
    let staged: StagedContent | null = null;
    let held: Uint8Array = new Uint8Array();
    let size = 0;
    try {
      for await (const chunk of byteChunks(parts)) {
        size += chunk.length;
        if (size > artifact.maxBytes) throw artifactTooLarge(artifact.maxBytes);
        hash.update(chunk);
        // The last chunk is stored together with the artifact, so that a small one needs one transaction.
        if (held.length > 0) staged = await this.stage(artifact.space, staged, held);
        await nextTurn();
        held = chunk;
      }
      const sha256 = hash.digest('hex');
      const expected = artifact.expectedSha256 ?? sha256;
      if (sha256 !== expected) throw wrongSha256(expected, sha256);
      return await this.publish({ ...artifact, sha256 }, staged, held);
    } catch (error) {
      if (staged) await this.discard(staged);
      throw error;
    }
  }

  /** @returns null for an unknown one */
  async find(space: WorkSpace, sha256: string): Promise<StoredArtifact | null> {
    const row = await this.row(space, sha256);
    return row ? artifactOf(row) : null;
  }

  /** Those of the given SHA-256 that are not stored, each once, in their order. */
  async missing(space: WorkSpace, sha256s: readonly string[]): Promise<string[]> {
    const given = [...new Set(sha256s)];
    const { condition, values } = isOneOf('sha256', given);
    const statement = `SELECT sha256 FROM substrate_artifact WHERE ${IN_SPACE} AND ${condition}`;
    const rows = await this.work.database.read((sql) => sql(statement, { ...spaceValues(space), ...values }));
    const stored = new Set(rows.map(({ sha256 }) => sha256));
    return given.filter((sha256) => !stored.has(sha256));
  }

  /**
   * The bytes in parts of at most 256 KiB. The last part is given only after the hash of all parts was checked.
   * @throws InvalidArgumentError `artifact_not_found`; BackendUnavailableError `artifact_damaged`
   */
  async *read(space: WorkSpace, sha256: string): AsyncGenerator<Uint8Array> {
    const row = await this.row(space, sha256);
    if (!row) throw unknownArtifact(sha256);
    const hash = createHash('sha256');
    let held: Uint8Array | null = null;
    for (let number = 0; ; number++) {
      const chunk = await this.chunk(Number(row['content']), number);
      if (!chunk) break;
      if (held) yield held;
      hash.update(chunk);
      held = chunk;
      await nextTurn();
    }
    if (hash.digest('hex') !== sha256) throw artifactDamaged(sha256);
    if (held) yield held;
  }

  /**
   * Some of the bytes, checked as well. All are read the first time; after that, the work is in proportion to the range.
   * @throws as `read`
   */
  async slice(space: WorkSpace, sha256: string, { start, end }: ByteRange): Promise<Uint8Array> {
    const row = await this.row(space, sha256);
    if (!row) throw unknownArtifact(sha256);
    const digests = await this.checked.digestsOf(sha256, () => this.read(space, sha256));
    const parts: Uint8Array[] = [];
    for (let number = Math.floor(start / CHUNK_BYTES); number * CHUNK_BYTES < end; number++) {
      const chunk = await this.chunk(Number(row['content']), number);
      if (!chunk || chunkDigest(chunk) !== digests[number]) throw artifactDamaged(sha256);
      const at = number * CHUNK_BYTES;
      parts.push(chunk.subarray(Math.max(0, start - at), end - at));
    }
    return Buffer.concat(parts);
  }

  private row(space: WorkSpace, sha256: string): Promise<SqlRow | undefined> {
    return this.work.database.read((sql) => artifactRow(sql, space, sha256));
  }

  private async chunk(content: number, number: number): Promise<Uint8Array | null> {
    const statement = 'SELECT bytes FROM substrate_chunk WHERE content = :content AND number = :number';
    const [row] = await this.work.database.read((sql) => sql(statement, { content, number }));
    return bytesOrNull(row?.['bytes']);
  }

  private termsOf(space: WorkSpace) {
    return { space, max: this.work.maxBytes, now: this.work.now() };
  }

  private stage(space: WorkSpace, staged: StagedContent | null, bytes: Uint8Array): Promise<StagedContent> {
    return this.work.database.write(async (sql) => {
      const terms = this.termsOf(space);
      if (!staged) await removeOldUploads(sql, terms.now - ABANDONED_MS);
      return stageChunk(sql, { staged, bytes }, terms);
    });
  }

  private publish(
    artifact: NewArtifact & { readonly sha256: string },
    staged: StagedContent | null,
    last: Uint8Array,
  ): Promise<StoredArtifact> {
    const { space, sha256 } = artifact;
    return this.work.database.write(async (sql) => {
      const known = await artifactRow(sql, space, sha256);
      if (known) {
        if (staged) await removeUpload(sql, staged.key);
        return artifactOf(known);
      }
      const terms = this.termsOf(space);
      if (!staged) await removeOldUploads(sql, terms.now - ABANDONED_MS);
      const complete = await stageChunk(sql, { staged, bytes: last }, terms);
      await publishUpload(sql, complete, { ...artifact, ...terms });
      const row = await artifactRow(sql, space, sha256);
      if (!row) throw unknownArtifact(sha256);
      return artifactOf(row);
    });
  }

  /** If this fails too, the chunks are removed with those of other abandoned uploads. */
  private async discard({ key }: StagedContent): Promise<void> {
    await this.work.database.write((sql) => removeUpload(sql, key)).catch(() => undefined);
  }
}
