// npm start and npm test: builds if the inputs have changed since the last build. The check takes milliseconds, a build
// half a minute.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inputsHash, STAMP } from './build-inputs.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, STAMP);
const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === inputsHash(root);
if (!isCurrent) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: true,
  });
  process.exitCode = status ?? 1;
}
