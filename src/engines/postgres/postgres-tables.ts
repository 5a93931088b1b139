import { BackendUnavailableError } from '../../core/errors.js';
import { beginLocked } from './postgres-connection.js';
import { PostgresRefusal } from './postgres-failure.js';
import type { RunSql } from './postgres-pool.js';
import {
  APPROVAL_TABLES,
  DEFINITION_TABLES,
  PIN_TABLES,
  QUESTION_TABLES,
  SPACE,
  SUMMARY_TABLES,
  WORK_TABLES,
} from './shared-tables.js';

/** Longest run that an index holds whole (characters of JSON); index entries are limited to 2,700 bytes. */
const MAX_INDEXED = 600;

/** SQL: a run, as JSON, in the form of the column `run`: a long one is its beginning and its hash. */
export const indexedRun = (run: string): string =>
  `CASE WHEN length(${run}) > ${MAX_INDEXED} THEN left(${run}, ${MAX_INDEXED - 32}) || md5(${run}) ELSE ${run} END`;

/** SQL: a text of an event, as JSON; null if it has none with this name. */
export const jsonText = (name: string): string =>
  String.raw`substring(event from '"${name}":("(?:[^"\\]|\\.)*")')`;

/**
 * Columns for queries, computed from the event, which the hash covers. PostgreSQL's JSON functions refuse some escapes
 * that our events may have. Quotes in texts are escaped, so names are found as names only.
 */
const RUN = indexedRun(jsonText('run_id'));
const OUTCOME = `substring(event from '"outcome":"([a-z_]+)"')`;
const QUERY_COLUMNS = `run text COLLATE "C" GENERATED ALWAYS AS (${RUN}) STORED,
    outcome text COLLATE "C" GENERATED ALWAYS AS (${OUTCOME}) STORED`;

/**
 * SQL: true for lines whose columns occur in the event as they are: those of nearly all lines. Regular expressions would
 * make verification several times slower.
 */
const HAS_PLAIN_COLUMNS = String.raw`CASE WHEN run IS NULL THEN strpos(event, '"run_id":"') = 0
    ELSE run LIKE '"%' AND strpos(substr(run, 2), '"') = length(run) - 1 AND strpos(run, '\') = 0
      AND length(run) <= ${MAX_INDEXED} AND strpos(event, '"run_id":' || run) > 0 END
  AND CASE WHEN outcome IS NULL THEN strpos(event, '"outcome":"') = 0
    ELSE strpos(outcome, '"') = 0 AND strpos(event, '"outcome":"' || outcome || '"') > 0 END`;

/** SQL: true for a line whose computed columns are not those of its event. An owner can turn the computation off. */
export const HAS_OTHER_COLUMNS = `CASE WHEN ${HAS_PLAIN_COLUMNS} THEN false
  ELSE run IS DISTINCT FROM ${RUN} OR outcome IS DISTINCT FROM ${OUTCOME} END`;

/** Retention removes lines with this function: its callers can remove only lines that a checkpoint accounts for. */
const REMOVE_LINES = `
  CREATE FUNCTION pith.remove_ledger_lines(through bigint) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog SET pith.removes_lines = 'on' AS $$
    DELETE FROM pith.ledger_line WHERE seq <= through AND EXISTS (
      SELECT FROM pith.ledger_line WHERE seq = (SELECT max(seq) FROM pith.ledger_line) AND seq > through
        AND event LIKE '{"hash":"%","removed_through":' || through || ',"type":"checkpoint"}')
  $$;
  REVOKE ALL ON FUNCTION pith.remove_ledger_lines(bigint) FROM PUBLIC;`;

/**
 * Refuses all other changes of lines, for the owner of the tables too. It prevents mistakes: an owner can remove the
 * trigger. Verification shows what was changed then.
 */
const KEEP_LINES = `
  CREATE FUNCTION pith.keep_ledger_lines() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog AS $$ BEGIN
    IF TG_OP = 'DELETE' AND current_setting('pith.removes_lines', true) = 'on' THEN RETURN NULL; END IF;
    RAISE EXCEPTION 'lines of the ledger of Pith are not changed' USING ERRCODE = 'insufficient_privilege',
      HINT = 'Retention removes old lines: set PITH_LEDGER_RETENTION_DAYS.';
  END $$;
  CREATE TRIGGER keep_ledger_lines BEFORE UPDATE OR DELETE OR TRUNCATE ON pith.ledger_line
    FOR EACH STATEMENT EXECUTE FUNCTION pith.keep_ledger_lines();`;

const LEDGER_TABLES = `
  CREATE TABLE pith.ledger_line (seq bigint PRIMARY KEY, time text COLLATE "C" NOT NULL,
    event text COLLATE "C" NOT NULL, previous text COLLATE "C" NOT NULL, hash text COLLATE "C" NOT NULL,
    ${QUERY_COLUMNS});
  CREATE INDEX ledger_line_run ON pith.ledger_line (run, seq) INCLUDE (outcome) WHERE run IS NOT NULL;
  CREATE TABLE pith.ledger_head (id integer PRIMARY KEY CHECK (id = 1), seq bigint NOT NULL, hash text NOT NULL,
    signature text NOT NULL, key_id text NOT NULL);
  ${REMOVE_LINES}
  ${KEEP_LINES}`;

/** Passages, and their sums by project and environment. They are not logged, since a loss costs a repeated question. */
const PASSAGE_TABLES = `
  CREATE UNLOGGED TABLE pith.passage (name text COLLATE "C" PRIMARY KEY, space text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL, created text NOT NULL, record text NOT NULL, bytes bigint NOT NULL,
    expires timestamptz NOT NULL);
  CREATE INDEX passage_expires ON pith.passage (expires);
  CREATE INDEX passage_session ON pith.passage (session, expires);
  CREATE UNLOGGED TABLE pith.passage_space (space text COLLATE "C" PRIMARY KEY, passages bigint NOT NULL,
    bytes bigint NOT NULL);`;

/** Index files in blocks, each with the version of the file that last changed it. */
const INDEX_FILE_TABLES = `
  CREATE TABLE pith.index_file (${SPACE}, name text COLLATE "C", version bigint NOT NULL, size bigint NOT NULL,
    sha256 text NOT NULL, PRIMARY KEY (project, environment, name));
  CREATE TABLE pith.index_block (${SPACE}, name text COLLATE "C", number bigint, version bigint NOT NULL,
    sha256 text NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (project, environment, name, number));`;

const SHARED_TABLES = `${SUMMARY_TABLES} ${PASSAGE_TABLES} ${INDEX_FILE_TABLES}`;

/** The tables of the work database. */
export const WORK_TABLE_NAMES: readonly string[] = Array.from(
  `${WORK_TABLES} ${QUESTION_TABLES} ${SHARED_TABLES}`.matchAll(/CREATE (?:UNLOGGED )?TABLE pith\.(\w+)/g),
  ([, name = '']) => name,
);

/**
 * Statements that lead from each version of the tables to the next; the first ones lead from an empty database to
 * version 1. Released steps never change. A step runs within the time limit of a request, while servers of the version
 * before may still run.
 */
const STEPS: readonly string[] = [
  `CREATE SCHEMA IF NOT EXISTS pith;
  CREATE TABLE pith.version (number integer NOT NULL);
  INSERT INTO pith.version VALUES (1);
  ${LEDGER_TABLES}
  ${APPROVAL_TABLES}
  ${PIN_TABLES}`,
  DEFINITION_TABLES,
  WORK_TABLES,
  QUESTION_TABLES,
  SHARED_TABLES,
];

const VERSION = STEPS.length;

const versionWords = (version: unknown): string =>
  `The governance database has the format version ${String(version)}; this Pith uses version ${VERSION}.`;

function incompatible(version: unknown): BackendUnavailableError {
  return new BackendUnavailableError(versionWords(version), {
    reason: 'governance_database_incompatible',
    hint: 'Use the version of Pith that wrote the tables, or a later one, or name another database in PITH_DATABASE or PITH_GOVERNANCE_DATABASE.',
  });
}

function outdated(version: number, cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError(versionWords(version), {
    reason: 'governance_database_outdated',
    hint: 'Start a server once with the owner of the tables in PITH_DATABASE or PITH_GOVERNANCE_DATABASE: it migrates them and keeps their contents.',
    cause,
  });
}

function tablesMissing(): BackendUnavailableError {
  return new BackendUnavailableError('The governance database has no tables of Pith.', {
    reason: 'ledger_missing',
    hint: 'Servers create them when they need them. Check that PITH_DATABASE or PITH_GOVERNANCE_DATABASE names the right database.',
  });
}

/** Reads the catalogue itself: names may be cached, and an advisory lock does not refresh them. */
const HAS_VERSION = `SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = 'pith' AND relname = 'version'`;

/** The version of the tables; 0 if there are none. @throws BackendUnavailableError `governance_database_incompatible` */
async function storedVersion(run: RunSql): Promise<number> {
  const [found] = await run(HAS_VERSION);
  if (found === undefined) return 0;
  const [row] = await run('SELECT number FROM pith.version');
  const version = Number(row?.['number'] ?? 0);
  if (version < 1 || version > VERSION) throw incompatible(row?.['number']);
  return version;
}

/**
 * True if the tables exist, in this version.
 * @throws BackendUnavailableError `governance_database_incompatible`, `governance_database_outdated`
 */
export async function hasTables(run: RunSql): Promise<boolean> {
  const version = await storedVersion(run);
  if (version > 0 && version < VERSION) throw outdated(version);
  return version > 0;
}

/** Checks the version of the tables. @throws BackendUnavailableError `ledger_missing`, and as `hasTables` */
export async function requireTables(run: RunSql): Promise<void> {
  if (!(await hasTables(run))) throw tablesMissing();
}

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Creates the tables, or migrates those of an older version in one transaction. If they have this version, the right to
 * read is enough.
 * @throws BackendUnavailableError as `hasTables`
 */
export async function prepareTables(run: RunSql): Promise<void> {
  const version = await storedVersion(run);
  if (version === VERSION) return;
  try {
    await run(beginLocked('schema'));
    // Another process may have done it meanwhile.
    const steps = STEPS.slice(await storedVersion(run));
    if (steps.length > 0) await run(`${steps.join(';\n')};\n  UPDATE pith.version SET number = ${VERSION}`);
    await run('COMMIT');
  } catch (error) {
    const isRefused = error instanceof PostgresRefusal && error.state === INSUFFICIENT_PRIVILEGE;
    throw isRefused && version > 0 ? outdated(version, error) : error;
  }
}
