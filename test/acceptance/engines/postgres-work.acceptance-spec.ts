import { RunStore } from '../../../src/work/runs/run-store.js';
import { workStoresContract } from '../../contract/work-stores.contract.js';
import { aRun, aRunEvent } from '../../support/a-run.js';
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

  it('leases events of runs by the clock of the database', async () => {
    const subject = await postgresWork(() => database)();
    const store = new RunStore(subject.open());
    await store.create(aRun(), aRunEvent(1));
    expect(await store.lease('run_1', 'a', 60_000)).toHaveLength(1);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    expect(await store.lease('run_1', 'b', 60_000)).toEqual([]);
    clock.mockRestore();
    await subject.remove();
  });
});
