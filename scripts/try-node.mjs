// npm run try-node -- 22 24: tests the built program on other versions of Node, from the npm package `node`. Indexes
// and asks with each version, and compares the answers byte for byte with those of the current Node.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'bin', 'pith.js');
const work = mkdtempSync(join(tmpdir(), 'pith-node-'));
const QUESTIONS = ['When does a ship leave the waiting list?', 'RateLimitError', '港は何時に開きますか'];

function install(version) {
  const folder = join(work, version);
  const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `node@${version}`];
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'node_modules', 'node', 'bin', 'node');
}

/** Removes handles and ids of calls, which are random. */
function answersOf(node, name) {
  const index = join(work, `${name}.sqlite`);
  execFileSync(node, [program, 'index', join(root, 'fixtures', 'corpus'), '--index', index]);
  return QUESTIONS.map((question) => {
    const json = execFileSync(node, [program, 'ask', question, '--json', '--index', index], {
      encoding: 'utf8',
    });
    return JSON.stringify(JSON.parse(json), (key, value) =>
      /^(?:passage_id|passage_uri|uri|diagnostic_id)$/.test(key) ? undefined : value,
    );
  });
}

let failed = 0;
try {
  const expected = JSON.stringify(answersOf(process.execPath, 'own'));
  for (const version of process.argv.slice(2)) {
    const node = install(version);
    const isSame = JSON.stringify(answersOf(node, version)) === expected;
    const full = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    console.log(`${full}: ${isSame ? 'the same answers as' : 'OTHER answers than'} ${process.version}`);
    failed += isSame ? 0 : 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
