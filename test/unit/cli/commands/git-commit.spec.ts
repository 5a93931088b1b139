import { gitCommit } from '../../../../src/cli/commands/index.command.js';
import { testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

describe('gitCommit', () => {
  it.each<[string, Readonly<Record<string, string>>, string | null]>([
    ['a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${COMMIT}\n` }, COMMIT],
    [
      'a packed branch',
      { '.git/HEAD': 'ref: refs/heads/a/b\n', '.git/packed-refs': `# x\n${COMMIT} refs/heads/a/b\n` },
      COMMIT,
    ],
    ['no branch', { '.git/HEAD': `${COMMIT}\n` }, COMMIT],
    ['a branch without a commit', { '.git/HEAD': 'ref: refs/heads/main\n' }, null],
    ['no checkout', {}, null],
  ])('reads the commit of a checkout: %s', (_, files, commit) => {
    const folder = testFolder();
    writeFiles(folder.path, { ...files, 'docs/a.md': 'x' });
    expect(gitCommit(folder.file('docs'))).toBe(commit);
    folder.remove();
  });
});
