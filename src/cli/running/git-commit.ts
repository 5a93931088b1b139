import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const COMMIT = /^[0-9a-f]{40}$/;

function readLine(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

function packedCommit(git: string, ref: string): string {
  const lines = readLine(join(git, 'packed-refs')).split('\n');
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] ?? '';
}

/** The current commit of a folder's git checkout; null without a checkout, and for a linked worktree. */
export function gitCommit(folder: string): string | null {
  const git = join(folder, '.git');
  if (existsSync(join(git, 'HEAD'))) {
    const head = readLine(join(git, 'HEAD'));
    const [, ref] = /^ref: (refs\/.+)$/.exec(head) ?? [];
    const commit = ref === undefined ? head : readLine(join(git, ref)) || packedCommit(git, ref);
    return COMMIT.test(commit) ? commit : null;
  }
  return dirname(folder) === folder ? null : gitCommit(dirname(folder));
}
