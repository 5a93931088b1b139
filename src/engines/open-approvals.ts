import type { Config } from '../config/config.js';
import type { ApprovalStore } from '../core/ports/approval-store.port.js';
import { SqliteApprovalStore } from './sqlite/governance/sqlite-approval-store.js';

/**
 * The configured store of approvals; opened when it is first used.
 * @param config  with the final path of the store
 * @param use  a server creates the file if missing, a command does not
 */
export function openApprovals(
  { governance }: Pick<Config, 'governance'>,
  use: 'server' | 'command',
): ApprovalStore {
  return new SqliteApprovalStore({ file: governance.storeFile, creates: use === 'server', now: Date.now });
}
