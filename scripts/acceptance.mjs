// Runs the slow tests in two lanes of two workers each: the tests wait for timers and processes, so three workers leave a
// third of two processors idle. Each lane takes the next part of the suites when it is free; one begins with the engines.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const PARTS = 5;
const parts = Array.from({ length: PARTS }, (_, at) => at + 1);

/** @param name  of the report @param args  begin with the project, which jest without `--selectProjects` does not name */
function run(name, args, before = []) {
  const report = `--outputFile=${join(root, 'reports', `${name}.json`)}`;
  // An open handle of a suite must not stop the run.
  const rest = ['--selectProjects', ...args, '--maxWorkers=2', '--forceExit', '--json', report];
  const [program, ...words] = [...before, process.execPath, '--max-semi-space-size=32', jest, ...rest];
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: root, stdio: ['ignore', 2, 2] });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const runEngines = () =>
  run('engines', ['engines'], [process.execPath, join(root, 'scripts', 'engines', 'run.mjs')]);

/** @returns the highest exit code */
async function runParts() {
  let highest = 0;
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const code = await run(`acceptance-${part}`, ['acceptance', `--shard=${part}/${PARTS}`]);
    highest = Math.max(highest, code);
  }
  return highest;
}

// For the engines too.
require('../test/support/memory-folder.cjs')();
const codes = await Promise.all([
  runParts(),
  runEngines().then(async (code) => Math.max(code, await runParts())),
]);
require('../test/support/memory-folder-end.cjs')();
process.exitCode = Math.max(...codes);
