import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { IndexOwner } from '../../sqlite/index-file.js';
import type { PostgresConnection } from './postgres-connection.js';
import type { RunSql } from './postgres-pool.js';

/** A few pages of SQLite. Smaller ones send less for a changed page, and cost more rows. */
const BLOCK_BYTES = 8_192;
/** Blocks of one statement. */
const BATCH = 512;

/** A stored version of an index file; its number is 0 before the first one. */
export interface FileVersion {
  readonly version: number;
  /** In bytes. */
  readonly size: number;
  readonly sha256: string;
}

/** The stored version that a file is a copy of, or was made from. */
export type FileBase = Omit<FileVersion, 'size'>;

export const isSameVersion = (a: FileBase, b: FileBase): boolean =>
  a.version === b.version && a.sha256 === b.sha256;

/** An index file of the database: the one of a project and environment, or that of a named corpus. */
export interface IndexFileName extends IndexOwner {
  readonly name: string;
}

/** Called with numbers of blocks. */
export type OnBlocks = (progress: { readonly done: number; readonly total: number }) => void;

const FILE = 'project = $1 AND environment = $2 AND name = $3';
const VERSION = `SELECT version, size, sha256 FROM pith.index_file WHERE ${FILE}`;
const RESERVE = `INSERT INTO pith.index_file VALUES ($1, $2, $3, 0, 0, '') ON CONFLICT DO NOTHING`;
const HASHES = `SELECT number, sha256 FROM pith.index_block WHERE ${FILE} AND number >= $4 AND number < $5`;
const PUT = `INSERT INTO pith.index_block (project, environment, name, version, number, sha256, bytes)
  SELECT $1, $2, $3, $4, * FROM unnest($5::bigint[], $6::text[], $7::bytea[])
  ON CONFLICT (project, environment, name, number)
  DO UPDATE SET version = excluded.version, sha256 = excluded.sha256, bytes = excluded.bytes`;
const CUT = `DELETE FROM pith.index_block WHERE ${FILE} AND number >= $4`;
const SET = `UPDATE pith.index_file SET version = $4, size = $5, sha256 = $6 WHERE ${FILE}`;
const CHANGED = `SELECT number, bytes FROM pith.index_block WHERE ${FILE} AND version > $4 AND number > $5 AND number < $6
  AND octet_length(bytes) <= ${BLOCK_BYTES} ORDER BY number LIMIT ${BATCH}`;

const NONE: FileVersion = { version: 0, size: 0, sha256: '' };

const blocksIn = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES);
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const keyValues = ({ projectId, environment, name }: IndexFileName) => [projectId, environment, name];

async function readVersion(run: RunSql, file: IndexFileName, lock = ''): Promise<FileVersion> {
  const [row] = await run(VERSION + lock, keyValues(file));
  if (!row) return NONE;
  return { version: Number(row['version']), size: Number(row['size']), sha256: String(row['sha256']) };
}

/** Reads a file in parts of BATCH blocks. */
async function* readParts(
  file: FileHandle,
): AsyncGenerator<{ readonly first: number; readonly bytes: Buffer }> {
  for (let first = 0; ; first += BATCH) {
    const bytes = Buffer.alloc(BATCH * BLOCK_BYTES);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, first * BLOCK_BYTES);
    if (bytesRead === 0) return;
    yield { first, bytes: bytes.subarray(0, bytesRead) };
  }
}

/** Writes the blocks of a part that differ from the stored ones. */
async function storePart(
  run: RunSql,
  key: readonly unknown[],
  { version, first, bytes }: { readonly version: number; readonly first: number; readonly bytes: Buffer },
): Promise<void> {
  const stored = await run(HASHES, [...key, first, first + BATCH]);
  const known = new Map(stored.map((row) => [Number(row['number']), row['sha256']]));
  const blocks = Array.from({ length: blocksIn(bytes.length) }, (_, at) => {
    const block = bytes.subarray(at * BLOCK_BYTES, (at + 1) * BLOCK_BYTES);
    return { number: first + at, sha256: digest(block), block };
  }).filter(({ number, sha256 }) => known.get(number) !== sha256);
  if (blocks.length === 0) return;
  const columns = [
    blocks.map(({ number }) => number),
    blocks.map(({ sha256 }) => sha256),
    blocks.map(({ block }) => block),
  ];
  await run(PUT, [...key, version, ...columns]);
}

/** The newest file of the project that another version of Pith stored. */
const EARLIER = `SELECT name FROM pith.index_file WHERE project = $1 AND environment = $2 AND name <> $3 AND version > 0
  AND name LIKE 'index %' ORDER BY string_to_array(substr(name, 7), '.')::int[] DESC LIMIT 1`;

/** Indexes of corpora that no corpus has, because it is not named yet, or because the server that built it was killed. */
const WITHOUT_NAME = `name LIKE 'corpus %'
  AND NOT EXISTS (SELECT FROM pith.knowledge_corpus WHERE id = substr(index_file.name, 8))`;
const UNNAMED = `SELECT substr(name, 8) AS id FROM pith.index_file WHERE ${WITHOUT_NAME}`;
const REMOVE = `DELETE FROM pith.index_file WHERE name = $1 AND ${WITHOUT_NAME} RETURNING project, environment`;

/**
 * Index files in PostgreSQL. A file is stored in blocks, so a changed file costs its changed blocks, for the one that stores it
 * and for those that load it. Readers of the database see one version or the next.
 */
export class PostgresIndexFiles {
  constructor(private readonly connection: PostgresConnection) {}

  version(file: IndexFileName): Promise<FileVersion> {
    return this.connection.read((run) => readVersion(run, file));
  }

  /** The newest file that another version of Pith stored for the project; null if there is none. */
  async earlier(file: IndexFileName): Promise<IndexFileName | null> {
    const [row] = await this.connection.read((run) => run(EARLIER, keyValues(file)));
    return row ? { ...file, name: String(row['name']) } : null;
  }

  /**
   * Stores a file as the version after its base. A file that is equal to its base gets no number.
   * @returns the version that the database has then; null, and nothing is stored, if it has another one than the base already
   */
  async store(
    file: IndexFileName,
    { path, base }: { readonly path: string; readonly base: FileBase },
    onBlocks: OnBlocks,
  ): Promise<FileVersion | null> {
    const key = keyValues(file);
    const handle = await open(path);
    try {
      const { size } = await handle.stat();
      return await this.connection.alone('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE', async (run) => {
        await run(RESERVE, key);
        const stored = await readVersion(run, file, ' FOR UPDATE');
        if (stored.version > 0 && !isSameVersion(stored, base)) return null;
        const number = stored.version + 1;
        const hash = createHash('sha256');
        for await (const { first, bytes } of readParts(handle)) {
          hash.update(bytes);
          await storePart(run, key, { version: number, first, bytes });
          onBlocks({ done: first + blocksIn(bytes.length), total: blocksIn(size) });
        }
        const next: FileVersion = { version: number, size, sha256: hash.digest('hex') };
        if (next.sha256 === stored.sha256) return stored;
        await run(CUT, [...key, blocksIn(size)]);
        await run(SET, [...key, next.version, size, next.sha256]);
        return next;
      });
    } finally {
      await handle.close();
    }
  }

  /**
   * Changes a file that has the version `since` into the stored version.
   * @param since  0 for an empty file
   */
  async load(
    file: IndexFileName,
    { path, since }: { readonly path: string; readonly since: number },
  ): Promise<FileVersion> {
    const key = keyValues(file);
    const handle = await open(path, 'r+');
    try {
      const version = await this.connection.snapshot(async (run) => {
        const stored = await readVersion(run, file);
        for (let last = -1; ;) {
          const rows = await run(CHANGED, [...key, since, last, blocksIn(stored.size)]);
          for (const row of rows) {
            last = Number(row['number']);
            await handle.write(row['bytes'] as Buffer, 0, null, last * BLOCK_BYTES);
          }
          if (rows.length < BATCH) return stored;
        }
      });
      await handle.truncate(version.size);
      await handle.sync();
      return version;
    } finally {
      await handle.close();
    }
  }

  /** Ids of stored indexes of named corpora that have no name now. */
  async unnamedCorpora(): Promise<string[]> {
    return (await this.connection.read((run) => run(UNNAMED))).map(({ id }) => String(id));
  }

  /** Removes the index of a corpus that has no name now, in all projects; ids of corpora are unique. */
  remove(name: string): Promise<void> {
    return this.connection.alone('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE', async (run) => {
      const files = await run(REMOVE, [name]);
      for (const { project, environment } of files)
        await run(`DELETE FROM pith.index_block WHERE ${FILE}`, [project, environment, name]);
    });
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
