import type { SqlDatabase } from '../../src/sqlite/stores/sql-database.port.js';
import type { MakeWork, WorkSubject } from '../support/work-subjects.js';

const SPACE = { projectId: 'docs', environment: 'prod' };
const ADD = `INSERT INTO substrate_usage (project, environment, bytes) VALUES (:projectId, :environment, :bytes)
  ON CONFLICT (project, environment) DO UPDATE SET bytes = substrate_usage.bytes + excluded.bytes`;
const READ = 'SELECT bytes FROM substrate_usage';

/** The behaviour of every database of the work of agents. */
export const workDatabaseContract = (make: MakeWork): void =>
  describe('SqlDatabase', () => {
    let subject: WorkSubject;
    let database: SqlDatabase;
    const add = (bytes: number, to = database) => to.write((sql) => sql(ADD, { ...SPACE, bytes }));
    const stored = async (): Promise<unknown[]> =>
      (await subject.open().read((sql) => sql(READ))).map(({ bytes }) => bytes);
    beforeEach(async () => {
      subject = await make();
      database = subject.open();
    });
    afterEach(() => subject.remove());

    it('stores all of a transaction, or nothing', async () => {
      await add(1);
      const failing = database.write(async (sql) => {
        await sql(ADD, { ...SPACE, bytes: 5 });
        throw new RangeError('refused');
      });
      await expect(failing).rejects.toThrow(RangeError);
      expect(await stored()).toEqual([1]);
    });

    it('runs one transaction after the other, also those of several processes', async () => {
      const databases = [database, database, subject.open(), subject.open()];
      await Promise.all(
        databases.map((each) =>
          each.write(async (sql) => {
            const [row] = await sql(READ);
            await sql('DELETE FROM substrate_usage');
            await sql(ADD, { ...SPACE, bytes: Number(row?.['bytes'] ?? 0) + 1 });
          }),
        ),
      );
      expect(await stored()).toEqual([4]);
    });

    it('reads one state, whatever others write meanwhile', async () => {
      await add(1);
      const other = subject.open();
      const seen = await database.read(async (sql) => {
        const before = await sql(READ);
        await add(1, other);
        return [...before, ...(await sql(READ))];
      });
      expect(seen).toEqual([{ bytes: 1 }, { bytes: 1 }]);
      expect(await stored()).toEqual([2]);
    });

    it('reads while many changes wait for another process', async () => {
      await add(1);
      const unlock = await subject.lock();
      const changes = Promise.all(Array.from({ length: 30 }, () => add(1)));
      expect(await database.read((sql) => sql(READ))).toEqual([{ bytes: 1 }]);
      await unlock();
      await changes;
      expect(await stored()).toEqual([31]);
    });

    it('takes texts with NUL, lone surrogates and whatever statements have', async () => {
      const names = ['a\0b', '\ud800', `'; DROP TABLE run; --`, 'Ä 😀 :x $1'];
      for (const projectId of names) {
        await database.write((sql) => sql(ADD, { ...SPACE, projectId, bytes: 1 }));
      }
      const found = await database.read((sql) =>
        sql(
          'SELECT project FROM substrate_usage WHERE project = :third OR project = :fourth ORDER BY project',
          {
            third: String(names[2]),
            fourth: String(names[3]),
          },
        ),
      );
      expect(found.map(({ project }) => project)).toEqual([names[2], names[3]]);
      await expect(
        database.read((sql) => sql(`${READ} WHERE project = :name`, { name: 'x\0' })),
      ).resolves.toEqual([]);
    });

    it('fails when it is used after it was closed', async () => {
      await add(1);
      await database.close();
      const closed = { code: 'BACKEND_UNAVAILABLE' };
      await expect(database.read((sql) => sql(READ))).rejects.toMatchObject(closed);
      await expect(add(1)).rejects.toMatchObject(closed);
    });
  });
