import { BackendUnavailableError } from '../../core/errors.js';
import { beginLocked } from './begin-locked.js';
import type { RunSql } from './postgres-connection.js';

/** Increment when the tables change, and add the statements that lead there from the version before. */
const VERSION = 1;

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
const QUERY_COLUMNS = `run text COLLATE "C" GENERATED ALWAYS AS (${indexedRun(jsonText('run_id'))}) STORED,
    outcome text COLLATE "C" GENERATED ALWAYS AS (substring(event from '"outcome":"([a-z_]+)"')) STORED`;

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

/** As in SQLite. `request` and `decisions` are JSON. Times are ms since the epoch. */
const APPROVAL_TABLES = `
  CREATE TABLE pith.approval (id text COLLATE "C" PRIMARY KEY, binding text NOT NULL, principal text NOT NULL,
    state text NOT NULL, requested_at bigint NOT NULL, expires_at bigint NOT NULL, request text NOT NULL,
    decisions text NOT NULL, used_by text, used_at bigint);
  CREATE INDEX approval_binding ON pith.approval (binding);
  CREATE INDEX approval_principal ON pith.approval (principal, state);
  CREATE INDEX approval_time ON pith.approval (requested_at, id);`;

/** As in SQLite. */
const PIN_TABLES = `
  CREATE TABLE pith.provider_tool (provider text COLLATE "C", tool text COLLATE "C", listed_hash text, listed text,
    problem text, hash text, definition text, accepted_at bigint, accepted_by text, revision bigint,
    PRIMARY KEY (provider, tool));`;

const TABLES = `
  CREATE SCHEMA IF NOT EXISTS pith;
  CREATE TABLE pith.version (number integer NOT NULL);
  INSERT INTO pith.version VALUES (${VERSION});
  ${LEDGER_TABLES}
  ${APPROVAL_TABLES}
  ${PIN_TABLES}`;

function incompatible(version: unknown): BackendUnavailableError {
  return new BackendUnavailableError(
    `The governance database has the format version ${String(version)}; this Pith uses version ${VERSION}.`,
    {
      reason: 'governance_database_incompatible',
      hint: 'Run the version of Pith that created the tables, or name another database in PITH_GOVERNANCE_DATABASE.',
    },
  );
}

function tablesMissing(): BackendUnavailableError {
  return new BackendUnavailableError('The governance database has no tables of Pith.', {
    reason: 'ledger_missing',
    hint: 'Servers create them when they need them. Check that PITH_GOVERNANCE_DATABASE names the right database.',
  });
}

/** Reads the catalogue itself: names may be cached, and an advisory lock does not refresh them. */
const HAS_VERSION = `SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = 'pith' AND relname = 'version'`;

/** True if the tables exist. @throws BackendUnavailableError `governance_database_incompatible` */
export async function hasTables(run: RunSql): Promise<boolean> {
  const [found] = await run(HAS_VERSION);
  if (found === undefined) return false;
  const [row] = await run('SELECT number FROM pith.version');
  if (row?.['number'] !== VERSION) throw incompatible(row?.['number']);
  return true;
}

/** Checks the version of the tables. @throws BackendUnavailableError `ledger_missing` */
export async function requireTables(run: RunSql): Promise<void> {
  if (!(await hasTables(run))) throw tablesMissing();
}

/** Creates the tables if they are missing. Needs no rights but to read if they exist. */
export async function createTables(run: RunSql): Promise<void> {
  if (await hasTables(run)) return;
  await run(beginLocked('schema'));
  // Another process may have created them meanwhile.
  if (!(await hasTables(run))) await run(TABLES);
  await run('COMMIT');
}
