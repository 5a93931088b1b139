import type { Config } from '../config/config.js';
import { openPostgres } from '../engines/postgres/open-postgres.js';
import { beginLocked } from '../engines/postgres/postgres-connection.js';
import { PostgresDatabase } from '../engines/postgres/postgres-database.js';
import {
  QUESTION_TABLES,
  sqliteTables,
  SUMMARY_TABLES,
  WORK_TABLES,
} from '../engines/postgres/shared-tables.js';
import type { SqlDatabase } from '../sqlite/stores/sql-database.port.js';
import { SqliteDatabase } from '../sqlite/stores/sqlite-database.js';
import type { StoreKind } from '../sqlite/stores/store-failures.js';

/** The file of what the tools of MCP_DOMAINS store. Its application id is "Pitw". */
export const WORK_STORE: StoreKind = {
  id: 0x50697477,
  version: 1,
  name: 'work store',
  reason: 'work_store',
  setting: 'PITH_WORK_FILE',
};

const TABLES = sqliteTables(WORK_TABLES, QUESTION_TABLES, SUMMARY_TABLES);

// Transactions of agents' work are many and short, so one waits for the others in line.
const BEGIN = beginLocked('work', 'all');

/** @param creates  false for a command, which must not create a file */
export const openWorkFile = (file: string, creates = true): SqlDatabase =>
  new SqliteDatabase({ kind: WORK_STORE, file, creates, tables: TABLES });

/**
 * The database of a server or a command; opened when it is first used.
 * @param config  with the final path of the work file
 * @param use  a server creates what is missing
 */
export function openWorkDatabase(
  config: Pick<Config, 'backends' | 'domains'>,
  use: 'server' | 'command' = 'server',
): SqlDatabase {
  if (config.backends.database !== '')
    return new PostgresDatabase(openPostgres(config, use, 'database'), BEGIN);
  return openWorkFile(config.domains.workFile, use === 'server');
}
