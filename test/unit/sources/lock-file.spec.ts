import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { lockFile } from '../../../src/sources/lock-file.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const MINUTE_MS = 60_000;

let folder: TestFolder;
let file: string;
beforeEach(() => {
  folder = testFolder();
  file = folder.file('lock');
});
afterEach(() => folder.remove());

/** The lock of a process. @param ageMs  time since it was renewed */
function lockedBy(holder: string, ageMs: number): void {
  writeFileSync(file, holder);
  utimesSync(file, new Date(NOON - ageMs), new Date(NOON - ageMs));
}
const take = (signal = new AbortController().signal): Promise<() => void> =>
  lockFile(file, () => NOON, signal);
/** Tries once. */
async function isTaken(): Promise<boolean> {
  const before = readFileSync(file, 'utf8');
  const giveUp = new AbortController();
  const taking = take(giveUp.signal).then((release) => release());
  giveUp.abort();
  await taking.catch(() => undefined);
  return !existsSync(file) || readFileSync(file, 'utf8') !== before;
}
const endedPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

describe('lockFile', () => {
  it('lets one holder at a time go on', async () => {
    const release = await take();
    const order: string[] = [];
    const second = lockFile(file, Date.now, new AbortController().signal).then((releaseSecond) => {
      order.push('second');
      releaseSecond();
    });
    order.push('first ends');
    release();
    await second;
    expect(order).toEqual(['first ends', 'second']);
    expect(existsSync(file)).toBe(false);
  });

  it('takes the lock of a process that has ended', async () => {
    lockedBy(`${hostname()} ${endedPid()} 1 a`, 0);
    expect(await isTaken()).toBe(true);
  });

  it('leaves a process of this host its lock, also if it is too busy to renew it', async () => {
    lockedBy(`${hostname()} ${process.ppid} 1 a`, 5 * MINUTE_MS);
    expect(await isTaken()).toBe(false);
  });

  it('takes a lock whose process id belongs to another process now', async () => {
    lockedBy(`${hostname()} ${process.ppid} 1 a`, 11 * MINUTE_MS);
    expect(await isTaken()).toBe(true);
    lockedBy(`${hostname()} ${process.pid} 1 a`, 0);
    expect(await isTaken()).toBe(true);
  });

  it.each([
    ['leaves', 29_000, false],
    ['takes', 31_000, true],
  ])('%s the lock of another host that was renewed %d ms ago', async (_, ageMs, isExpected) => {
    lockedBy('another-host 1 1 a', ageMs);
    expect(await isTaken()).toBe(isExpected);
  });

  it('removes only its own lock', async () => {
    const release = await take();
    writeFileSync(file, 'another-host 1 1 a');
    release();
    expect(readFileSync(file, 'utf8')).toBe('another-host 1 1 a');
  });

  it('says what to do if the lock can not be written', async () => {
    file = folder.file('none/lock');
    await expect(take()).rejects.toMatchObject({ reason: 'source_copy_read_only' });
  });
});
