import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  namesGroups,
  NO_GROUPS,
  readGroupRules,
  sourceGroups,
  writtenGroups,
} from '../../../../src/ingest/manifest/document-groups.js';
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
    expect(sourceGroups(NO_GROUPS, undefined, true).keepsStored('a.md')).toBe(true);
  });
});

describe('writtenGroups', () => {
  const none = { frontMatter: {}, problems: [] };
  const broken = { frontMatter: {}, problems: [{ line: 1, reason: 'front matter not read' }] };

  it('finds none in a text without front matter', () => {
    expect(writtenGroups(none, 'allow: everything\n')).toEqual({ problems: [] });
  });

  it('reads the key in any case', () => {
    expect(writtenGroups({ ...none, frontMatter: { Allow: ['hr'] } }, '')).toEqual({
      allowed: ['hr'],
      problems: [],
    });
  });

  it.each([
    ['front matter that is not read', broken, '---\nallow: [hr\n---\n'],
    ['front matter that is read as text', none, '\n---\nallow: [hr]\n---\n'],
    ['a header that is not read', broken, ':allow: hr\n\ntext'],
  ])('lets nobody see a document that names groups in %s', (_, document, source) => {
    expect(writtenGroups(document, source)).toMatchObject({ allowed: [], problems: [{ line: 1 }] });
  });
});

describe('namesGroups', () => {
  it.each([
    '---\nallow: hr\n---\n',
    '+++\nallow = ["hr"]\n+++\n',
    ':allow: hr\n',
    '<meta name="allow" content="hr">',
  ])('is true for %j', (text) => expect(namesGroups(text)).toBe(true));

  it('is false for the text below front matter', () => {
    expect(namesGroups('---\ntitle: a\n---\nallow: hr\n')).toBe(false);
  });
});
