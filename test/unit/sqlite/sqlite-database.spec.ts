import { writeFileSync } from 'node:fs';
import { GOVERNANCE_STORE } from '../../../src/governance/governance-store.js';
import { SqliteDatabase } from '../../../src/sqlite/stores/sqlite-database.js';
import { testFolder } from '../../support/test-folder.js';

const folder = testFolder();
afterAll(() => folder.remove());

/** The warnings when a server starts with a file. */
async function warningsOf(file: string): Promise<string> {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const store = new SqliteDatabase({ kind: GOVERNANCE_STORE, file, creates: true, tables: '' });
  await store.close();
  const text = write.mock.calls.join('');
  write.mockRestore();
  return text;
}

describe('the file of a store, when a server starts', () => {
  it('is warned of if it is no database', async () => {
    const file = folder.file('notes.txt');
    writeFileSync(file, 'Notes of somebody, and no database.');
    expect(await warningsOf(file)).toMatch(
      /^pith: warning: .*notes\.txt is not a governance store .*: it is no database\. Choose another file with PITH_GOVERNANCE_STORE_FILE/,
    );
    expect(await warningsOf(folder.path)).toContain('PITH_GOVERNANCE_STORE_FILE');
  });

  it('may be missing, empty or a store', async () => {
    const file = folder.file('store.sqlite');
    expect(await warningsOf(file)).toBe('');
    writeFileSync(file, '');
    expect(await warningsOf(file)).toBe('');
    const store = new SqliteDatabase({ kind: GOVERNANCE_STORE, file, creates: true, tables: '' });
    await store.write(async () => undefined);
    await store.close();
    expect(await warningsOf(file)).toBe('');
  });
});
