import type { Config } from '../config/config.js';
import { openPostgres } from '../engines/postgres/open-postgres.js';
import { beginLocked } from '../engines/postgres/postgres-connection.js';
import { PostgresDatabase } from '../engines/postgres/postgres-database.js';
import {
  APPROVAL_TABLES,
  DEFINITION_TABLES,
  PIN_TABLES,
  sqliteTables,
} from '../engines/postgres/shared-tables.js';
import type { SqlDatabase } from '../sqlite/stores/sql-database.port.js';
import { SqliteDatabase, type StorePlace } from '../sqlite/stores/sqlite-database.js';
import type { StoreKind } from '../sqlite/stores/store-failures.js';

/** The file of approvals, providers and definitions. Its application id is "Pitg". */
export const GOVERNANCE_STORE: StoreKind = {
  id: 0x50697467,
  version: 1,
  name: 'governance store',
  reason: 'governance_store',
  setting: 'PITH_GOVERNANCE_STORE_FILE',
};

const TABLES = sqliteTables(APPROVAL_TABLES, PIN_TABLES, DEFINITION_TABLES);

export const openGovernanceFile = (place: Omit<StorePlace, 'kind' | 'tables'>): SqlDatabase =>
  new SqliteDatabase({ kind: GOVERNANCE_STORE, ...place, tables: TABLES });

/**
 * The database of approvals, providers and definitions; opened when it is first used.
 * @param config  with the final path of the file
 * @param use  a server creates the file if missing, a command does not; a look writes nothing at all
 */
export function openGovernanceDatabase(
  config: Pick<Config, 'governance' | 'backends'>,
  use: 'server' | 'command' | 'look',
): SqlDatabase {
  const creates = use === 'server';
  if (config.backends.governanceDatabase !== '')
    return new PostgresDatabase(openPostgres(config, creates ? use : 'command'), beginLocked('governance'));
  return openGovernanceFile({ file: config.governance.storeFile, creates, isReadOnly: use === 'look' });
}
