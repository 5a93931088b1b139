import { BackendUnavailableError } from '../../../core/errors.js';
import { beginLocked, type PostgresConnection } from '../../../engines/postgres/postgres-connection.js';
import { PostgresRefusal } from '../../../engines/postgres/postgres-failure.js';
import type { PostgresRow, RunSql } from '../../../engines/postgres/postgres-pool.js';
import { HAS_OTHER_COLUMNS, indexedRun } from '../../../engines/postgres/postgres-tables.js';
import { canonicalJson } from '../../../text/canonical-json.js';
import {
  chainLines,
  type LedgerEntry,
  type LedgerKeys,
  NO_LINE,
  signHead,
  type StoredLine,
} from '../ledger-chain.js';
import {
  type LedgerLine,
  type LedgerMark,
  type LedgerQuery,
  type LedgerVerification,
  MAX_LEDGER_LINES,
  type RunPage,
  type RunQuery,
} from '../ledger-line.js';
import { LedgerVerifier } from '../ledger-verifier.js';
import { checkpointAfter, type LedgerFailures, linesToRemove, trustedHead } from './continue-ledger.js';
import { LINE_COLUMNS, lineOf, storedLine, uncheckedHead, uncheckedLine } from './ledger-row.js';
import type { LedgerStore, Removal } from './ledger-store.js';
import { readPostgresRuns } from './postgres-ledger-runs.js';

/** Failures of the ledger in a database. @param place  the database, without credentials */
const failuresIn = (place: string): LedgerFailures => ({
  damaged: (why) =>
    new BackendUnavailableError(`The ledger in ${place} is damaged: ${why}.`, {
      reason: 'ledger_damaged',
      hint: 'Keep the tables for analysis and run: pith ledger verify. A new ledger starts once the schema "pith" is renamed.',
    }),
  otherSecret: () =>
    new BackendUnavailableError(`The ledger in ${place} was written with another server secret.`, {
      reason: 'ledger_other_secret',
      hint: 'Set PITH_SECRET to the secret of this ledger, the same on all replicas, or name another database in PITH_DATABASE or PITH_GOVERNANCE_DATABASE.',
    }),
});

const LOCK_NOT_AVAILABLE = '55P03';
const UNIQUE_VIOLATION = '23505';

/** Explains locks and duplicate numbers; returns other errors unchanged. */
function ledgerRefusal(place: string, error: unknown): unknown {
  const refusal = error instanceof BackendUnavailableError ? error.cause : null;
  if (!(refusal instanceof PostgresRefusal)) return error;
  if (refusal.state === UNIQUE_VIOLATION) return failuresIn(place).damaged('there are lines after its head');
  if (refusal.state !== LOCK_NOT_AVAILABLE) return error;
  return new BackendUnavailableError(`The ledger in ${place} is locked by another process.`, {
    reason: 'ledger_busy',
    hint: 'Try again in a moment.',
    cause: error,
  });
}

/** Lines that are read at once for verification. */
const PAGE = 5_000;

const HEAD = `SELECT seq, hash, signature, key_id, EXISTS (SELECT FROM pith.ledger_line) AS has_lines
  FROM (SELECT 1) AS one LEFT JOIN pith.ledger_head ON true`;
const BEGIN = `${beginLocked('ledger')};
  ${HEAD}`;
const WRITE = `WITH line AS (INSERT INTO pith.ledger_line (${LINE_COLUMNS})
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]))
  INSERT INTO pith.ledger_head (id, seq, hash, signature, key_id) VALUES (1, $6, $7, $8, $9)
  ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, signature = excluded.signature,
    key_id = excluded.key_id`;
const FIRST_LINES = `SELECT ${LINE_COLUMNS} FROM pith.ledger_line WHERE seq > $1 ORDER BY seq LIMIT $2`;
const CHECKED_LINES = `SELECT ${LINE_COLUMNS}, ${HAS_OTHER_COLUMNS} AS has_other_columns
  FROM pith.ledger_line WHERE seq > $1 ORDER BY seq LIMIT $2`;
const OF_RUN = `run = ${indexedRun('$4::text')}`;

export interface PostgresLedgerPlace {
  readonly connection: PostgresConnection;
  readonly keys: LedgerKeys;
  /** The database in messages, without credentials. */
  readonly name: string;
}

/** Lines of a transaction. If the connection breaks, it is not known whether they were stored. */
interface Attempt {
  readonly last: StoredLine;
  readonly entries: readonly LedgerEntry[];
}

/** A ledger in PostgreSQL. Each append reads the head and writes the new lines in one transaction, under a lock. */
export class PostgresLedgerStore implements LedgerStore {
  private readonly failures: LedgerFailures;
  private seen: LedgerMark = NO_LINE;
  /** The last attempt, until its result is known. */
  private unsure: Attempt | null = null;
  /** Entries that were stored by an attempt whose result was unknown. The ledger may send them again. */
  private readonly stored = new WeakSet<LedgerEntry>();

  constructor(private readonly place: PostgresLedgerPlace) {
    this.failures = failuresIn(place.name);
  }

  async append(entries: readonly LedgerEntry[]): Promise<void> {
    await this.write((run, head) => {
      const missing = entries.filter((entry) => !this.stored.has(entry));
      return this.writeLines(run, missing, head);
    });
  }

  async head(): Promise<LedgerMark | null> {
    const sql = 'SELECT seq, hash FROM pith.ledger_line ORDER BY seq DESC LIMIT 1';
    const [row] = await this.place.connection.read((run) => run(sql));
    return row ? { seq: Number(row['seq']), hash: String(row['hash']) } : null;
  }

  async lines({
    runId,
    after = 0,
    before = Number.MAX_SAFE_INTEGER,
    ...query
  }: LedgerQuery): Promise<LedgerLine[]> {
    const isNewest = query.from === 'newest';
    const sql = `SELECT ${LINE_COLUMNS} FROM pith.ledger_line
      WHERE ${runId === undefined ? '' : `${OF_RUN} AND`} seq > $1 AND seq < $2
      ORDER BY seq ${isNewest ? 'DESC' : 'ASC'} LIMIT $3`;
    const limit = Math.min(Math.max(1, query.limit), MAX_LEDGER_LINES);
    const ofRun = runId === undefined ? [] : [canonicalJson(runId)];
    const rows = await this.place.connection.read((run) => run(sql, [after, before, limit, ...ofRun]));
    return (isNewest ? rows.reverse() : rows).map((row) => lineOf(row, this.failures));
  }

  runs(query: RunQuery): Promise<RunPage> {
    return this.place.connection.read((run) => readPostgresRuns(run, query));
  }

  async remove({ before, limit, time }: Removal): Promise<number> {
    const { keys } = this.place;
    let removed = 0;
    await this.write(async (run, head) => {
      const lines = (await run(FIRST_LINES, [0, limit])).map(storedLine);
      const old = linesToRemove(lines, { before, keys }, this.failures);
      const through = old.at(-1);
      if (!through) return head;
      removed = old.length;
      const last = await this.writeLines(run, [checkpointAfter(through, time)], head);
      await run('SELECT pith.remove_ledger_lines($1)', [through.seq]);
      return last;
    });
    return removed;
  }

  verify(mark?: LedgerMark): Promise<LedgerVerification> {
    const { connection, keys } = this.place;
    return connection.snapshot(async (run) => {
      const [row] = await run('SELECT seq, hash, signature, key_id FROM pith.ledger_head');
      const verifier = new LedgerVerifier({ keys, head: uncheckedHead(row), mark });
      let page = run(CHECKED_LINES, [Number.MIN_SAFE_INTEGER, PAGE]);
      let other: unknown;
      for (let isGood = true; isGood;) {
        const rows = await page;
        const last = rows.at(-1);
        if (!last) break;
        // The next page is on its way while this one is checked.
        page = run(CHECKED_LINES, [last['seq'], PAGE]);
        isGood = rows.every((each) => verifier.add(uncheckedLine(each)));
        other ??= rows.find((each) => each['has_other_columns'] === true)?.['seq'];
      }
      await page;
      if (other !== undefined)
        verifier.reportFile(`the columns run or outcome of line ${String(other)} were changed`);
      return verifier.end();
    });
  }

  close(): Promise<void> {
    return this.place.connection.close();
  }

  /** Runs one transaction. @param work  returns the last line */
  private async write(work: (run: RunSql, head: LedgerMark) => Promise<LedgerMark>): Promise<void> {
    const { connection, name } = this.place;
    try {
      this.seen = await connection.write(BEGIN, async (run, [row]) => {
        const head = this.trustedHead(row);
        await this.settle(run);
        return work(run, head);
      });
    } catch (error) {
      throw ledgerRefusal(name, error);
    }
    this.unsure = null;
  }

  private trustedHead(row: PostgresRow | undefined): LedgerMark {
    const head = row?.['seq'] === null ? null : uncheckedHead(row);
    const hasOnlyLines = head === null && row?.['has_lines'] === true;
    return trustedHead({ head, hasOnlyLines, seen: this.seen }, this.place.keys, this.failures);
  }

  /** Finds out whether the last attempt was stored. The lock shows that it has ended. */
  private async settle(run: RunSql): Promise<void> {
    if (!this.unsure) return;
    const { last, entries } = this.unsure;
    const [row] = await run('SELECT hash FROM pith.ledger_line WHERE seq = $1', [last.seq]);
    if (row?.['hash'] === last.hash) for (const entry of entries) this.stored.add(entry);
    this.unsure = null;
  }

  private async writeLines(
    run: RunSql,
    entries: readonly LedgerEntry[],
    head: LedgerMark,
  ): Promise<LedgerMark> {
    const { keys } = this.place;
    const lines = chainLines(entries, head, keys);
    const last = lines.at(-1);
    if (!last) return head;
    const columns = (['seq', 'time', 'event', 'previous', 'hash'] as const).map((name) =>
      lines.map((line) => line[name]),
    );
    const { seq, hash, signature, keyId } = signHead(last, keys);
    await run(WRITE, [...columns, seq, hash, signature, keyId]);
    this.unsure = { last, entries };
    return last;
  }
}
