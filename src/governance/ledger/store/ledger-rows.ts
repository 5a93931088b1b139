import type { Database } from '../../../sqlite/driver.js';
import { canonicalJson } from '../../../text/canonical-json.js';
import type { StoredHead, StoredLine } from '../ledger-chain.js';
import {
  type LedgerLine,
  type LedgerMark,
  type LedgerQuery,
  type LedgerRun,
  MAX_LEDGER_LINES,
  MAX_LEDGER_RUNS,
  MAX_SCOPED_LINES,
  type RunPage,
  type RunQuery,
} from '../ledger-line.js';
import type { UncheckedHead } from '../ledger-verifier.js';
import { failuresOf } from './ledger-failures.js';
import { type LedgerRow, LINE_COLUMNS, lineOf, uncheckedHead } from './ledger-row.js';
import { OUTCOME } from './open-ledger-file.js';
import { outcomesIn, runWithin, shareOf } from './run-within.js';

/** Reads the head without checking its signature. @returns null for an empty ledger */
export function readHead(database: Database): UncheckedHead | null {
  return uncheckedHead(database.prepare('SELECT seq, hash, signature, key_id FROM head').get());
}

/** Replaces the head. */
export function writeHead(database: Database, { seq, hash, signature, keyId }: StoredHead): void {
  database
    .prepare('INSERT OR REPLACE INTO head (id, seq, hash, signature, key_id) VALUES (1, ?, ?, ?, ?)')
    .run(seq, hash, signature, keyId);
}

/** The last line; null for an empty ledger. */
export function lastMark(database: Database): LedgerMark | null {
  const row = database.prepare('SELECT seq, hash FROM line ORDER BY seq DESC LIMIT 1').get();
  return row ? { seq: Number(row['seq']), hash: String(row['hash']) } : null;
}

/** Appends lines. */
export function writeLines(database: Database, lines: readonly StoredLine[]): void {
  const insert = database.prepare(`INSERT INTO line (${LINE_COLUMNS}) VALUES (?, ?, ?, ?, ?)`);
  for (const { seq, time, event, previous, hash } of lines) insert.run(seq, time, event, previous, hash);
}

/** The first rows after a sequence number. */
export function readRows(database: Database, after: number, limit: number): LedgerRow[] {
  return database
    .prepare(`SELECT ${LINE_COLUMNS} FROM line WHERE seq > ? ORDER BY seq LIMIT ?`)
    .all(after, limit);
}

/** Lines of a query, ascending. @throws BackendUnavailableError `ledger_damaged` */
export function readLines(database: Database, file: string, query: LedgerQuery): LedgerLine[] {
  const { runId, after = 0, before = Number.MAX_SAFE_INTEGER, from, limit } = query;
  const isNewest = from === 'newest';
  const rows = database
    .prepare(
      `SELECT ${LINE_COLUMNS} FROM line WHERE ${runId === undefined ? '' : 'run_id = ? AND'} seq > ? AND seq < ?
       ORDER BY seq ${isNewest ? 'DESC' : 'ASC'} LIMIT ?`,
    )
    .all(
      ...(runId === undefined ? [] : [canonicalJson(runId)]),
      after,
      before,
      Math.min(Math.max(1, limit), MAX_LEDGER_LINES),
    );
  return (isNewest ? rows.reverse() : rows).map((row) => lineOf(row, failuresOf(file)));
}

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
function runOf(database: Database, last: LedgerRow, query: RunQuery): LedgerRun | null {
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
export function readRuns(database: Database, query: RunQuery): RunPage {
  // One state of the ledger, while other processes append.
  database.exec('BEGIN');
  try {
    return pageOf(database, query);
  } finally {
    database.exec('COMMIT');
  }
}
