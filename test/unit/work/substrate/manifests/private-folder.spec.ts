import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  thisProcess,
  withPrivateFolder,
} from '../../../../../src/work/substrate/manifests/private-folder.js';
import { testFolder } from '../../../../support/test-folder.js';

const folder = testFolder();
const parent = folder.file('parent');
const owner = thisProcess();
const NOW = 1_000_000;
const folders = { parent, maxAgeMs: 1_000, now: NOW, owner };
/** An id that no process has: they are below 2^22. */
const ENDED = 99_999_999;

afterAll(() => folder.remove());

describe('withPrivateFolder', () => {
  it('gives a folder that only this user can read, and removes it with its content', async () => {
    const given = await withPrivateFolder(folders, async (path) => {
      writeFileSync(join(path, 'a.md'), 'A');
      expect(statSync(path).mode & 0o777).toBe(0o700);
      return path;
    });
    expect(existsSync(given)).toBe(false);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('removes the folder when the work fails, and throws its error', async () => {
    const failing = withPrivateFolder(folders, () => Promise.reject(new Error('stopped')));
    await expect(failing).rejects.toThrow('stopped');
    expect(readdirSync(parent)).toEqual([]);
  });

  it('removes folders of processes that have ended, and keeps those in use and what is not its own', async () => {
    const { host, pid, startedAt } = owner;
    const other = host === '00000000' ? '11111111' : '00000000';
    const kept = [
      `${host}-${pid}-${startedAt}-${NOW}-mine`,
      `${host}-${process.ppid}-1-${NOW}-runs`,
      `${other}-${ENDED}-1-${NOW - 1_000}-elsewhere`,
      'notes',
    ];
    const gone = [
      `${host}-${ENDED}-1-${NOW}-killed`,
      `${host}-${pid}-${startedAt - 5}-${NOW}-earlier`,
      `${other}-${ENDED}-1-${NOW - 1_001}-old`,
    ];
    for (const name of [...kept, ...gone]) mkdirSync(join(parent, name, 'below'), { recursive: true });
    await withPrivateFolder(folders, async () => undefined);
    expect(readdirSync(parent).sort()).toEqual(kept.sort());
  });

  it('says that the disk is at fault when there can be no folder', async () => {
    writeFileSync(folder.file('file'), '');
    const failing = withPrivateFolder({ ...folders, parent: folder.file('file') }, async () => undefined);
    await expect(failing).rejects.toMatchObject({ reason: 'checkout_failed' });
  });
});
