import { beginLocked, type PostgresConnection } from '../../src/engines/postgres/postgres-connection.js';
import { PostgresDatabase } from '../../src/engines/postgres/postgres-database.js';
import { ApprovalStore } from '../../src/governance/approvals/approval-store.js';
import { openGovernanceFile } from '../../src/governance/governance-store.js';
import { ProviderPins } from '../../src/governance/providers/provider-pins.js';
import { DefinitionStore } from '../../src/governance/registry/definition-store.js';

type Place = Parameters<typeof openGovernanceFile>[0];

/** The governance file, as one process opens it. */
export const approvalsIn = ({ now, ...place }: Place & { readonly now: () => number }): ApprovalStore =>
  new ApprovalStore(openGovernanceFile(place), now);
export const pinsIn = (place: Place): ProviderPins => new ProviderPins(openGovernanceFile(place));
export const definitionsIn = (place: Place): DefinitionStore =>
  new DefinitionStore(openGovernanceFile(place));

/** The governance database in PostgreSQL. */
export const governanceAt = (connection: PostgresConnection): PostgresDatabase =>
  new PostgresDatabase(connection, beginLocked('governance'));

/** The database of agents' work in PostgreSQL. */
export const workAt = (connection: PostgresConnection): PostgresDatabase =>
  new PostgresDatabase(connection, beginLocked('work', 'all'));
