import type { MakeWork } from '../support/work-subjects.js';
import { artifactStoreContract } from './artifact-store.contract.js';
import { claimStoreContract } from './claim-store.contract.js';
import { corpusStoreContract } from './corpus-store.contract.js';
import { pointerStoreContract } from './pointer-store.contract.js';
import { questionStoreContract } from './question-store.contract.js';
import { runStoreContract } from './run-store.contract.js';
import { schemaStoreContract } from './schema-store.contract.js';
import { workDatabaseContract } from './work-database.contract.js';

/** The behaviour of every store of the work of agents. */
export function workStoresContract(make: MakeWork): void {
  workDatabaseContract(make);
  runStoreContract(make);
  claimStoreContract(make);
  schemaStoreContract(make);
  corpusStoreContract(make);
  pointerStoreContract(make);
  artifactStoreContract(make);
  questionStoreContract(make);
}
