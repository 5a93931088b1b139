import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { NO_GROUPS, readGroupRules, sourceGroups } from '../../../../src/ingest/manifest/document-groups.js';
import { ManifestFault } from '../../../../src/ingest/manifest/manifest-lines.js';
import { testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

const folder = testFolder();
afterAll(() => folder.remove());

const OWNERS = '# who reads what\n*  *\n/hr/  @org/hr leads # not for all\n/hr/public.md  *\n';

describe('readGroupRules', () => {
  it('has no lists without settings', async () => {
    expect(await readGroupRules(folder.path, {})).toBe(NO_GROUPS);
  });

  it('takes the last entry of the manifest that matches', async () => {
    const documents = [
      { match: ['hr/**'], allow: ['hr'] },
      { match: ['hr/open/**'], allow: ['*'] },
    ];
    const { listsFor } = await readGroupRules(folder.path, { documents });
    expect([listsFor('hr/a.md'), listsFor('hr/open/a.md'), listsFor('a.md')]).toEqual([
      [['hr']],
      [['*']],
      [],
    ]);
  });

  it('adds the list of the last line of the file that matches', async () => {
    writeFiles(folder.path, { CODEOWNERS: OWNERS });
    const documents = [{ match: ['**'], allow: ['staff'] }];
    const { listsFor } = await readGroupRules(folder.path, { documents, allow_file: 'CODEOWNERS' });
    expect(listsFor('hr/pay/a.md')).toEqual([['staff'], ['leads', 'org/hr']]);
    expect(listsFor('hr/public.md')).toEqual([['staff'], ['*']]);
  });

  it('matches paths in their case, with composed accents', async () => {
    writeFiles(folder.path, { CASES: '/hr/ hr\n/HR/ *\n/cafe\u0301/ hr\n' });
    const { listsFor } = await readGroupRules(folder.path, { allow_file: 'CASES' });
    expect([listsFor('hr/a.md'), listsFor('caf\u00e9/a.md')]).toEqual([[['hr']], [['hr']]]);
  });

  it.each([
    ['a pattern without groups', '/hr/\n', 1],
    ['a section', '* *\n[Docs] @org/docs\n', 2],
    ['an exception', '!/hr/ @org/hr\n', 1],
  ])('refuses %s', async (_, text, line) => {
    writeFiles(folder.path, { ACCESS: text });
    const reading = readGroupRules(folder.path, { allow_file: 'ACCESS' });
    await expect(reading).rejects.toMatchObject({ line });
  });

  it('refuses a file that is missing', async () => {
    await expect(readGroupRules(folder.path, { allow_file: 'none' })).rejects.toThrow(ManifestFault);
  });

  it.each(['../OUTSIDE', 'link', 'pipe', 'large', '.'])('refuses %s without reading it', async (name) => {
    const inside = join(folder.path, 'inside');
    writeFiles(folder.path, { OUTSIDE: '/hr/\n', 'inside/large': ' '.repeat(300_000) });
    if (name === 'link') symlinkSync('../OUTSIDE', join(inside, name));
    if (name === 'pipe') execFileSync('mkfifo', [join(inside, name)]);
    const reading = readGroupRules(inside, { allow_file: name });
    await expect(reading).rejects.toMatchObject({ problem: expect.stringContaining('allow_file') });
  });
});

describe('sourceGroups', () => {
  it('adds the list of the entry to those of the source', () => {
    const own = { ...NO_GROUPS, isUsed: true, listsFor: () => [['hr']] };
    expect(sourceGroups(own, ['eng'], false).listsFor('a.md')).toEqual([['hr'], ['eng']]);
  });

  it('keeps what is stored if the source can not be read', () => {
    expect(sourceGroups(NO_GROUPS, undefined, true).keepsStored('a.md', ['hr'], false)).toBe(true);
  });
});
