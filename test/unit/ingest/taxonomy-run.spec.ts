import type { CorpusFacts } from '../../../src/core/corpus-facts.js';
import type { ListedDocuments } from '../../../src/core/ports/section-index.port.js';
import type { IngestReport } from '../../../src/ingest/ingest-corpus.js';
import { embedderNamed } from '../../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../../src/sqlite/reader-ports.js';
import { buildIndex } from '../../support/build-index.js';
import { aScope } from '../../support/builders.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

const MANIFEST = [
  'description: Harbour handbook',
  'metadata: { product: harbour }',
  'taxonomy:',
  '  version: { description: Of the port., values: { 7.10: { resource: true } } }',
  'documents:',
  '  - { match: [old/**], metadata: { version: 7.1, state: old } }',
  'prompts:',
  '  - { name: ask, template: prompts/ask.md, arguments: [{ name: what }] }',
];
const FILES = {
  '.pith.yaml': MANIFEST.join('\n'),
  'new.md': '---\nversion: 7.10\n---\n\nA pier.\n',
  'old/a.md': 'A quay.\n',
  'old/b.md': '---\nmetadata: { state: gone, limit: 3 }\n---\n\nA dock.\n',
  'prompts/ask.md': 'Ask about {{what}}.',
};

describe('a run over documents with metadata', () => {
  let folder: TestFolder;
  const run = (name = 'index.sqlite', rebuild = false): Promise<IngestReport> =>
    buildIndex(folder.file('docs'), folder.file(name), rebuild);
  const write = (files: Readonly<Record<string, string>>): void => writeFiles(folder.file('docs'), files);
  const manifest = (change: (line: string) => string): void =>
    write({ '.pith.yaml': MANIFEST.map(change).join('\n') });

  /** The content of an index, without its generation. */
  const readAll = async (name = 'index.sqlite') => {
    const index = makePort('sections', new SqliteReader(folder.file(name), embedderNamed('lsa')));
    const corpus: CorpusFacts = { ...(await index.corpus(aScope())), generation: '' };
    const { documents }: ListedDocuments = await index.resources(aScope(), null, 100);
    const paths = ['new.md', 'old/a.md', 'old/b.md', 'prompts/ask.md'];
    const { sections } = await index.sections(aScope(), paths);
    await index.close();
    const metadata = Object.fromEntries(sections.map(({ document }) => [document.path, document.metadata]));
    return { corpus, offered: documents.map(({ path }) => path), metadata };
  };

  beforeEach(() => {
    folder = testFolder();
    write(FILES);
  });

  afterEach(() => folder.remove());

  it('prefers front matter to manifest entries, and these to metadata of all documents', async () => {
    await run();
    expect((await readAll()).metadata).toEqual({
      'new.md': { product: 'harbour', version: '7.10' },
      'old/a.md': { product: 'harbour', state: 'old', version: '7.1' },
      'old/b.md': { product: 'harbour', state: 'gone', version: '7.1' },
    });
  });

  it('keeps the manifest settings of the corpus, and does not index templates', async () => {
    await run();
    const { corpus, offered } = await readAll();
    expect(corpus.description).toBe('Harbour handbook');
    expect(corpus.prompts.map(({ name, messages }) => [name, messages[0]?.template])).toEqual([
      ['ask', 'Ask about {{what}}.'],
    ]);
    expect(corpus.taxonomy.find(({ key }) => key === 'version')).toEqual({
      key: 'version',
      description: 'Of the port.',
      values: ['7.1', '7.10'],
    });
    expect(offered).toEqual(['new.md']);
  });

  it('reports a reserved name with file and line in every run, leaves it out and indexes the rest', async () => {
    const reason = 'metadata: "limit" is reserved; choose another name';
    const remarks = [{ path: 'old/b.md:2', reason, isProblem: true }];
    expect(await run()).toMatchObject({ documents: 3, parsed: 3, remarks });
    expect(await run()).toMatchObject({ documents: 3, parsed: 0, unchanged: 3, remarks });
    write({ 'old/b.md': 'A dock.\n' });
    expect(await run()).toMatchObject({ parsed: 1, remarks: [] });
  });

  it('counts the values of each key', async () => {
    expect((await run()).taxonomy).toEqual([
      { key: 'product', values: 1 },
      { key: 'state', values: 2 },
      { key: 'version', values: 2 },
    ]);
  });

  it.each<[string, (line: string) => string, number]>([
    ['the description of the corpus', (line) => line.replace('handbook', 'manual'), 0],
    ['the description of a key', (line) => line.replace('Of the port.', 'Of the piers.'), 0],
    ['which documents are resources', (line) => line.replace('7.10:', '7.1:'), 0],
    ['a prompt', (line) => line.replace('name: ask', 'name: tell'), 0],
    ['metadata of some documents', (line) => line.replace('state: old', 'state: ancient'), 2],
    ['metadata of all documents', (line) => line.replace('product: harbour', 'product: port'), 3],
    ['a key that is no longer declared', (line) => line.replace('  version:', '  edition:'), 3],
  ])('publishes the same index as a rebuild when the manifest changes %s', async (_, change, parsed) => {
    const { generation } = await run();
    const before = await readAll();
    manifest(change);
    const report = await run();
    expect(report.generation).not.toBe(generation);
    expect(report.parsed).toBe(parsed);
    const after = await readAll();
    expect(after).not.toEqual(before);
    await run('other.sqlite');
    expect(after).toEqual(await readAll('other.sqlite'));
  });

  it('publishes when only a template file changes', async () => {
    const { generation } = await run();
    write({ 'prompts/ask.md': 'Tell about {{what}}.' });
    expect((await run()).generation).not.toBe(generation);
    expect((await readAll()).corpus.prompts[0]?.messages[0]?.template).toBe('Tell about {{what}}.');
  });

  it('publishes nothing when nothing changes', async () => {
    const { generation } = await run();
    expect((await run()).generation).toBe(generation);
  });
});
