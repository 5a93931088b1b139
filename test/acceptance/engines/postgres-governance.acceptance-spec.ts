import { PostgresApprovalStore } from '../../../src/governance/approvals/postgres-approval-store.js';
import { PostgresProviderPins } from '../../../src/governance/providers/provider-pin-stores.js';
import { PostgresDefinitionStore } from '../../../src/governance/registry/definition-stores.js';
import { approvalStoreContract } from '../../contract/approval-store.contract.js';
import { definitionStoreContract } from '../../contract/definition-store.contract.js';
import { providerPinsContract } from '../../contract/provider-pins.contract.js';
import { describeEngines } from '../../support/engine.js';
import { connectTo, testDatabase } from '../../support/postgres-database.js';

describeEngines(['postgres'], 'governance in PostgreSQL', () => {
  approvalStoreContract('PostgresApprovalStore', async () => {
    const database = await testDatabase();
    const clock = { at: 0 };
    return {
      open: () => new PostgresApprovalStore(connectTo(database.url), () => clock.at),
      setTime: (at) => {
        clock.at = at;
      },
      remove: () => database.remove(),
    };
  });

  definitionStoreContract('PostgresDefinitionStore', async () => {
    const database = await testDatabase();
    return {
      open: () => new PostgresDefinitionStore(connectTo(database.url)),
      remove: () => database.remove(),
    };
  });

  providerPinsContract('PostgresProviderPins', async () => {
    const database = await testDatabase();
    return {
      open: () => new PostgresProviderPins(connectTo(database.url)),
      remove: () => database.remove(),
    };
  });
});
