import { workStoresContract } from '../../contract/work-stores.contract.js';
import { describeEngines } from '../../support/engine.js';
import { type TestDatabase, testDatabase } from '../../support/postgres-database.js';
import { postgresWork } from '../../support/work-subjects.js';

describeEngines(['postgres'], 'the work of agents in PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.remove());

  workStoresContract(postgresWork(() => database));
});
