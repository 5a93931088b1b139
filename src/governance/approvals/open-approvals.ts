import type { Config } from '../../config/config.js';
import { openPostgres } from '../../engines/postgres/open-postgres.js';
import type { ApprovalStore } from './approval-store.port.js';
import { PostgresApprovalStore } from './postgres-approval-store.js';
import { SqliteApprovalStore } from './sqlite-approval-store.js';

/**
 * The configured store of approvals; opened when it is first used.
 * @param config  with the final path of the store
 * @param use  a server creates the file if missing, a command does not
 */
export function openApprovals(
  config: Pick<Config, 'governance' | 'backends'>,
  use: 'server' | 'command',
): ApprovalStore {
  if (config.backends.governanceDatabase !== '')
    return new PostgresApprovalStore(openPostgres(config, use), Date.now);
  const { governance } = config;
  return new SqliteApprovalStore({ file: governance.storeFile, creates: use === 'server', now: Date.now });
}
