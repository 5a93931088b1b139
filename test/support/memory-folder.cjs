// Tests write thousands of small databases, and a disk takes milliseconds for each commit: a third of the time of
// `npm test`, and more on a busy machine. So temporary folders are in memory if the system has a file system there that
// is large enough and lets programs run. TMPDIR names another place.
const { execFileSync } = require('node:child_process');
const { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const MEMORY = '/dev/shm';
const PREFIX = 'pith-tests-';
const MIN_FREE_BYTES = 3e9;

const folderOf = (pid) => join(MEMORY, `${PREFIX}${pid}`);

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Removes what runs left that were killed. */
function removeLeftovers() {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(PREFIX) || isRunning(Number(name.slice(PREFIX.length)))) continue;
    rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/** @returns a new folder in memory; null where there is none of use */
function newFolder() {
  const path = folderOf(process.pid);
  try {
    removeLeftovers();
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < MIN_FREE_BYTES) return null;
    mkdirSync(path, { recursive: true });
    // Some tests run programs as another user.
    chmodSync(path, 0o1777);
    const program = join(path, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    rmSync(program);
    return path;
  } catch {
    rmSync(path, { recursive: true, force: true });
    return null;
  }
}

/** Moves the temporary folders of this process, and of those that it starts. */
module.exports = function useMemory() {
  if (process.env.TMPDIR !== undefined) return;
  const path = newFolder();
  if (path !== null) process.env.TMPDIR = path;
};
