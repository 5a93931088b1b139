import { ApprovalStore } from '../../../src/governance/approvals/approval-store.js';
import { ProviderPins } from '../../../src/governance/providers/provider-pins.js';
import { DefinitionStore } from '../../../src/governance/registry/definition-store.js';
import { approvalStoreContract } from '../../contract/approval-store.contract.js';
import { definitionStoreContract } from '../../contract/definition-store.contract.js';
import { providerPinsContract } from '../../contract/provider-pins.contract.js';
import { describeEngines } from '../../support/engine.js';
import { governanceAt } from '../../support/governance-stores.js';
import { connectTo, testDatabase } from '../../support/postgres-database.js';

describeEngines(['postgres'], 'governance in PostgreSQL', () => {
  approvalStoreContract('PostgresApprovalStore', async () => {
    const database = await testDatabase();
    const clock = { at: 0 };
    return {
      open: () => new ApprovalStore(governanceAt(connectTo(database.url)), () => clock.at),
      setTime: (at) => {
        clock.at = at;
      },
      remove: () => database.remove(),
    };
  });

  definitionStoreContract('PostgresDefinitionStore', async () => {
    const database = await testDatabase();
    return {
      open: () => new DefinitionStore(governanceAt(connectTo(database.url))),
      remove: () => database.remove(),
    };
  });

  providerPinsContract('PostgresProviderPins', async () => {
    const database = await testDatabase();
    return {
      open: () => new ProviderPins(governanceAt(connectTo(database.url))),
      remove: () => database.remove(),
    };
  });
});
