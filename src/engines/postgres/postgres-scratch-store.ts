import {
  type KeptPassage,
  type Passage,
  type ScratchCounters,
  type ScratchOwner,
  ScratchStore,
  type StoredPassage,
} from '../../core/ports/scratch-store.port.js';
import { readKept, ScratchNames, SharedCounters } from '../scratch-records.js';
import { beginLocked, lockKey, type PostgresConnection } from './postgres-connection.js';
import type { PostgresRow, RunSql } from './postgres-pool.js';

/** Options of the scratch store in PostgreSQL. */
export interface PostgresScratchOptions {
  readonly connection: PostgresConnection;
  /** Lifetime of a passage after its last use. */
  readonly ttlMs: number;
  /** Limit for all passages of a project and environment, from all servers. */
  readonly maxBytes: number;
  /** The server's secret; names in the database are derived from it. All replicas need the same. */
  readonly secret: string;
  /** Called once, when the byte limit first causes evictions. */
  readonly onPressure: (counters: ScratchCounters) => void;
}

/** Bytes of a passage besides its record: its row, and its entries in three indexes. */
const OVERHEAD_BYTES = 512;

/**
 * Each space has a lock, so that servers of one project seldom wait for those of another: only while these remove what has
 * expired there. Servers of earlier versions have another lock and are not waited for. Names of spaces need no escapes.
 */
const begin = (space: string): string => beginLocked('passages', 'quarter', `'${space}'`);

/**
 * Removes expired passages of all projects, also of those that nobody uses any more, but not of those that are being
 * changed. The time stays the same within the statement, so that the index of `expires` serves it.
 */
const PRUNE = `
  WITH due AS (SELECT DISTINCT space FROM pith.passage WHERE expires <= statement_timestamp()),
    free AS MATERIALIZED (SELECT space FROM due WHERE pg_try_advisory_xact_lock(${lockKey('passages', 'space')})),
    gone AS (DELETE FROM pith.passage WHERE expires <= statement_timestamp() AND space IN (SELECT space FROM free)
      RETURNING space, bytes),
    sums AS (SELECT space, count(*) AS passages, sum(bytes) AS bytes FROM gone GROUP BY space)
  UPDATE pith.passage_space AS kept
  SET passages = kept.passages - sums.passages, bytes = kept.bytes - sums.bytes
  FROM sums WHERE kept.space = sums.space RETURNING kept.space, sums.passages AS expired`;

/** Passages of one statement differ in their last use by microseconds. Those that exist keep their time of creation. */
const PUT = `
  WITH given AS (SELECT * FROM unnest($3::text[], $4::text[], $5::text[])
      WITH ORDINALITY AS each (name, created, record, place)),
    before AS (SELECT count(*) AS passages, coalesce(sum(bytes), 0) AS bytes
      FROM pith.passage JOIN given USING (name)),
    kept AS (INSERT INTO pith.passage (name, space, session, created, record, bytes, expires)
      SELECT name, $1, $2, created, given.record, octet_length(given.record) + ${OVERHEAD_BYTES},
        clock_timestamp() + $6 * interval '1 ms' + place * interval '1 microsecond' FROM given
      ON CONFLICT (name) DO UPDATE
      SET record = excluded.record, bytes = excluded.bytes, expires = excluded.expires RETURNING bytes)
  INSERT INTO pith.passage_space AS total (space, passages, bytes)
  SELECT $1, (SELECT count(*) FROM kept) - passages, (SELECT sum(bytes) FROM kept) - bytes FROM before
  ON CONFLICT (space) DO UPDATE
  SET passages = total.passages + excluded.passages, bytes = total.bytes + excluded.bytes`;

/** Passages that one statement evicts at most. */
const MAX_EVICTED = 250;

/** Evicts those that were used longest ago, until some bytes are free. */
const EVICT = `
  WITH oldest AS (SELECT name, sum(bytes) OVER (ORDER BY expires, name) - bytes AS freed FROM pith.passage
      WHERE space = $1 ORDER BY expires, name LIMIT ${MAX_EVICTED}),
    gone AS (DELETE FROM pith.passage USING oldest
      WHERE passage.name = oldest.name AND freed < $2 RETURNING passage.bytes),
    sums AS (SELECT count(*) AS passages, coalesce(sum(bytes), 0) AS bytes FROM gone)
  UPDATE pith.passage_space AS kept
  SET passages = kept.passages - sums.passages, bytes = kept.bytes - sums.bytes
  FROM sums WHERE space = $1 RETURNING sums.passages AS evicted`;

const TOTALS = 'SELECT passages, bytes FROM pith.passage_space WHERE space = $1';

const GET = `UPDATE pith.passage SET expires = clock_timestamp() + $2 * interval '1 ms'
  WHERE name = $1 AND expires > clock_timestamp() RETURNING created, record`;

const LIST = `SELECT created, record, extract(epoch FROM expires - clock_timestamp())::float8 AS left_s
  FROM pith.passage WHERE session = $1 ORDER BY expires DESC, name LIMIT $2`;

const keptOf = (row: PostgresRow | undefined): KeptPassage | null =>
  row ? readKept(String(row['record']), String(row['created'])) : null;

async function readTotals(run: RunSql, space: string) {
  const [row] = await run(TOTALS, [space]);
  return { passages: Number(row?.['passages'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) };
}

async function prune(run: RunSql, space: string): Promise<number> {
  const rows = await run(PRUNE);
  return Number(rows.find((row) => row['space'] === space)?.['expired'] ?? 0);
}

async function evict(run: RunSql, space: string, maxBytes: number): Promise<number> {
  for (let evictions = 0; ;) {
    const { bytes } = await readTotals(run, space);
    if (bytes <= maxBytes) return evictions;
    const [row] = await run(EVICT, [space, bytes - maxBytes]);
    const evicted = Number(row?.['evicted'] ?? 0);
    if (evicted === 0) return evictions;
    evictions += evicted;
  }
}

/**
 * Stores passages in PostgreSQL, shared by all replicas of a server. They expire by the clock of the database, and are
 * evicted least recently used first when the byte limit is exceeded. The tables are not logged: after a crash of the
 * database they are empty.
 */
export class PostgresScratchStore extends ScratchStore {
  private readonly names: ScratchNames;
  private readonly shared: SharedCounters;

  constructor(private readonly options: PostgresScratchOptions) {
    super();
    this.names = new ScratchNames(options.secret);
    this.shared = new SharedCounters(options.onPressure);
  }

  async put(owner: ScratchOwner, passages: readonly KeptPassage[]): Promise<void> {
    if (passages.length === 0) return;
    const { ttlMs, maxBytes } = this.options;
    const space = this.names.space(owner);
    // JSON escapes what texts of PostgreSQL can't have: NUL and lone surrogates.
    const records = [...new Map(passages.map((kept) => [this.names.passage(owner, kept.id), kept]))];
    const values = [
      records.map(([name]) => name),
      records.map(([, { passage }]) => passage.createdAt),
      records.map(([, kept]) => JSON.stringify(kept)),
    ];
    await this.change(space, async (run) => {
      await run(PUT, [space, this.names.session(owner), ...values, ttlMs]);
      return evict(run, space, maxBytes);
    });
  }

  get(owner: ScratchOwner, id: string): Promise<Passage | null> {
    const values = [this.names.passage(owner, id), this.options.ttlMs];
    return this.options.connection.read(async (run) => keptOf((await run(GET, values))[0])?.passage ?? null);
  }

  async list(owner: ScratchOwner, limit: number): Promise<StoredPassage[]> {
    const listed: StoredPassage[] = [];
    await this.change(this.names.space(owner), async (run) => {
      for (const row of await run(LIST, [this.names.session(owner), limit])) {
        const kept = keptOf(row);
        if (kept) listed.push({ ...kept, expiresInS: Math.ceil(Number(row['left_s'])) });
      }
      return 0;
    });
    return listed;
  }

  counters(): ScratchCounters {
    return this.shared.known;
  }

  async check(): Promise<void> {
    await this.options.connection.read((run) => run('SELECT'));
  }

  close(): Promise<void> {
    return this.options.connection.close();
  }

  /** Removes what has expired, then changes the passages of a space. @param work  returns the number of evictions */
  private async change(space: string, work: (run: RunSql) => Promise<number>): Promise<void> {
    const report = await this.options.connection.write(begin(space), async (run) => ({
      expirations: await prune(run, space),
      evictions: await work(run),
      ...(await readTotals(run, space)),
    }));
    this.shared.add(report);
  }
}
