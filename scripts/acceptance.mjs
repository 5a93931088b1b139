// Runs the slow tests in two lanes of two workers each: the tests wait for timers and processes, so three workers leave a
// third of two processors idle. The lane of the engines takes less time, so some of the other suites follow there.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
/** Files of the suites that follow, by their first letters, so that both lanes take the same time. */
const FOLLOWING = '/acceptance/[o-z][^/]*$';

/** @param name  of the report @param args  begin with the project, which jest without `--selectProjects` does not name */
function run(name, args, before = []) {
  const report = `--outputFile=${join(root, 'reports', `${name}.json`)}`;
  // An open handle of a suite must not stop the run.
  const rest = ['--selectProjects', ...args, '--maxWorkers=2', '--forceExit', '--json', report];
  const [program, ...words] = [...before, process.execPath, jest, ...rest];
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: root, stdio: ['ignore', 2, 2] });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function runWithEngines() {
  const engines = [process.execPath, join(root, 'scripts', 'engines', 'run.mjs')];
  return [
    await run('engines', ['engines'], engines),
    await run('following', ['acceptance', '--testPathPatterns', FOLLOWING]),
  ];
}

// For the engines too.
require('../test/support/memory-folder.cjs')();
const [code, codes] = await Promise.all([
  run('acceptance', ['acceptance', '--testPathIgnorePatterns', FOLLOWING]),
  runWithEngines(),
]);
require('../test/support/memory-folder-end.cjs')();
process.exitCode = Math.max(code, ...codes);
