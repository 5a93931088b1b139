// Runs the slow tests in two lanes. Suites that need engines share them, so these run one after the other; the other
// suites run two at a time.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');

function run(project, workers, before = []) {
  const report = `--outputFile=${join(root, 'reports', `${project}.json`)}`;
  const command = [...before, process.execPath, jest];
  // An open handle of a suite must not stop the run. Jest without this flag names the project.
  const rest = ['--selectProjects', project, ...workers, '--forceExit', '--json', report];
  const [program, ...args] = [...command, ...rest];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 2, 2] });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const codes = await Promise.all([
  run('acceptance', ['--maxWorkers=2']),
  run('engines', ['--runInBand'], [process.execPath, join(root, 'scripts', 'engines', 'run.mjs')]),
]);
process.exitCode = Math.max(...codes);
