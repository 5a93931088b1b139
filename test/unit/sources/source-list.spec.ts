import { mkdirSync } from 'node:fs';
import { type ListedSource, readSourceList } from '../../../src/sources/source-list.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

let folder: TestFolder;
beforeEach(() => (folder = testFolder()));
afterEach(() => folder.remove());

const list = (text: string): Promise<readonly ListedSource[]> => {
  writeFiles(folder.path, { '.pith.yaml': `sources:\n${text}` });
  return readSourceList(folder.path);
};

describe('readSourceList', () => {
  it('is empty without a list', async () => {
    expect(await readSourceList(folder.path)).toEqual([]);
  });

  it('gives what a list says, and defaults for the rest', async () => {
    mkdirSync(folder.file('contracts'));
    const sources = await list(
      '  - { address: ./contracts }\n  - { address: "https://git.example.com/a.git", doc_tag: x, every: 15m, trust: true }\n',
    );
    expect(sources).toMatchObject([
      {
        source: { kind: 'folder', name: 'contracts', address: folder.file('contracts') },
        docTag: 'contracts',
        repository: 'contracts',
        isTrusted: true,
        everyMs: null,
        hookSecret: null,
      },
      {
        source: { kind: 'git', name: 'a' },
        docTag: 'x',
        repository: 'https://git.example.com/a.git',
        isTrusted: true,
        everyMs: 900_000,
      },
    ]);
  });

  it.each([
    ['branch: v2.1', '2.1'],
    ['branch: release/2.0', '2.0'],
    ['branch: version-7.5-rc1', '7.5-rc1'],
    ['branch: main', undefined],
    ['branch: 7.10', '7.10'],
    ['branch: 2024', undefined],
    ['path: docs', undefined],
  ])('takes the version of a repository with %s from its name: %s', async (place, version) => {
    const [source] = await list(`  - { address: "https://git.example.com/a.git", ${place} }\n`);
    expect([source?.branchVersion, source?.version]).toEqual([version, undefined]);
  });

  it('takes a branch without a release in its name for an unreleased version beside one of the same repository', async () => {
    const repository = 'https://git.example.com/a.git';
    const sources = await list(
      [
        `{ name: a, address: "${repository}" }`,
        `{ name: b, address: "${repository}", branch: main }`,
        `{ name: c, address: "${repository}", branch: v2.1 }`,
        `{ name: d, address: "${repository}", branch: fixes }`,
        '{ name: e, address: "https://git.example.com/e.git", branch: main }',
      ]
        .map((line) => `  - ${line}\n`)
        .join(''),
    );
    expect(sources.map(({ branchVersion }) => branchVersion)).toEqual([
      'HEAD',
      'main',
      '2.1',
      undefined,
      undefined,
    ]);
  });

  it.each(['.', './', '../list/.'])('refuses its own folder %s, with the line', async (address) => {
    writeFiles(folder.path, { 'list/.pith.yaml': `include: []\nsources:\n  - { address: ${address} }\n` });
    await expect(readSourceList(folder.file('list'))).rejects.toThrow(
      /\.pith\.yaml:3: sources\.0\.address: it is the folder of the list/,
    );
  });

  it('names a misspelt key, and one that is missing', async () => {
    await expect(list('  - { adress: ./a }\n')).rejects.toThrow(/:2: sources\.0: Unrecognized key: "adress"/);
    await expect(list('  - { name: a }\n')).rejects.toThrow(/:2: sources\.0\.address: it is missing/);
  });

  it('refuses two sources with one name, with the line', async () => {
    await expect(list('  - { address: ./a }\n  - { address: ./b/a }\n')).rejects.toThrow(
      /:3: sources\.1\.address: two sources are named "a"/,
    );
  });
});
