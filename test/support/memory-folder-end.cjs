const { rmSync } = require('node:fs');
const { basename } = require('node:path');

/** Removes the folder that `memory-folder.cjs` made for this process. */
module.exports = function removeMemory() {
  const { TMPDIR } = process.env;
  if (TMPDIR === undefined || basename(TMPDIR) !== `pith-tests-${process.pid}`) return;
  delete process.env.TMPDIR;
  rmSync(TMPDIR, { recursive: true, force: true });
};
