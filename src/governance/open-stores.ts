import type { Config } from '../config/config.js';
import type { ApprovalStore } from './approvals/approval-store.port.js';
import { PostgresApprovalStore } from './approvals/postgres-approval-store.js';
import { SqliteApprovalStore } from './approvals/sqlite-approval-store.js';
import type { GovernancePlace } from './governance-store.js';
import { openPostgres } from './postgres/open-postgres.js';
import type { PostgresConnection } from './postgres/postgres-connection.js';
import { PostgresProviderPins } from './providers/postgres-provider-pins.js';
import type { ProviderPins } from './providers/provider-pins.port.js';
import { SqliteProviderPins } from './providers/sqlite-provider-pins.js';
import type { DefinitionStore } from './registry/definition-store.port.js';
import { PostgresDefinitionStore } from './registry/postgres-definition-store.js';
import { SqliteDefinitionStore } from './registry/sqlite-definition-store.js';

/** With the final path of the store. */
type Places = Pick<Config, 'governance' | 'backends'>;

/** A server creates the file or the tables if missing, a command does not; a look writes nothing at all. */
type Use = 'server' | 'command' | 'look';

/** Null if the stores are in a file. */
const databaseFor = (config: Places, use: Use): PostgresConnection | null =>
  config.backends.governanceDatabase === ''
    ? null
    : openPostgres(config, use === 'server' ? 'server' : 'command');

const placeFor = ({ governance }: Places, use: Use): GovernancePlace => ({
  file: governance.storeFile,
  creates: use === 'server',
  isReadOnly: use === 'look',
});

/** The configured store of approvals; opened when it is first used. */
export function openApprovals(config: Places, use: 'server' | 'command'): ApprovalStore {
  const database = databaseFor(config, use);
  if (database) return new PostgresApprovalStore(database, Date.now);
  return new SqliteApprovalStore({ ...placeFor(config, use), now: Date.now });
}

/** The store of tool definitions; opened when it is first used. */
export function openDefinitions(config: Places, use: 'server' | 'look'): DefinitionStore {
  const database = databaseFor(config, use);
  return database ? new PostgresDefinitionStore(database) : new SqliteDefinitionStore(placeFor(config, use));
}

/** The store of a server; null without a governance file or database, so that no file is made. */
export function openServerDefinitions(config: Places): DefinitionStore | null {
  const isGoverned = config.governance.file !== '' || config.backends.governanceDatabase !== '';
  return isGoverned ? openDefinitions(config, 'server') : null;
}

/** The store of accepted definitions of external tools; opened when it is first used. */
export function openProviderPins(config: Places, use: Use): ProviderPins {
  const database = databaseFor(config, use);
  return database ? new PostgresProviderPins(database) : new SqliteProviderPins(placeFor(config, use));
}
