import type { PostgresRow, RunSql } from '../../../engines/postgres/postgres-pool.js';
import { jsonText } from '../../../engines/postgres/postgres-tables.js';
import { canonicalJson } from '../../../text/canonical-json.js';
import { readEvent } from '../event-text.js';
import {
  type LedgerRun,
  MAX_LEDGER_RUNS,
  MAX_SCOPED_LINES,
  type RunPage,
  type RunQuery,
} from '../ledger-line.js';
import { outcomesIn, runWithin, shareOf } from './run-within.js';

/** Lines that one query looks at. */
const LINES_AT_ONCE = 20_000;

/** One state of the ledger, while other processes append. */
const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SELECT coalesce(min(seq), 1) AS first, coalesce(max(seq), 0) AS last FROM pith.ledger_line`;

/**
 * Runs whose last line is in a range of lines, newest first. Each part is looked up in an index, run by run, so that
 * the time does not depend on the statistics of the database.
 */
const RUNS = `
  WITH used AS (SELECT run, max(seq) AS seq FROM pith.ledger_line
    WHERE seq >= $1 AND seq < $2 AND run IS NOT NULL GROUP BY run),
  page AS (SELECT used.run, used.seq, last.time, first.time AS started, first.event FROM used
    CROSS JOIN LATERAL (SELECT seq, time FROM pith.ledger_line WHERE run = used.run ORDER BY seq DESC LIMIT 1) AS last
    CROSS JOIN LATERAL (SELECT time, event FROM pith.ledger_line WHERE run = used.run ORDER BY seq LIMIT 1) AS first
    WHERE last.seq = used.seq AND last.time >= $3
      AND ($4::text IS NULL OR ${jsonText('principal')} = $4)
      AND ($5::text IS NULL OR ${jsonText('agent')} = $5)
      AND ($6::text IS NULL OR
        (SELECT true FROM pith.ledger_line WHERE run = used.run AND outcome = $6 LIMIT 1) IS NOT NULL)
    ORDER BY used.seq DESC LIMIT $7)
  SELECT page.*, (SELECT json_object_agg(outcome, calls) FROM
    (SELECT outcome, count(*)::int AS calls FROM pith.ledger_line
      WHERE run = page.run AND outcome IS NOT NULL GROUP BY outcome) AS counted) AS outcomes
  FROM page ORDER BY seq DESC`;

/** The lines of runs by scope and outcome. Texts are skipped as a whole, because they may contain braces. */
const SHARES = String.raw`
  SELECT line.run, substring(event from '"scope":(\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})') AS scope, outcome,
    count(*)::int AS calls, min(time) AS started, max(time) AS ended
  FROM unnest($1::text[]) AS asked (run) CROSS JOIN LATERAL (SELECT run, time, event, outcome FROM pith.ledger_line
    WHERE run = asked.run ORDER BY seq DESC LIMIT ${MAX_SCOPED_LINES}) AS line
  GROUP BY 1, 2, 3`;

/** The first line that is not older than a time. Lines are ordered by time, within a few ms. */
async function endBefore(run: RunSql, time: string, range: PostgresRow | undefined): Promise<number> {
  let [low, high] = [Number(range?.['first']), Number(range?.['last']) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [line] = await run('SELECT time FROM pith.ledger_line WHERE seq >= $1 ORDER BY seq LIMIT 1', [
      middle,
    ]);
    if (String(line?.['time']) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The run of a row; null if its first line was changed and can't be read. */
function runOf({ seq, time, started, event: text, outcomes }: PostgresRow): LedgerRun | null {
  const event = readEvent(String(text));
  if (!event || !('run_id' in event)) return null;
  return {
    runId: String(event.run_id),
    principal: event.principal,
    agent: event.agent,
    startedAt: String(started),
    endedAt: String(time),
    lastSeq: Number(seq),
    outcomes: outcomesIn(
      Object.entries(Object(outcomes)).map(([outcome, calls]) => shareOf({ outcome, calls })),
    ),
  };
}

/** `seq` if a line before it is not older than `from`; null if there is no older page. */
async function olderThan(run: RunSql, seq: number, from: string): Promise<number | null> {
  const [line] = await run('SELECT time FROM pith.ledger_line WHERE seq < $1 ORDER BY seq DESC LIMIT 1', [
    seq,
  ]);
  return line && String(line['time']) >= from ? seq : null;
}

/** The runs of rows, as far as their lines lie within the scope of the query. */
async function runsOf(
  run: RunSql,
  rows: readonly PostgresRow[],
  { scope, ...query }: RunQuery,
): Promise<LedgerRun[]> {
  if (!scope) return rows.flatMap((row) => runOf(row) ?? []);
  const shares = await run(SHARES, [rows.map((row) => row['run'])]);
  return rows.flatMap((row) => {
    const whole = runOf(row);
    const own = shares.filter((share) => share['run'] === row['run']);
    return (whole && runWithin(whole, own.map(shareOf), { ...query, scope })) ?? [];
  });
}

const asJson = (text: string | undefined): string | null => (text === undefined ? null : canonicalJson(text));

/** A page of runs, by their last line, newest first. @param run  on a connection without a transaction */
export async function readPostgresRuns(run: RunSql, query: RunQuery): Promise<RunPage> {
  const { from = '', until, before = Number.MAX_SAFE_INTEGER, principal, agent, outcome = null } = query;
  const limit = Math.min(Math.max(1, query.limit), MAX_LEDGER_RUNS);
  const [range] = await run(BEGIN);
  const untilSeq = until === undefined ? Infinity : await endBefore(run, until, range);
  const end = Math.min(before, Number(range?.['last']) + 1, untilSeq);
  const start = end - LINES_AT_ONCE;
  const rows = await run(RUNS, [start, end, from, asJson(principal), asJson(agent), outcome, limit]);
  const isFull = rows.length === limit;
  const older = await olderThan(run, isFull ? Number(rows.at(-1)?.['seq']) : start, from);
  const runs = await runsOf(run, rows, query);
  await run('COMMIT');
  return { runs, older };
}
