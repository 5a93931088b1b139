import { type Database, type Row, text } from '../../../sqlite/driver.js';
import type { WorkSpace } from '../../work-space.js';
import { charge, chargeRow, USAGE_TABLE } from '../substrate-usage.js';

/** Stored bytes, without the bytes. */
export interface StoredArtifact {
  /** Of the bytes, lower-case hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly mediaType: string;
  /** The principal that stored it first. */
  readonly publishedBy: string;
  /** Milliseconds since the epoch. */
  readonly publishedAt: number;
}

/** Bytes to store. */
export interface NewArtifact extends Pick<StoredArtifact, 'mediaType' | 'publishedBy'> {
  readonly space: WorkSpace;
  /** The SHA-256 that the bytes must have, lower-case hex; null if they may have any. */
  readonly expectedSha256: string | null;
  /** Max bytes to accept. */
  readonly maxBytes: number;
}

/** Bytes in their order, in parts of any size. */
export type ByteParts = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Offsets in the bytes of an artifact, both at most its size; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The chunks of an artifact have its `content` as their key. Until the artifact is complete, the key has a row in
 * `substrate_upload`, and no row in `substrate_artifact`. Keys are never used twice.
 */
export const ARTIFACT_TABLES = `${USAGE_TABLE};
  CREATE TABLE IF NOT EXISTS substrate_upload (content INTEGER PRIMARY KEY AUTOINCREMENT, project TEXT NOT NULL,
    environment TEXT NOT NULL, bytes INTEGER NOT NULL, touched_at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS substrate_chunk (content INTEGER NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (content, number));
  CREATE TABLE IF NOT EXISTS substrate_artifact (project TEXT NOT NULL, environment TEXT NOT NULL, sha256 TEXT NOT NULL,
    size INTEGER NOT NULL, media_type TEXT NOT NULL, principal TEXT NOT NULL, published_at INTEGER NOT NULL,
    content INTEGER NOT NULL, PRIMARY KEY (project, environment, sha256))`;

/** Chunks that are stored before their artifact is complete. */
export interface StagedContent {
  readonly key: number;
  readonly chunks: number;
  readonly bytes: number;
}

interface StagingTerms {
  readonly space: WorkSpace;
  /** Limit of the space, in bytes. */
  readonly max: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

function beginUpload(database: Database, { space, now }: StagingTerms): StagedContent {
  const row = database
    .prepare(
      `INSERT INTO substrate_upload (project, environment, bytes, touched_at) VALUES (?, ?, 0, ?) RETURNING content`,
    )
    .get(space.projectId, space.environment, now);
  return { key: Number(row?.['content']), chunks: 0, bytes: 0 };
}

/** Adds a chunk to an upload. @param staged  null for the first chunk @throws Error if the upload was removed meanwhile */
export function stageChunk(
  database: Database,
  chunk: { readonly staged: StagedContent | null; readonly bytes: Uint8Array },
  terms: StagingTerms,
): StagedContent {
  const { key, chunks, bytes } = chunk.staged ?? beginUpload(database, terms);
  const size = chunk.bytes.length;
  const { changes } = database
    .prepare('UPDATE substrate_upload SET bytes = bytes + ?, touched_at = ? WHERE content = ?')
    .run(size, terms.now, key);
  if (Number(changes) === 0) throw new Error('the upload was removed because it stood still');
  if (size > 0) {
    database
      .prepare('INSERT INTO substrate_chunk (content, number, bytes) VALUES (?, ?, ?)')
      .run(key, chunks, chunk.bytes);
  }
  charge(database, terms.space, { bytes: size, max: terms.max });
  return { key, chunks: chunks + 1, bytes: bytes + size };
}

/** Makes an artifact of a complete upload. @throws BudgetExceededError `substrate_full` */
export function publishUpload(
  database: Database,
  staged: StagedContent,
  artifact: Pick<NewArtifact, 'mediaType' | 'publishedBy'> & StagingTerms & { sha256: string },
): void {
  const { space, sha256, mediaType, publishedBy, max, now } = artifact;
  const { projectId, environment } = space;
  const row = [projectId, environment, sha256, staged.bytes, mediaType, publishedBy, now, staged.key];
  database
    .prepare(
      `INSERT INTO substrate_artifact (project, environment, sha256, size, media_type, principal, published_at, content)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(...row);
  chargeRow(database, space, { row, max });
  database.prepare('DELETE FROM substrate_upload WHERE content = ?').run(staged.key);
}

/** Removes an upload that is not complete, with its chunks. */
export function removeUpload(database: Database, key: number): void {
  const row = database
    .prepare('DELETE FROM substrate_upload WHERE content = ? RETURNING project, environment, bytes')
    .get(key);
  if (!row) return;
  database.prepare('DELETE FROM substrate_chunk WHERE content = ?').run(key);
  const space = { projectId: text(row['project']), environment: text(row['environment']) };
  charge(database, space, { bytes: -Number(row['bytes']), max: 0 });
}

/** Removes uploads of processes that ended. @param before  ms since the epoch */
export function removeOldUploads(database: Database, before: number): void {
  const old = database.prepare('SELECT content FROM substrate_upload WHERE touched_at < ?').all(before);
  for (const { content } of old) removeUpload(database, Number(content));
}

/** The row of an artifact; undefined for an unknown one. */
export function artifactRow(database: Database, space: WorkSpace, sha256: string): Row | undefined {
  return database
    .prepare('SELECT * FROM substrate_artifact WHERE project = ? AND environment = ? AND sha256 = ?')
    .get(space.projectId, space.environment, sha256);
}

export function artifactOf(row: Row): StoredArtifact {
  return {
    sha256: text(row['sha256']),
    sizeBytes: Number(row['size']),
    mediaType: text(row['media_type']),
    publishedBy: text(row['principal']),
    publishedAt: Number(row['published_at']),
  };
}
