import { statSync } from 'node:fs';
import { closeStore } from '../../../sqlite/close-store.js';
import type { Database } from '../../../sqlite/driver.js';
import { transact } from '../../../sqlite/in-transaction.js';
import { canonicalJson } from '../../../text/canonical-json.js';
import { chainLines, type LedgerEntry, type LedgerKeys, NO_LINE, signHead } from '../ledger-chain.js';
import {
  type LedgerLine,
  type LedgerMark,
  type LedgerQuery,
  type LedgerRun,
  MAX_LEDGER_RUNS,
  MAX_SCOPED_LINES,
  type RunPage,
  type RunQuery,
} from '../ledger-line.js';
import { checkpointAfter, type LedgerFailures, linesToRemove, trustedHead } from './continue-ledger.js';
import { failuresOf, ledgerFailure } from './ledger-failures.js';
import { storedLine } from './ledger-row.js';
import { lastMark, readHead, readLines, readRows, writeHead, writeLines } from './ledger-rows.js';
import type { Removal } from './ledger-store.js';
import { OUTCOME } from './open-ledger-file.js';
import { outcomesIn, runWithin, shareOf } from './run-within.js';

/** Lines that one query looks at, so that lines to append need not wait for long. */
const LINES_AT_ONCE = 20_000;

/** The last lines of runs in a range of lines, newest first. A run id is stored as JSON. */
const LAST_LINES = `
  SELECT seq, time, run_id FROM line AS last WHERE seq >= ? AND seq < ? AND run_id <> 'null' AND NOT EXISTS
    (SELECT 1 FROM line WHERE run_id IS NOT NULL AND run_id = last.run_id AND seq > last.seq)
  ORDER BY seq DESC`;

const FIRST_LINE = `
  SELECT time, event ->> '$.principal' AS principal, event ->> '$.agent' AS agent FROM line
  WHERE run_id IS NOT NULL AND run_id = ? ORDER BY seq LIMIT 1`;

const OUTCOMES = `
  SELECT ${OUTCOME} AS outcome, count(*) AS calls FROM line
  WHERE run_id IS NOT NULL AND run_id = ? AND ${OUTCOME} IS NOT NULL GROUP BY 1`;

/** The lines of a run by scope and outcome. */
const SHARES = `
  SELECT CASE WHEN json_valid(event) THEN event -> '$.scope' END AS scope, ${OUTCOME} AS outcome, count(*) AS calls,
    min(time) AS started, max(time) AS ended
  FROM (SELECT time, event FROM line WHERE run_id IS NOT NULL AND run_id = ? ORDER BY seq DESC LIMIT ${MAX_SCOPED_LINES})
  GROUP BY 1, 2`;

type Row = Readonly<Record<string, unknown>>;

/** The first line that is not older than a time. Lines are ordered by time, within a few ms. */
function endBefore(database: Database, time: string): number {
  const at = database.prepare('SELECT seq, time FROM line WHERE seq >= ? ORDER BY seq LIMIT 1');
  const range = database.prepare('SELECT min(seq) AS first, max(seq) AS last FROM line').get();
  let [low, high] = [Number(range?.['first'] ?? 1), Number(range?.['last'] ?? 0) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (String(at.get(middle)?.['time']) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function outcomesOf(database: Database, run: string): LedgerRun['outcomes'] {
  const rows = database.prepare(OUTCOMES).all(run);
  return outcomesIn(rows.map(shareOf));
}

/** A run as far as its lines lie within the scope of the query. */
function seenRun(database: Database, run: LedgerRun, { scope, ...query }: RunQuery): LedgerRun | null {
  if (!scope) return run;
  const rows = database.prepare(SHARES).all(canonicalJson(run.runId));
  return runWithin(run, rows.map(shareOf), { ...query, scope });
}

/** The run that a last line belongs to; null if a filter excludes it. */
function runOf(database: Database, last: Row, query: RunQuery): LedgerRun | null {
  const run = String(last['run_id']);
  const { time, principal, agent } = database.prepare(FIRST_LINE).get(run) ?? {};
  if (query.principal !== undefined && principal !== query.principal) return null;
  if (query.agent !== undefined && agent !== query.agent) return null;
  const outcomes = outcomesOf(database, run);
  if (query.outcome !== undefined && outcomes[query.outcome] === undefined) return null;
  const whole = {
    runId: String(JSON.parse(run)),
    principal: String(principal ?? ''),
    agent: String(agent ?? ''),
    startedAt: String(time),
    endedAt: String(last['time']),
    lastSeq: Number(last['seq']),
    outcomes,
  };
  return seenRun(database, whole, query);
}

/** `seq` if a line before it is not older than `from`; null if there is no older page. */
function olderThan(database: Database, seq: number, from: string): number | null {
  const line = database.prepare('SELECT time FROM line WHERE seq < ? ORDER BY seq DESC LIMIT 1').get(seq);
  return line && String(line['time']) >= from ? seq : null;
}

function pageOf(database: Database, query: RunQuery): RunPage {
  const { from = '', until, before = Number.MAX_SAFE_INTEGER } = query;
  const limit = Math.min(Math.max(1, query.limit), MAX_LEDGER_RUNS);
  const newest = Number(database.prepare('SELECT max(seq) AS last FROM line').get()?.['last'] ?? 0);
  const end = Math.min(before, newest + 1, until === undefined ? Infinity : endBefore(database, until));
  const start = end - LINES_AT_ONCE;
  const runs: LedgerRun[] = [];
  for (const last of database.prepare(LAST_LINES).iterate(start, end)) {
    if (String(last['time']) < from) break;
    const run = runOf(database, last, query);
    if (run) runs.push(run);
    if (run && runs.length === limit) return { runs, older: olderThan(database, run.lastSeq, from) };
  }
  return { runs, older: olderThan(database, start, from) };
}

/** A page of runs, by their last line, newest first. */
function readRuns(database: Database, query: RunQuery): RunPage {
  // One state of the ledger, while other processes append.
  database.exec('BEGIN');
  try {
    return pageOf(database, query);
  } finally {
    database.exec('COMMIT');
  }
}

export interface LedgerPlace {
  readonly file: string;
  readonly keys: LedgerKeys;
  /** Opens the file, to write or only to read. */
  readonly open: (file: string) => Database;
  /** True if `verify` also checks the pages of the file. Nothing else runs in the thread meanwhile. */
  readonly checksFile?: boolean;
}

interface Removed {
  readonly removed: number;
  readonly last: LedgerMark;
}

/**
 * One ledger file. It may be open in several processes: each append reads the head and writes the new lines in one
 * transaction. If the file is moved away while it is open, it can't be used until the process starts anew.
 */
export class LedgerFile {
  private database: Database | null = null;
  private openedAs = '';
  /** The last line that this process has seen. A file without it is not the same ledger. */
  private seen: LedgerMark = NO_LINE;
  private readonly failures: LedgerFailures;

  constructor(private readonly place: LedgerPlace) {
    this.failures = failuresOf(place.file);
  }

  append(entries: readonly LedgerEntry[], isDurable: boolean): void {
    this.use((database) => {
      database.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
      this.seen = transact(database, () => this.write(database, entries));
    });
  }

  head(): LedgerMark | null {
    return this.use(lastMark);
  }

  lines(query: LedgerQuery): LedgerLine[] {
    return this.use((database) => readLines(database, this.place.file, query));
  }

  runs(query: RunQuery): RunPage {
    return this.use((database) => readRuns(database, query));
  }

  remove(removal: Removal): number {
    return this.use((database) => {
      database.exec('PRAGMA synchronous = FULL');
      const { removed, last } = transact(database, () => this.removeLines(database, removal));
      this.seen = last;
      return removed;
    });
  }

  close(): void {
    const { database } = this;
    this.database = null;
    if (database) closeStore(database);
  }

  private use<T>(work: (database: Database) => T): T {
    const { file } = this.place;
    try {
      return work(this.current());
    } catch (error) {
      throw ledgerFailure(file, error);
    }
  }

  /** The open database; reopened if its path has another file. */
  private current(): Database {
    const { file, open } = this.place;
    const identity = this.identity();
    if (this.database && identity === this.openedAs) return this.database;
    this.close();
    if (identity === '' && this.seen.seq > NO_LINE.seq) throw this.failures.damaged('the file is gone');
    this.database = open(file);
    this.openedAs = this.identity();
    return this.database;
  }

  private identity(): string {
    const seen = statSync(this.place.file, { throwIfNoEntry: false });
    return seen ? `${seen.dev}:${seen.ino}` : '';
  }

  private write(database: Database, entries: readonly LedgerEntry[]): LedgerMark {
    const { keys } = this.place;
    const head = this.trustedHead(database);
    if (entries.length === 0) return head;
    const lines = chainLines(entries, head, keys);
    writeLines(database, lines);
    const last = lines.at(-1) ?? head;
    writeHead(database, signHead(last, keys));
    return last;
  }

  private trustedHead(database: Database): LedgerMark {
    const { seen } = this;
    const head = readHead(database);
    const hasOnlyLines = !head && lastMark(database) !== null;
    return trustedHead({ head, hasOnlyLines, seen }, this.place.keys, this.failures);
  }

  private removeLines(database: Database, { before, limit, time }: Removal): Removed {
    const { keys } = this.place;
    const lines = readRows(database, 0, limit).map(storedLine);
    const old = linesToRemove(lines, { before, keys }, this.failures);
    const through = old.at(-1);
    if (!through) return { removed: 0, last: this.seen };
    const last = this.write(database, [checkpointAfter(through, time)]);
    database.prepare('DELETE FROM line WHERE seq <= ?').run(through.seq);
    return { removed: old.length, last };
  }
}
