import { text } from '../../../sqlite/driver.js';
import type { Sql, SqlRow } from '../../../sqlite/stores/sql-database.port.js';
import { IN_SPACE, spaceValues } from '../../work-rows.js';
import type { WorkSpace } from '../../work-space.js';
import { charge, chargeRows } from '../substrate-usage.js';

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

async function beginUpload(sql: Sql, { space, now }: StagingTerms): Promise<StagedContent> {
  const [row] = await sql(
    `INSERT INTO substrate_upload (project, environment, bytes, touched_at)
     VALUES (:projectId, :environment, 0, :now) RETURNING content`,
    { ...spaceValues(space), now },
  );
  return { key: Number(row?.['content']), chunks: 0, bytes: 0 };
}

/** Adds a chunk to an upload. @param staged  null for the first chunk @throws Error if the upload was removed meanwhile */
export async function stageChunk(
  sql: Sql,
  chunk: { readonly staged: StagedContent | null; readonly bytes: Uint8Array },
  terms: StagingTerms,
): Promise<StagedContent> {
  const { key, chunks, bytes } = chunk.staged ?? (await beginUpload(sql, terms));
  const size = chunk.bytes.length;
  const touched = await sql(
    'UPDATE substrate_upload SET bytes = bytes + :size, touched_at = :now WHERE content = :key RETURNING content',
    { size, now: terms.now, key },
  );
  if (touched.length === 0) throw new Error('the upload was removed because it stood still');
  if (size > 0) {
    await sql('INSERT INTO substrate_chunk (content, number, bytes) VALUES (:key, :chunks, :bytes)', {
      ...{ key, chunks, bytes: chunk.bytes },
    });
  }
  await charge(sql, terms.space, { bytes: size, max: terms.max });
  return { key, chunks: chunks + 1, bytes: bytes + size };
}

/** Makes an artifact of a complete upload. @throws BudgetExceededError `substrate_full` */
export async function publishUpload(
  sql: Sql,
  { key, bytes }: StagedContent,
  artifact: Pick<NewArtifact, 'mediaType' | 'publishedBy'> & StagingTerms & { sha256: string },
): Promise<void> {
  const { space, sha256, mediaType, publishedBy, max, now } = artifact;
  const row = { ...spaceValues(space), sha256, bytes, mediaType, publishedBy, now, key };
  await sql(
    `INSERT INTO substrate_artifact (project, environment, sha256, size, media_type, principal, published_at, content)
     VALUES (:projectId, :environment, :sha256, :bytes, :mediaType, :publishedBy, :now, :key)`,
    row,
  );
  await chargeRows(sql, space, { rows: [row], max });
  await sql('DELETE FROM substrate_upload WHERE content = :key', { key });
}

/** Removes an upload that is not complete, with its chunks. */
export async function removeUpload(sql: Sql, key: number): Promise<void> {
  const [row] = await sql(
    'DELETE FROM substrate_upload WHERE content = :key RETURNING project, environment, bytes',
    { key },
  );
  if (!row) return;
  await sql('DELETE FROM substrate_chunk WHERE content = :key', { key });
  const space = { projectId: text(row['project']), environment: text(row['environment']) };
  await charge(sql, space, { bytes: -Number(row['bytes']), max: 0 });
}

/** Removes uploads of processes that ended. @param before  ms since the epoch */
export async function removeOldUploads(sql: Sql, before: number): Promise<void> {
  const old = await sql('SELECT content FROM substrate_upload WHERE touched_at < :before', { before });
  for (const { content } of old) await removeUpload(sql, Number(content));
}

/** The row of an artifact; undefined for an unknown one. */
export async function artifactRow(sql: Sql, space: WorkSpace, sha256: string): Promise<SqlRow | undefined> {
  const statement = `SELECT * FROM substrate_artifact WHERE ${IN_SPACE} AND sha256 = :sha256`;
  const [row] = await sql(statement, { ...spaceValues(space), sha256 });
  return row;
}

export function artifactOf(row: SqlRow): StoredArtifact {
  return {
    sha256: text(row['sha256']),
    sizeBytes: Number(row['size']),
    mediaType: text(row['media_type']),
    publishedBy: text(row['principal']),
    publishedAt: Number(row['published_at']),
  };
}
