import { mkdirSync } from 'node:fs';
import {
  type Corpus,
  type CorpusOptions,
  resolveCorpus,
} from '../../../../src/ingest/manifest/resolve-corpus.js';
import type { SourceCopy } from '../../../../src/ingest/manifest/source-copy.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
  for (const name of ['docs', 'handbook', 'other/docs', 'docs/inner']) {
    mkdirSync(folder.file(name), { recursive: true });
  }
});
afterEach(() => folder.remove());

const resolve = (
  [first = '', ...others]: string[],
  options: Partial<CorpusOptions> = {},
): Promise<Corpus> => {
  const otherFolders = others.map((name) => folder.file(name));
  return resolveCorpus({ folder: folder.file(first), otherFolders, ...options });
};

describe('resolveCorpus of several folders', () => {
  it('prefixes the paths of each folder with its name, in any order', async () => {
    const corpus = await resolve(['handbook', 'docs']);
    const parts = (of: Corpus) => ({ settings: of.settings, folders: of.folders });
    expect(parts(corpus)).toEqual(parts(await resolve(['docs', 'handbook'])));
    expect(corpus.folders.map(({ prefix }) => prefix)).toEqual(['docs/', 'handbook/']);
  });

  it('uses a folder once if it is given twice', async () => {
    expect((await resolve(['docs', 'docs'])).folders).toMatchObject([{ prefix: '' }]);
  });

  it('applies each manifest to its own folder', async () => {
    writeFiles(folder.path, {
      'docs/.pith.yaml':
        'ignore: [drafts/**]\ndescription: Docs\nsite_urls: [https://a.example]\ntaxonomy: { v: { collapse: true } }\n',
      'handbook/.pith.yaml':
        'project: harbour\ndescription: Handbook\nuse_ignore_files: false\ndocuments: [{ match: ["*"], doc_tag: hand }]\n',
    });
    const { settings, rules, folders } = await resolve(['docs', 'handbook']);
    expect(settings).toMatchObject({
      projectId: 'harbour',
      siteUrls: ['https://a.example'],
      corpus: { description: 'Docs; Handbook', taxonomy: { v: { collapse: true } } },
    });
    expect(folders.map(({ usesIgnoreFiles }) => usesIgnoreFiles)).toEqual([true, false]);
    expect(rules.isWanted('docs/drafts/a.md')).toBe(false);
    expect(rules.isWanted('handbook/drafts/a.md')).toBe(true);
    expect(rules.rulesFor('docs/a.md').docTag).toBeUndefined();
    expect(rules.rulesFor('handbook/a.md').docTag).toBe('hand');
  });

  it('names the project after the common parent folder', async () => {
    const { projectId } = (await resolve(['other/docs', 'handbook'])).settings;
    expect(folder.path.endsWith(`/${projectId}`)).toBe(true);
  });

  it.each([
    ['two with the same name', ['docs', 'other/docs'], 'folder_names_equal'],
    ['one within another', ['docs', 'docs/inner'], 'folders_overlap'],
  ])('rejects %s', async (_what, names, reason) => {
    await expect(resolve(names)).rejects.toMatchObject({ reason });
  });

  it('rejects manifests with different projects, unless a project is given', async () => {
    writeFiles(folder.path, { 'docs/.pith.yaml': 'project: a\n', 'handbook/.pith.yaml': 'project: b\n' });
    await expect(resolve(['docs', 'handbook'])).rejects.toMatchObject({ reason: 'manifests_disagree' });
    const told = await resolve(['docs', 'handbook'], { project: 'c' });
    expect(told.settings.projectId).toBe('c');
  });
});

describe('resolveCorpus of sources', () => {
  const copyNamed = (name: string, more: Partial<SourceCopy> = {}): SourceCopy => {
    mkdirSync(folder.file(`copies/${name}`), { recursive: true });
    return {
      folder: folder.file(`copies/${name}`),
      name,
      root: `https://x.example/${name}`,
      docTag: name,
      repository: name,
      isTrusted: false,
      addresses: new Map(),
      usesIgnoreFiles: false,
      ...more,
    };
  };

  it('shows the documents of a source whose settings of docs-mcp have a fault', async () => {
    const copy = copyNamed('a');
    writeFiles(folder.file('copies/a'), { '.docs-mcp.json': '{' });
    const { rules, remarks } = await resolveCorpus({ copies: [copy] });
    expect(remarks).toMatchObject([{ isProblem: true }]);
    expect(rules.groups.listsFor('a/b.md')).toEqual([]);
  });

  it('does not depend on their order', async () => {
    const [a, b] = [copyNamed('a'), copyNamed('b')];
    const { settings } = await resolveCorpus({ copies: [b, a] });
    expect(settings).toEqual((await resolveCorpus({ copies: [a, b] })).settings);
    expect(settings.projectId).toBe('documents');
  });

  it('names the project of a single source after it', async () => {
    expect((await resolveCorpus({ copies: [copyNamed('a', { name: '' })] })).settings.projectId).toBe('a');
  });

  const SETTINGS = [
    'site_urls: [https://bank.example]',
    'taxonomy:',
    '  version: { description: Mine., collapse: true, current: "1", resource: true, values: { 1: { resource: true } } }',
  ].join('\n');

  it('takes only the names of keys from a source that is not trusted', async () => {
    const copy = copyNamed('a');
    writeFiles(copy.folder ?? '', { '.pith.yaml': SETTINGS });
    const { settings, rules } = await resolveCorpus({ copies: [copy, copyNamed('b')] });
    expect(settings.siteUrls).toEqual([]);
    expect(settings.corpus.taxonomy).toEqual({
      version: { description: null, collapse: null, isResource: false, resourceValues: [] },
    });
    expect(rules.rulesFor('a/x.md').declaredKeys).toEqual(['version']);
  });

  it('takes the settings of a source that is trusted', async () => {
    const copy = copyNamed('a', { isTrusted: true });
    writeFiles(copy.folder ?? '', { '.pith.yaml': SETTINGS });
    const { settings } = await resolveCorpus({ copies: [copy] });
    expect(settings.siteUrls).toEqual(['https://bank.example']);
    expect(settings.corpus.taxonomy).toMatchObject({ version: { collapse: true, current: '1' } });
  });
});
