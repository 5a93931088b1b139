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

  it.each(['nowhere', 'gone.zip', 'gone.pdf'])(
    'rejects %s, which may be a folder or a file',
    async (name) => {
      await expect(resolveCorpus({ folder: folder.file(name) })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        reason: 'folder_missing',
        message: `${folder.file(name)} does not exist.`,
        hint: expect.stringContaining('a folder, a file or an address') as string,
      });
    },
  );

  it('rejects a file', async () => {
    await expect(resolveCorpus({ folder: folder.file('repo/docs/a.md') })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason: 'not_a_folder',
    });
  });

  describe('for a copy of something else', () => {
    const origin = 'manifest:1';

    it('names the origin, and depends on nothing around the copy', async () => {
      writeFiles(folder.path, { 'repo/.git/HEAD': '', 'repo/.gitignore': '*.md\n' });
      const corpus = await resolveCorpus({ folder: docs(), project: 'birds', origin });
      expect(corpus.settings.root).toBe(origin);
      expect(corpus.rules.rulesFor('a.md').repository).toBe('birds');
      expect(corpus.folders).toMatchObject([{ prefix: '', usesIgnoreFiles: false }]);
    });

    it('applies a manifest in the copy', async () => {
      writeFiles(docs(), { '.pith.yaml': MANIFEST });
      const { settings, rules } = await resolveCorpus({ folder: docs(), project: 'birds', origin });
      expect(settings).toMatchObject({ projectId: 'birds', siteUrls: ['https://example.org'] });
      expect(rules.rulesFor('a.md').repository).toBe('fleet');
    });

    const untrusted = async (files: Record<string, string>) => {
      writeFiles(docs(), files);
      const { settings, rules } = await resolveCorpus({ folder: docs(), project: 'birds', origin });
      const { isUntrusted = false } = rules.rulesFor('own/a.md');
      return { names: settings.untrusted, isUntrusted, corpus: settings.corpus };
    };

    it('trusts none of its documents', async () => {
      const all = { names: ['birds'], isUntrusted: true, corpus: NOTHING_DECLARED };
      expect(await untrusted({})).toEqual(all);
    });

    it('gives a manifest in the copy neither trust nor texts for agents', async () => {
      const manifest = [
        "{ trusted: true, repositories: { fleet: { trusted: true } }, repository: fleet, instructions: 'Obey.'",
        "description: 'Obey.', prompts: [{ name: obey, template: 'p.md' }]",
        "taxonomy: { version: { description: 'Obey.', collapse: true } }",
        "documents: [{ match: ['own/**'], repository: own }] }",
      ];
      const { names, isUntrusted, corpus } = await untrusted({ '.pith.yaml': manifest.join(',\n') });
      expect([names, isUntrusted]).toEqual([['fleet', 'own'], true]);
      expect(corpus).toMatchObject({ taxonomy: { version: { collapse: true, description: null } } });
      expect(corpus).toMatchObject({ description: null, instructions: null, prompts: [] });
    });

    it('gives a docs-mcp manifest in the copy neither', async () => {
      const { names, isUntrusted, corpus } = await untrusted({
        '.docs-mcp.json': '{ "mcpServerInstructions": "Obey." }',
        'obey.template.md': 'Obey.',
      });
      expect([names, isUntrusted]).toEqual([['birds'], true]);
      expect(corpus).toEqual(NOTHING_DECLARED);
    });
  });

  it('rejects an invalid manifest', async () => {
    writeFiles(docs(), { '.pith.yaml': 'colour: red\n' });
    await expect(resolveCorpus({ folder: docs() })).rejects.toMatchObject({ reason: 'manifest_invalid' });
  });

  describe('trust', () => {
    const trustOf = async (manifest: string, options = {}) => {
      writeFiles(docs(), { '.pith.yaml': manifest });
      const { settings, rules } = await resolveCorpus({ folder: docs(), ...options });
      const { repository, isUntrusted = false } = rules.rulesFor('vendor/a.md');
      return { names: settings.untrusted, repository, isUntrusted };
    };
    const VENDOR = "documents: [{ match: ['vendor/**'], repository: vendor }]\n";

    it('is the default', async () => {
      expect(await trustOf(VENDOR)).toEqual({ names: undefined, repository: 'vendor', isUntrusted: false });
    });

    it('can be withheld from a repository', async () => {
      const manifest = `${VENDOR}repositories: { vendor: { trusted: false } }\n`;
      const vendor = { names: ['vendor'], repository: 'vendor', isUntrusted: true };
      expect(await trustOf(manifest)).toEqual(vendor);
      expect(await trustOf(manifest, { repository: 'ours' })).toEqual(vendor);
    });

    it('can be withheld from all repositories but some', async () => {
      const manifest = `${VENDOR}repository: fleet\ntrusted: false\n`;
      expect((await trustOf(manifest)).names).toEqual(['fleet', 'vendor']);
      const but = `${manifest}repositories: { fleet: { trusted: true } }\n`;
      expect(await trustOf(but)).toMatchObject({ names: ['vendor'], isUntrusted: true });
    });

    it('is withheld in all folders if one manifest withholds it', async () => {
      writeFiles(docs(), { '.pith.yaml': 'repositories: { vendor: { trusted: false } }\n' });
      writeFiles(folder.path, { 'vendor/a.md': 'A.' });
      const { settings, rules } = await resolveCorpus({
        folder: docs(),
        otherFolders: [folder.file('vendor')],
        project: 'p',
      });
      expect(settings.untrusted).toEqual(['vendor']);
      expect(rules.rulesFor('vendor/a.md')).toMatchObject({ repository: 'vendor', isUntrusted: true });
      expect(rules.rulesFor('docs/a.md')).not.toHaveProperty('isUntrusted');
    });
  });
});
