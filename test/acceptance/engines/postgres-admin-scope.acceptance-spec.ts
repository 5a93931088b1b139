import { describeEngines } from '../../support/engine.js';
import { type TestDatabase, testDatabase } from '../../support/postgres-database.js';
import { describeScopedOperators } from '../../support/scoped-operators.js';

describeEngines(['postgres'], 'PostgreSQL', () => {
  let database: TestDatabase | undefined;
  afterAll(() => database?.remove());

  describeScopedOperators('operators with a scope', async () => {
    database = await testDatabase();
    return { PITH_GOVERNANCE_DATABASE: database.url };
  });
});
