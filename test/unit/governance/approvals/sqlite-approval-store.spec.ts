import { chmodSync, existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { ApprovalStore } from '../../../../src/governance/approvals/approval-store.js';
import { openDatabase } from '../../../../src/sqlite/driver.js';
import { aDecision, aRequest, REQUESTED_AT } from '../../../support/an-approval.js';
import { approvalsIn } from '../../../support/governance-stores.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

let folder: TestFolder;
let file: string;
const opened: ApprovalStore[] = [];
const open = (creates = true): ApprovalStore => {
  const store = approvalsIn({ file, creates, now: () => REQUESTED_AT });
  opened.push(store);
  return store;
};
beforeEach(() => {
  folder = testFolder();
  file = folder.file('index.governance.sqlite');
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  folder.remove();
});

const failingWith = (reason: string) => expect.objectContaining({ reason });

describe('SqliteApprovalStore', () => {
  it('creates its file with the first request, for its owner only', async () => {
    const store = open();
    expect(existsSync(file)).toBe(false);
    await store.request(aRequest());
    expect([file, `${file}-wal`].map((each) => statSync(each).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it('does not create a file for commands', async () => {
    await expect(open(false).list({ limit: 1 })).rejects.toEqual(failingWith('governance_store_missing'));
    expect(existsSync(file)).toBe(false);
  });

  it('lets a command decide about a request of a server', async () => {
    const server = open();
    await server.request(aRequest());
    await open(false).decide('approval-1', aDecision());
    expect(await server.get('approval-1')).toMatchObject({ state: 'approved' });
  });

  it('waits while another process writes', async () => {
    const store = open();
    await store.request(aRequest());
    const other = openDatabase(file);
    other.exec('BEGIN IMMEDIATE');
    setTimeout(() => {
      other.exec('COMMIT');
      other.close();
    }, 50);
    expect(await store.decide('approval-1', aDecision())).toMatchObject({ state: 'approved' });
  });

  it('starts a new file if the old one was moved away', async () => {
    const store = open();
    await store.request(aRequest());
    renameSync(file, folder.file('old.sqlite'));
    expect(await store.get('approval-1')).toBeNull();
  });

  it('refuses a file of another program', async () => {
    const other = openDatabase(file);
    other.exec('CREATE TABLE theirs (id)');
    other.close();
    await expect(open().check()).rejects.toEqual(failingWith('governance_store_incompatible'));
    writeFileSync(file, 'not a database');
    await expect(open().check()).rejects.toEqual(failingWith('governance_store_incompatible'));
  });

  it('explains that the folder is not writable', async () => {
    file = folder.file('file/index.governance.sqlite');
    writeFileSync(folder.file('file'), '');
    chmodSync(folder.file('file'), 0o600);
    await expect(open().check()).rejects.toEqual(failingWith('governance_store_not_writable'));
  });
});
