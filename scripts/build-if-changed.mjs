// npm start and npm test: builds if the inputs have changed since the last build. The check takes milliseconds, a build
// about a minute.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inputsHash, STAMP } from './build-inputs.mjs';

/** Time between two signs of life (ms). */
const SIGN_MS = 2_000;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, STAMP);
const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === inputsHash(root);
if (!isCurrent) {
  const say = (text) => process.stderr.write(text);
  say('Building Pith. This takes about a minute, and happens again only after changes of the code.\n');
  const startedAt = performance.now();
  const signs = setInterval(() => say('.'), SIGN_MS);
  const build = spawn('npm run --silent build', { cwd: root, stdio: 'inherit', shell: true });
  const [status] = await once(build, 'exit');
  clearInterval(signs);
  say(status === 0 ? `\nBuilt in ${Math.round((performance.now() - startedAt) / 1000)} s.\n` : '\n');
  process.exitCode = status ?? 1;
}
