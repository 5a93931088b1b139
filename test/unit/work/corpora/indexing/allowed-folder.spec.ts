import { realpathSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { InvalidArgumentError } from '../../../../../src/core/errors.js';
import { allowedFolder } from '../../../../../src/work/corpora/indexing/source.service.js';
import { testFolder } from '../../../../support/test-folder.js';
import { writeFiles } from '../../../../support/write-files.js';

const folder = testFolder();
const ROOTS = [folder.file('root'), folder.file('linked-root'), folder.file('missing-root')];

beforeAll(() => {
  writeFiles(folder.path, {
    'root/docs/a.md': 'a',
    'root-beside/b.md': 'b',
    'elsewhere/c.md': 'c',
    'far/d.md': 'd',
  });
  symlinkSync(folder.file('far'), folder.file('root/out'));
  symlinkSync(folder.file('root/docs'), folder.file('root/in'));
  symlinkSync(folder.file('elsewhere'), folder.file('linked-root'));
});
afterAll(() => folder.remove());

describe('allowedFolder', () => {
  it('reads ~ as the home folder', async () => {
    const home = realpathSync(homedir());
    expect(await allowedFolder('~', [home])).toBe(home);
  });

  it.each([['file:///srv/docs'], ['https://example.com/docs'], ['${workspaceFolder}/docs']])(
    'names the cause if %s is no path',
    async (given) => {
      await expect(allowedFolder(given, ROOTS)).rejects.toThrow(InvalidArgumentError);
    },
  );

  it.each([
    ['a root', 'root', 'root'],
    ['a folder below', 'root/docs', 'root/docs'],
    ['a symlink that stays within', 'root/in', 'root/docs'],
    ['a root that is a symlink', 'linked-root', 'elsewhere'],
    ['a path with dots that stays within', 'root/docs/../docs/.', 'root/docs'],
  ])('returns the real path of %s', async (_, name, real) => {
    expect(await allowedFolder(folder.file(name), ROOTS)).toBe(folder.file(real));
  });

  it.each([
    ['a folder outside', folder.file('root-beside')],
    ['a folder above', folder.path],
    ['a symlink that leads out', folder.file('root/out')],
    ['a missing folder', folder.file('root/none')],
    ['a missing root', folder.file('missing-root')],
    ['a file', folder.file('root/docs/a.md')],
    ['a path with dots that leads out', folder.file('root/../root-beside')],
    ['a relative path', 'root/docs'],
    ['a path with a NUL', folder.file('root/docs\0')],
  ])('refuses %s, always with the same answer', async (_, path) => {
    await expect(allowedFolder(path, ROOTS)).rejects.toMatchObject({
      code: 'SCOPE_VIOLATION',
      reason: 'folder_not_allowed',
      message: 'The folder does not exist within the folders that may be indexed.',
    });
  });

  it('refuses everything without roots', async () => {
    await expect(allowedFolder(folder.file('root'), [])).rejects.toMatchObject({
      reason: 'folder_not_allowed',
    });
  });
});
