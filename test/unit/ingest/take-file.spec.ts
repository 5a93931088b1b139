import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { ConverterThread } from '../../../src/ingest/conversion/converter-thread.js';
import { ingestCorpus } from '../../../src/ingest/ingest-corpus.js';
import { type CorpusOptions, resolveCorpus } from '../../../src/ingest/manifest/resolve-corpus.js';
import { embedderNamed } from '../../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../../src/sqlite/reader-ports.js';
import { SqliteIndexWriter } from '../../../src/sqlite/writing/sqlite-index-writer.js';
import { NOW } from '../../support/builders.js';
import { ownProject } from '../../support/own-project.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

const OF_MANIFEST = { origin: `manifest:${'a'.repeat(64)}` };
const PROJECT = ownProject('docs');

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
  writeFiles(folder.file('docs'), { 'a.md': 'A disk.', 'b.md': '# B\n\nA berth.\n' });
});
afterEach(() => folder.remove());

const indexFile = () => folder.file('index.sqlite');
const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** A time at which no file has changed a moment ago. */
const later = (): number => Date.now() + 60_000;

async function run(corpus: Partial<CorpusOptions> = {}, maxFileBytes = 1_000) {
  const writer = new SqliteIndexWriter(indexFile(), embedderNamed('lsa'), () => NOW);
  try {
    const settled = await resolveCorpus({ folder: folder.file('docs'), project: PROJECT, ...corpus });
    const nothing = (): undefined => undefined;
    const options = {
      rebuild: false,
      maxFileBytes,
      now: later,
      onProgress: nothing,
      onRebuild: nothing,
    };
    return await ingestCorpus(writer, settled, options);
  } finally {
    await writer.close();
  }
}

/** The artifacts of all documents, by path. */
async function artifacts() {
  const index = makePort('sections', new SqliteReader(indexFile(), embedderNamed('lsa')));
  const scope = { projectId: PROJECT, environment: 'prod', docTags: null, repositories: null };
  const { documents } = await index.documents(scope, 0, 10);
  await index.close();
  return documents.map(({ artifact }) => artifact);
}

describe('the artifact of a document', () => {
  it('is the SHA-256 of its file in the copy of a manifest', async () => {
    await run(OF_MANIFEST);
    expect(await artifacts()).toEqual([sha256('A disk.'), sha256('# B\n\nA berth.\n')]);
  });

  it.each([
    ['a byte order mark and CRLF line ends', Buffer.from('\uFEFFA disk.\r\nA tide.\r\n')],
    ['UTF-16', Buffer.from('\uFEFFA disk.', 'utf16le')],
    ['invisible characters', Buffer.from('A\u200B disk.')],
  ])('is the hash of the bytes as they are, with %s', async (_, bytes) => {
    writeFileSync(folder.file('docs/a.md'), bytes);
    await run(OF_MANIFEST);
    expect(await artifacts()).toContain(sha256(bytes));
  });

  it('is that of the page itself if it includes other files', async () => {
    writeFiles(folder.file('docs'), { 'a.md': '--8<-- "b.md"\n' });
    await run(OF_MANIFEST);
    expect(await artifacts()).toContain(sha256('--8<-- "b.md"\n'));
    writeFiles(folder.file('docs'), { 'a.md': '# B\n\nA berth.\n' });
    expect(await run(OF_MANIFEST)).toMatchObject({ parsed: 1 });
    expect(await artifacts()).not.toContain(sha256('--8<-- "b.md"\n'));
  });

  it('is absent for a folder, before and after a manifest with the same files', async () => {
    const first = await run();
    expect(await artifacts()).toEqual([undefined, undefined]);
    expect(await run(OF_MANIFEST)).toMatchObject({ parsed: 2, documents: 2 });
    expect(await artifacts()).toContain(sha256('A disk.'));
    expect(await run()).toMatchObject({ parsed: 2, sections: first.sections });
    expect(await artifacts()).toEqual([undefined, undefined]);
  });

  it('does not make the next run of a manifest read unchanged files again', async () => {
    const first = await run(OF_MANIFEST);
    expect(await run(OF_MANIFEST)).toMatchObject({
      parsed: 0,
      unchanged: 2,
      generation: first.generation,
    });
  });
});

describe('a file that cannot be converted', () => {
  const torn = { path: 'torn.docx', reason: 'it is damaged: not a ZIP archive' };
  const write = (content: string): void => writeFileSync(folder.file('docs/torn.docx'), content);

  it('is reported by every run, and not tried again until it changes', async () => {
    write('torn');
    const tries = jest.spyOn(ConverterThread.prototype, 'convert');
    const reasons = async () => (await run()).skipped.map(({ path, reason }) => ({ path, reason }));
    expect(await reasons()).toEqual([torn]);
    const first = tries.mock.calls.length;
    expect(await reasons()).toEqual([torn]);
    expect(tries.mock.calls.slice(first).filter(([path]) => path === torn.path)).toEqual([]);
    write('torn again');
    expect(await reasons()).toEqual([torn]);
    expect(tries.mock.calls.slice(first).filter(([path]) => path === torn.path)).toHaveLength(1);
    tries.mockRestore();
  });
});

describe('parts that a conversion leaves out', () => {
  it('are reported by every run, and need no fixing', async () => {
    const output = { output_type: 'stream', text: 'a'.repeat(10_001) };
    const cells = [{ cell_type: 'code', source: 'dock()', outputs: [output] }];
    writeFileSync(folder.file('docs/tides.ipynb'), JSON.stringify({ cells }));
    const remark = {
      path: 'tides.ipynb',
      reason: 'the ends of 1 outputs of over 10000 characters are left out',
      isProblem: false,
    };
    expect((await run({}, 100_000)).remarks).toEqual([remark]);
    expect((await run({}, 100_000)).remarks).toEqual([remark]);
  });
});

describe('a page that can not be read any more', () => {
  const LIMITED = '---\nallow: [hr]\n---\n# B\n\n';
  const paths = async () => {
    const index = makePort('sections', new SqliteReader(indexFile(), embedderNamed('lsa')));
    const scope = { projectId: PROJECT, environment: 'prod', docTags: null, repositories: null };
    const { documents } = await index.documents(scope, 0, 10);
    await index.close();
    return documents.map(({ path }) => path);
  };

  it.each([
    ['is too large', Buffer.from(LIMITED + 'A berth. '.repeat(200))],
    ['is not text', Buffer.concat([Buffer.from(LIMITED), Buffer.from([0xff, 0x62, 0x0a])])],
    ['is too large, in UTF-16', Buffer.from(`\uFEFF${LIMITED}${'A berth. '.repeat(200)}`, 'utf16le')],
  ])('is hidden if its header names groups and it %s', async (_, bytes) => {
    await run();
    writeFileSync(folder.file('docs/b.md'), bytes);
    const { remarks } = await run();
    expect(await paths()).toEqual(['a.md']);
    expect(remarks).toContainEqual(expect.objectContaining({ path: 'b.md', isProblem: true }));
    writeFiles(folder.file('docs'), { 'b.md': '# B\n\nA berth and more.\n' });
    await run();
    expect(await paths()).toEqual(['a.md', 'b.md']);
  });

  it('keeps its last version if its header names none', async () => {
    await run();
    writeFiles(folder.file('docs'), { 'b.md': `# B\n\nallow: all. ${'A berth. '.repeat(200)}` });
    await run();
    expect(await paths()).toEqual(['a.md', 'b.md']);
  });
});
