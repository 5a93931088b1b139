import { realpathSync } from 'node:fs';
import { NOTHING_DECLARED } from '../../../../src/core/corpus-declaration.js';
import { resolveCorpus } from '../../../../src/ingest/manifest/resolve-corpus.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

const MANIFEST = 'project: harbour\nenvironment: dev\nrepository: fleet\nsite_urls: [https://example.org]\n';
let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
  writeFiles(folder.path, { 'repo/docs/a.md': 'A.' });
});
afterEach(() => folder.remove());
const docs = () => folder.file('repo/docs');

describe('resolveCorpus', () => {
  it('names a project after its folder', async () => {
    const { settings, rules } = await resolveCorpus({ folder: docs() });
    expect(settings).toEqual({
      projectId: 'docs',
      environment: 'prod',
      root: realpathSync(docs()),
      siteUrls: [],
      corpus: NOTHING_DECLARED,
    });
    expect(rules.rulesFor('a.md').repository).toBe('docs');
  });

  it('names a repository after the Git root above', async () => {
    writeFiles(folder.path, { 'repo/.git/HEAD': '' });
    expect((await resolveCorpus({ folder: docs() })).rules.rulesFor('a.md').repository).toBe('repo');
  });

  it('accepts a file .git as a Git root, as in a worktree', async () => {
    writeFiles(folder.path, { 'repo/.git': 'gitdir: elsewhere' });
    expect((await resolveCorpus({ folder: docs() })).rules.rulesFor('a.md').repository).toBe('repo');
  });

  it('prefers the manifest to the folder', async () => {
    writeFiles(docs(), { '.pith.yaml': MANIFEST });
    const { settings, rules } = await resolveCorpus({ folder: docs() });
    expect(settings).toMatchObject({
      projectId: 'harbour',
      environment: 'dev',
      siteUrls: ['https://example.org'],
    });
    expect(rules.rulesFor('a.md').repository).toBe('fleet');
  });

  it('prefers the command line to both', async () => {
    writeFiles(docs(), { '.pith.yaml': MANIFEST });
    const told = { project: 'p', environment: 'e', repository: 'r', siteUrls: ['https://example.net'] };
    const { settings, rules } = await resolveCorpus({ folder: docs(), ...told });
    expect(settings).toMatchObject({ projectId: 'p', environment: 'e', siteUrls: ['https://example.net'] });
    expect(rules.rulesFor('a.md').repository).toBe('r');
  });

  it.each([
    ['a missing folder', 'nowhere', 'folder_missing'],
    ['a file', 'repo/docs/a.md', 'not_a_folder'],
  ])('rejects %s', async (_, path, reason) => {
    await expect(resolveCorpus({ folder: folder.file(path) })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason,
    });
  });

  it('rejects an invalid manifest', async () => {
    writeFiles(docs(), { '.pith.yaml': 'colour: red\n' });
    await expect(resolveCorpus({ folder: docs() })).rejects.toMatchObject({ reason: 'manifest_invalid' });
  });
});
