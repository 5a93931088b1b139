import { openDatabase } from '../../../src/sqlite/driver.js';
import { inTransaction } from '../../../src/sqlite/in-transaction.js';
import { testFolder } from '../../support/test-folder.js';

const folder = testFolder();
afterAll(() => folder.remove());

describe('inTransaction', () => {
  it('fails with index_busy and changes nothing if another connection writes for longer than this one waits', () => {
    const [one, other] = [0, 1].map(() => openDatabase(folder.file('busy.sqlite'), { timeout: 10 }));
    if (!one || !other) throw new Error('no database');
    one.exec('CREATE TABLE note (text TEXT); BEGIN IMMEDIATE');
    const add = () => inTransaction(other, () => other.exec("INSERT INTO note VALUES ('a')"));
    expect(add).toThrow(expect.objectContaining({ code: 'BACKEND_UNAVAILABLE', reason: 'index_busy' }));
    one.exec('ROLLBACK');
    expect(add).not.toThrow();
    expect(one.prepare('SELECT count(*) AS n FROM note').get()).toEqual({ n: 1 });
    one.close();
    other.close();
  });

  it('rolls back if the work fails', () => {
    const database = openDatabase(folder.file('back.sqlite'));
    database.exec('CREATE TABLE note (text TEXT)');
    const fail = (): never => {
      database.exec("INSERT INTO note VALUES ('a')");
      throw new Error('half way');
    };
    expect(() => inTransaction(database, fail)).toThrow('half way');
    expect(database.prepare('SELECT count(*) AS n FROM note').get()).toEqual({ n: 0 });
    database.close();
  });
});
